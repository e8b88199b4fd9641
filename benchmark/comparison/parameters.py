"""What a reader asks for, from an address or a command line, checked against what there is.

Every fault names the parameter, what was given and what is known, so that a page and a command can
say it in one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from benchmark.comparison.sources import available_sources, find
from benchmark.domain.cells import Level, Source
from benchmark.domain.comparison import Options
from benchmark.domain.statistics import Method

ALPHAS = ("0.05", "0.01", "0.001")
KNOWN = ("instrument", "by", "sources", "alpha", "method", "emotion")
Choice = TypeVar("Choice", bound=StrEnum)


class ParameterError(ValueError):
    """A parameter that cannot be answered; the message is one sentence for the reader."""

    def __init__(self, parameter: str, message: str) -> None:
        super().__init__(message)
        self.parameter = parameter


@dataclass(frozen=True, slots=True)
class Asked:
    """A checked question: the options, the sources chosen, and all that could be chosen."""

    options: Options
    sources: Sequence[Source]
    available: Sequence[Source]
    is_everything: bool


def ask(
    given: Mapping[str, Sequence[str]],
    *,
    instruments: Iterable[str],
    emotions: Iterable[str],
    extra: Sequence[str] = (),
) -> Asked:
    """Check an address's parameters (name to values). Raises ParameterError.

    `extra` are parameter names that a page understands beside the comparison's own.
    """
    for name in given:
        if name not in KNOWN and name not in extra:
            known = ", ".join((*KNOWN, *extra))
            raise ParameterError(name, f"There is no parameter “{name}”; known are {known}.")
    options = Options(
        instrument=one_of("instrument", _last(given, "instrument") or "PANAS", instruments),
        by=choice("by", _last(given, "by") or Level.EMOTION.value, Level),
        alpha=alpha_from(_last(given, "alpha") or "0.01"),
        method=choice("method", _last(given, "method") or Method.PAPER.value, Method),
        emotion=one_of("emotion", _last(given, "emotion"), ["", *emotions]),
    )
    wanted = [value for value in given.get("sources", ()) if value.strip()]
    everything = available_sources(options.instrument)
    chosen = choose(wanted, instrument=options.instrument) if wanted else everything
    return Asked(options, chosen, everything, not wanted)


def choose(wanted: Sequence[str], *, instrument: str) -> list[Source]:
    """The sources that names mean, in their usual order; each value may hold several, by commas.

    Raises ParameterError that names the unknown one and all that are known.
    """
    sources = available_sources(instrument, with_superseded=True)
    keys: set[str] = set()
    for value in wanted:
        # A title may itself hold a comma, so the whole is tried first.
        names = [value.strip()] if find(sources, value.strip()) else value.split(",")
        for name in filter(None, map(str.strip, names)):
            found = find(sources, name)
            if not found:
                known = ", ".join(source.name for source in sources) or "none"
                raise ParameterError(
                    "sources", f"There is no source “{name}” for {instrument}; known are {known}."
                )
            keys.update(source.key for source in found)
    return [source for source in sources if source.key in keys]


def alpha_from(text: str) -> float:
    """A significance level between 0 and 1, both excluded."""
    try:
        alpha = float(text)
    except ValueError:
        alpha = 0.0
    if not 0 < alpha < 1:
        raise ParameterError("alpha", f"alpha must be a number between 0 and 1, not “{text}”.")
    return alpha


def choice(name: str, value: str, choices: type[Choice]) -> Choice:
    """A member of an enumeration by its value."""
    return choices(one_of(name, value, [member.value for member in choices]))


def one_of(name: str, value: str, known: Iterable[str]) -> str:
    """The value itself where it is known."""
    values = list(known)
    if value not in values:
        listed = ", ".join(filter(None, values)) or "none"
        raise ParameterError(name, f"There is no {name} “{value}”; known are {listed}.")
    return value


def _last(given: Mapping[str, Sequence[str]], name: str) -> str:
    values = given.get(name) or [""]
    return values[-1].strip()
