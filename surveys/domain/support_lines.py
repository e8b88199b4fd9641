"""Lines that people can call when a feeling stays with them, by country.

The file is read strictly: a wrong number would be worse than none, so what is not plainly a number
or a secure address is refused when the file is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_PHONE = re.compile(r"\*?[0-9][0-9 -]{1,18}[0-9]", re.ASCII)
_ADDRESS = re.compile(r"https://[a-z0-9.-]+\.[a-z]{2,}(/[A-Za-z0-9._~/-]*)?", re.ASCII)
_KEYS = {"name", "phone", "url", "hours"}


class SupportLinesError(ValueError):
    """What is wrong with the file of support lines, as one sentence."""


@dataclass(frozen=True, slots=True)
class SupportLine:
    """One line: who answers, the number as people write it, and when, where that is limited."""

    name: str
    phone: str
    url: str
    hours: str = ""

    @property
    def dialled(self) -> str:
        """The number as a telephone takes it."""
        return re.sub(r"[ -]", "", self.phone)


@dataclass(frozen=True, slots=True)
class SupportLines:
    """Lines by country, whose lines to show where no country is known, and a site that lists all.

    `usual` maps a language of the pages to countries.
    """

    by_country: Mapping[str, tuple[SupportLine, ...]]
    usual: Mapping[str, tuple[str, ...]]
    finder: str

    def for_person(
        self, *, country: str, language: str
    ) -> tuple[tuple[str, tuple[SupportLine, ...]], ...]:
        """Countries with their lines: the person's own, or where that has none, the usual ones."""
        if country in self.by_country:
            return ((country, self.by_country[country]),)
        countries = self.usual.get(language) or self.usual["en"]
        return tuple((name, self.by_country[name]) for name in countries)


def read_support_lines(raw: Mapping[str, Any], *, countries: Collection[str]) -> SupportLines:
    """The checked contents of the file; `countries` are the names that may be used.

    Raises SupportLinesError at the first thing that is wrong.
    """
    if set(raw) != {"finder", "usual", "countries"}:
        raise SupportLinesError(f"expected finder, usual and countries, not {sorted(raw)}")
    by_country = {}
    for country, lines in raw["countries"].items():
        if country not in countries:
            raise SupportLinesError(f"{country!r} is not spelled as in the list of countries")
        by_country[country] = _read_lines(country, lines)
    usual = {language: tuple(names) for language, names in raw["usual"].items()}
    if not usual.get("en"):
        raise SupportLinesError("usual needs countries for the language en")
    for name in (name for names in usual.values() for name in names):
        if name not in by_country:
            raise SupportLinesError(f"usual names {name!r}, which has no line")
    return SupportLines(by_country, usual, _read_address("finder", raw["finder"]))


def _read_lines(country: str, raw: Sequence[Mapping[str, str]]) -> tuple[SupportLine, ...]:
    if not raw:
        raise SupportLinesError(f"{country}: there is no line")
    lines = []
    for line in raw:
        if not set(line) <= _KEYS or not {"name", "phone", "url"} <= set(line):
            raise SupportLinesError(f"{country}: a line has name, phone, url and perhaps hours")
        if not line["name"].strip():
            raise SupportLinesError(f"{country}: a line has no name")
        if not _PHONE.fullmatch(line["phone"]):
            raise SupportLinesError(f"{country}: {line['phone']!r} is not a telephone number")
        _read_address(country, line["url"])
        lines.append(SupportLine(**line))
    return tuple(lines)


def _read_address(where: str, text: str) -> str:
    if not _ADDRESS.fullmatch(text):
        raise SupportLinesError(f"{where}: {text!r} is not a secure web address")
    return text
