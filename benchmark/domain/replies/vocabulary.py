"""The words that carry meaning in a reply to one instrument: its items, labels and statements.

Each is replaced in the text by one private character, so that digits and words inside an item
("0. … 1. …", "about 50% likely") can never be taken for ratings, and the grammar sees one token.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from benchmark.domain.replies.characters import plain, readable

NAME_BASE, LABEL_BASE, ALIAS_BASE, STATEMENT_BASE = 0xF0000, 0xF4000, 0xF8000, 0xFC000
BLOCK = 0x4000

_MARKER = re.compile(r"(?:^| )([0-9]{1,2})\. ")
_CHOICE = re.compile(r",? or |, | / |/")
_LIST_NUMBER = re.compile(r"^[0-9]{1,3} ?[.):-] ?(?=\D)")


Meaning = TypeVar("Meaning")


class Statement(tuple[int, int]):
    """(item, rating) of one numbered statement inside an item's own text."""

    __slots__ = ()


@dataclass(frozen=True)
class Vocabulary:
    """Items by presented position, the scale, and the phrases that the text is searched for."""

    size: int
    low: int
    high: int
    names: Mapping[str, int]
    labels: Mapping[str, int]
    labelled: frozenset[int]
    statements: tuple[Statement, ...]
    codes: Mapping[str, str]
    pattern: re.Pattern[str] | None

    def holds(self, rating: int | None) -> bool:
        return rating is not None and self.low <= rating <= self.high

    def mask(self, text: str) -> str:
        """The plain text with every known phrase as one private character."""
        if self.pattern is None:
            return text
        return self.pattern.sub(self._code, text)

    def _code(self, match: re.Match[str]) -> str:
        # A phrase may end in its own punctuation, which the key does not hold.
        phrase = match[0].replace("\n", " ")
        return self.codes.get(phrase) or self.codes[_core(phrase)]

    def item_called(self, name: str) -> int | None:
        """The item that a key or cell names, list number and underscores apart; None if none."""
        phrase = _phrase(name)
        core = _core(phrase)
        return self.names.get(core, self.names.get(_core(_LIST_NUMBER.sub("", phrase))))

    def label_rating(self, text: str) -> int | None:
        """The rating whose label a text is, word for word; None if it is none."""
        return self.labels.get(_core(plain(readable(text)).replace("\n", " ")))


def vocabulary_of(
    items: Sequence[str], low: int, high: int, labels: Mapping[int, str] | None
) -> Vocabulary:
    """The vocabulary of an instrument as presented; ValueError where there is nothing to rate."""
    if not items:
        raise ValueError("a reply cannot be read without items")
    if not 0 <= low <= high:
        raise ValueError(f"a scale from {low} to {high} cannot be read")
    return _build(tuple(items), low, high, tuple(sorted((labels or {}).items())))


@lru_cache(maxsize=128)
def _build(
    items: tuple[str, ...], low: int, high: int, labels: tuple[tuple[int, str], ...]
) -> Vocabulary:
    texts = [_phrase(text) for text in items]
    names = _unique((_core(text), item) for item, text in enumerate(texts))
    anchors = [(_core(_phrase(text)), value) for value, text in labels]
    known = _unique((text, value) for text, value in anchors if low <= value <= high)
    aliases = _unique(
        (_core(part), value)
        for text, value in anchors
        for part in {*_CHOICE.split(text)} - {text}
        if low <= value <= high
    )
    found = _unique(_statements(texts, low, high))
    statements = tuple(found.values())
    codes = (
        {text: chr(STATEMENT_BASE + place) for place, text in enumerate(found)}
        | {text: chr(ALIAS_BASE + value) for text, value in aliases.items()}
        | {text: chr(LABEL_BASE + value) for text, value in known.items()}
        | {text: chr(NAME_BASE + item) for text, item in names.items()}
    )
    return Vocabulary(
        size=len(items),
        low=low,
        high=high,
        names=names,
        labels=known,
        labelled=frozenset(known.values()),
        statements=statements,
        codes=codes,
        pattern=_pattern(frozenset(codes), frozenset(texts)),
    )


@lru_cache(maxsize=4096)
def _phrase(text: str) -> str:
    """An item's or a label's text on one plain line; the same in every order of the items."""
    return plain(readable(text)).replace("\n", " ")


def _core(text: str) -> str:
    """Without the punctuation around it."""
    start, end = 0, len(text)
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return text[start:end]


def _unique(pairs: Iterable[tuple[str, Meaning]]) -> dict[str, Meaning]:
    """Phrases that mean one thing; a phrase with two meanings means nothing."""
    found = [(text, meaning) for text, meaning in pairs if text]
    times = Counter(text for text, _ in found)
    return {text: meaning for text, meaning in found if times[text] == 1}


def _statements(texts: Sequence[str], low: int, high: int) -> Iterable[tuple[str, Statement]]:
    """The statements of items that list them as "0. … 1. …" over the whole scale."""
    for item, text in enumerate(texts):
        pieces = _MARKER.split(text)
        if pieces[0] or pieces[1::2] != [str(value) for value in range(low, high + 1)]:
            continue
        for value, statement in zip(range(low, high + 1), pieces[2::2], strict=True):
            yield _core(statement), Statement((item, value))


@lru_cache(maxsize=128)
def _pattern(known: frozenset[str], texts: frozenset[str]) -> re.Pattern[str] | None:
    """Literal phrases, longest first, as whole words; a space may be a line break."""
    if not known:
        return None
    endings = {_core(text): text.partition(_core(text))[2] for text in texts if _core(text)}
    phrases = []
    for phrase in sorted(known, key=lambda text: (-len(text), text)):
        ending = re.escape(endings.get(phrase, ""))
        literal = re.escape(phrase).replace("\\ ", "[ \\n]")
        phrases.append(f"{literal}(?:{ending})?" if ending else literal)
    # "self-assured" and "dis-interested" are other words; "3-interested" is not.
    return re.compile(rf"(?<!\w)(?<![^\W\d]-)(?:{'|'.join(phrases)})(?!\w)(?!-[^\W\d])")
