"""Rows that rate an item by its name, in one line: "1. Interested: 3", "3 - Interested".

A line may hold several rows. A line that is not made of rows, from its first token to its last,
holds none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmark.domain.replies.tokens import ANCHORS, Kind, Line
from benchmark.domain.replies.values import (
    CLOSING,
    OPENING,
    Reading,
    agrees,
    is_quiet_tail,
    is_signed,
    read_number,
    read_value,
)
from benchmark.domain.replies.vocabulary import Vocabulary
from benchmark.domain.replies.words import DENIALS, NUMBER_WORDS, PREFIX_WORDS

LIST_MARKS = frozenset({".", ")", "]"})
_INDEX_MARKS = LIST_MARKS | {":"}
_NOT_BEFORE_NAMES = frozenset({"?", "~", "<", ">", "%", "^", "/"})
_BETWEEN_MARKS = frozenset({*",;.:|-()[]{}\"'→#•·&/", "--", ".."})
_RATING_FIRST_MARKS = frozenset({*"-:=|,→\"'([", "--"})


@dataclass(frozen=True, slots=True)
class Row:
    """One item and its rating; `index` is the number beside it, firm where it is a list marker."""

    item: int
    rating: int
    by_label: bool = False
    index: int | None = None
    is_firm: bool = True


@dataclass(frozen=True, slots=True)
class Prefix:
    """What stands before a name: where it ends, and the number in it."""

    end: int
    index: int | None = None
    is_firm: bool = True


def rows_rated_after(line: Line, vocabulary: Vocabulary) -> list[Row]:
    """Rows whose rating follows the name."""
    prefix = read_prefix(line, 0) or _prefix_after_colon(line)
    if prefix is None:
        return []
    row, end = _rated_after(line, prefix, vocabulary)
    return _with_followers(line, row, end, vocabulary, _rated_after)


def rows_rated_before(line: Line, vocabulary: Vocabulary) -> list[Row]:
    """Rows whose rating precedes the name."""
    row, end = _rated_before(line, Prefix(0), vocabulary)
    return _with_followers(line, row, end, vocabulary, _rated_before)


OneRow = Callable[[Line, Prefix, Vocabulary], tuple[Row | None, int]]


def _with_followers(
    line: Line, row: Row | None, end: int, vocabulary: Vocabulary, read_one: OneRow
) -> list[Row]:
    """The first row and those that follow it on the line; none where the end is in doubt."""
    rows: list[Row] = []
    while row is not None:
        rows.append(row)
        start = _next_start(line, end, row, is_before=read_one is _rated_before)
        follower, next_end = (None, end) if start is None else read_one(line, start, vocabulary)
        if follower is None:
            return rows if _ends_quietly(line, end, row) else []
        row, end = follower, next_end
    return []


def _ends_quietly(line: Line, end: int, row: Row) -> bool:
    if row.by_label:
        return all(token.kind in (Kind.MARK, Kind.SYMBOL) for token in line[end:])
    return is_quiet_tail(line, end, row.rating, row.item)


def read_prefix(line: Line, start: int) -> Prefix | None:
    """Bullets, a list number and a few words up to a name; None where something else stands."""
    index, is_firm = None, True
    for at in range(start, len(line)):
        token = line[at]
        if token.kind is Kind.NAME:
            return Prefix(at, index, is_firm)
        if token.kind is Kind.NUMBER:
            if index is not None or token.ordinal is None or is_signed(line, at):
                return None
            index = token.ordinal
            is_firm = at + 1 < len(line) and line[at + 1].text in LIST_MARKS
        elif not _may_precede_name(line, at):
            return None
    return None


def _may_precede_name(line: Line, at: int) -> bool:
    token = line[at]
    if token.kind is Kind.MARK:
        return token.text not in _NOT_BEFORE_NAMES
    if token.kind is Kind.WORD:
        is_letter = len(token.text) == 1 and at + 1 < len(line) and line[at + 1].text in LIST_MARKS
        return token.text in PREFIX_WORDS or is_letter
    if token.kind is Kind.MIXED:
        return token.text[0] == "q" and token.text[1:].isdigit()
    return token.kind in (Kind.SYMBOL, Kind.SPOILED)


def _prefix_after_colon(line: Line) -> Prefix | None:
    """ "Here are my ratings: Interested: 3, …": words before a colon, without numbers."""
    name = next((at for at, token in enumerate(line) if token.kind is Kind.NAME), 0)
    colon = next((at for at in range(name - 1, 0, -1) if line[at].text == ":"), None)
    if colon is None:
        return None
    words = line[:colon]
    noisy = (Kind.NUMBER, Kind.MIXED, Kind.SPOILED)
    if any(token.kind in noisy or token.text in DENIALS for token in words):
        return None
    return read_prefix(line, colon + 1)


def _rated_after(line: Line, prefix: Prefix, vocabulary: Vocabulary) -> tuple[Row | None, int]:
    item = line[prefix.end].value
    reading = read_value(line, prefix.end + 1, vocabulary, item)
    if item is None or reading is None or _is_next_index(line, prefix, reading):
        return None, prefix.end
    row = Row(item, reading.rating, reading.by_label, prefix.index, prefix.is_firm)
    return row, reading.end


def _is_next_index(line: Line, prefix: Prefix, reading: Reading) -> bool:
    """ "1. Interested 2. Distressed" is an echo of the items: its 2 is no rating."""
    if prefix.index != reading.rating - 1 or reading.by_label:
        return False
    after = line[reading.end : reading.end + 2]
    return len(after) == 2 and after[0].text in _INDEX_MARKS and after[1].kind is Kind.NAME


def _rated_before(line: Line, prefix: Prefix, vocabulary: Vocabulary) -> tuple[Row | None, int]:
    at, index = _skip_index(line, prefix.end)
    reading = None
    if at < len(line) and line[at].kind is Kind.NUMBER and not is_signed(line, at):
        reading = read_number(line, at, vocabulary)
    if reading is None:
        return None, prefix.end
    name = _name_of_rating(line, reading)
    if name is None:
        return None, prefix.end
    item = line[name].value
    row = None if item is None else Row(item, reading.rating, False, index, index is None)
    return row, name + 1


def _skip_index(line: Line, start: int) -> tuple[int, int | None]:
    """Past bullets, and past a list number that another number follows."""
    at = start
    while at < len(line) and line[at].kind in (Kind.MARK, Kind.SYMBOL):
        at += 1
    ahead = line[at : at + 3]
    kinds = [token.kind for token in ahead]
    if kinds == [Kind.NUMBER, Kind.MARK, Kind.NUMBER] and ahead[1].text in (*_INDEX_MARKS, "|"):
        return at + 2, line[at].ordinal
    return at, None


def _name_of_rating(line: Line, reading: Reading) -> int | None:
    """The position of the name that a number stands before; a list marker is no rating."""
    in_label = False
    for at in range(reading.end, len(line)):
        token = line[at]
        if token.kind is Kind.NAME:
            return at
        if token.kind in ANCHORS:
            if not agrees([token], reading.rating, None):
                return None
            in_label = True
        elif token.text in CLOSING and in_label:
            in_label = False
        elif token.text not in _RATING_FIRST_MARKS and token.text not in ("feeling", "for"):
            return None
    return None


def _next_start(line: Line, end: int, row: Row, *, is_before: bool) -> Prefix | None:
    """Where the next row of the line may begin; None where the rest belongs to this row."""
    depth, index = 0, None
    for at in range(end, len(line)):
        token = line[at]
        if token.kind is Kind.NAME and not depth and not is_before:
            return Prefix(at, index)
        if token.kind is Kind.NUMBER and not depth:
            if is_before:
                return Prefix(at) if at > end else None
            if index is not None or not _continues(line, at, row):
                return None
            index = token.ordinal
        elif not _may_stand_between(token.text, token.kind, depth):
            if token.kind not in ANCHORS and token.text not in NUMBER_WORDS:
                return None
            if not agrees([token], row.rating, row.item):
                return None
        depth += (token.text in OPENING) - (token.text in CLOSING and depth > 0)
    return None


def _continues(line: Line, at: int, row: Row) -> bool:
    """Whether a number is the list number after the row's own."""
    follows = row.index is not None and line[at].ordinal == row.index + 1
    return follows and at + 1 < len(line) and line[at + 1].text in _INDEX_MARKS


def _may_stand_between(text: str, kind: Kind, depth: int) -> bool:
    if kind is Kind.MARK:
        return text in _BETWEEN_MARKS
    if kind is Kind.WORD:
        return text in PREFIX_WORDS or (depth > 0 and text not in NUMBER_WORDS)
    return kind is Kind.SYMBOL
