"""Lines that hold nothing but values: numbers, list numbers, labels, and the marks between them."""

from __future__ import annotations

from typing import NamedTuple

from benchmark.domain.replies.tokens import ANCHORS, Kind, Line
from benchmark.domain.replies.values import (
    after_denominator,
    is_quiet_tail,
    is_signed,
    read_value,
)
from benchmark.domain.replies.vocabulary import Vocabulary
from benchmark.domain.replies.words import INDEX_WORDS, TOTAL_WORDS, TOTALS, UNITS

_BULLETS = frozenset({*"-•·#|([{\"',", "--"})
_INDEX_MARKS = frozenset(".):")


class Atom(NamedTuple):
    """A number or a label with the marks after it, up to the next one or the end of the line.

    `value` is None for a number that is no whole one ("3.5", "-3", "3rd"); `ordinal` is the same
    as a list number, which may be padded; `is_whole` tells a whole label from a part of one.
    """

    value: int | None
    is_label: bool = False
    marks: tuple[str, ...] = ()
    item: int | None = None
    is_index: bool = False
    is_whole: bool = False
    ordinal: int | None = None


class Entry(NamedTuple):
    """The atoms of one line; `has_lead` where words and a colon stand before them."""

    atoms: tuple[Atom, ...]
    has_lead: bool = False


def entry_of(line: Line, vocabulary: Vocabulary) -> Entry | None:
    """A line as values; None where it is a sentence, a heading, a total or names an item."""
    kinds = {token.kind for token in line}
    if Kind.NAME in kinds or is_total(line):
        return None
    if Kind.WORD not in kinds:
        return _entry(read_atoms(line, vocabulary))
    return (
        _entry(read_atoms(line, vocabulary))
        or _explained_row(line, vocabulary)
        or _after_lead(line, vocabulary)
    )


def _entry(atoms: list[Atom] | None) -> Entry | None:
    return Entry(tuple(atoms)) if atoms else None


def read_atoms(line: Line, vocabulary: Vocabulary) -> list[Atom] | None:
    """The atoms of a line; None where a word stands in it that is no part of a list."""
    atoms: list[Atom] = []
    at, is_index = 0, False
    while at < len(line):
        token = line[at]
        following = at + 1
        if token.kind is Kind.MARK:
            atoms[-1:] = [_with_mark(atom, token.text) for atom in atoms[-1:]]
        elif token.kind is Kind.WORD:
            if not _is_list_word(line, at, bool(atoms)):
                return None
            is_index = token.text in INDEX_WORDS
        elif token.kind is not Kind.SYMBOL:
            is_plain = bool(atoms) or _begins_plainly(line, at)
            atoms.append(_atom(line, at, is_index=is_index) if is_plain else Atom(None))
            is_index = False
            if token.kind is Kind.NUMBER:
                following = after_denominator(line, following, vocabulary.high)
        at = following
    return atoms


def _with_mark(atom: Atom, mark: str) -> Atom:
    return atom._replace(marks=(*atom.marks, mark))


def _is_list_word(line: Line, at: int, has_atoms: bool) -> bool:
    text = line[at].text
    if has_atoms and (text in UNITS or text == "and"):
        return True
    ahead = line[at + 1 : at + 3]
    is_before_number = any(token.kind is Kind.NUMBER for token in ahead)
    return text in INDEX_WORDS and is_before_number


def _atom(line: Line, at: int, *, is_index: bool) -> Atom:
    token = line[at]
    if token.kind in ANCHORS:
        is_whole = token.kind is not Kind.ALIAS
        return Atom(token.value, True, (), token.item, False, is_whole)
    if token.kind is Kind.MIXED and token.text[0] == "q" and token.text[1:].isdecimal():
        return Atom(None, is_index=True, ordinal=int(token.text[1:5]))
    if token.kind is not Kind.NUMBER or is_signed(line, at):
        return Atom(None)
    return Atom(token.value, is_index=is_index, ordinal=token.ordinal)


def _begins_plainly(line: Line, at: int) -> bool:
    """Whether only bullets, brackets and list words precede the first value (not "~3")."""
    return all(token.kind is not Kind.MARK or token.text in _BULLETS for token in line[:at])


def _explained_row(line: Line, vocabulary: Vocabulary) -> Entry | None:
    """ "1. 3 - because …": a list number, one rating and words that leave it alone."""
    at = 0
    while at < len(line) and (line[at].text in _BULLETS or line[at].text in INDEX_WORDS):
        at += 1
    if at + 1 >= len(line) or line[at].kind is not Kind.NUMBER or is_signed(line, at):
        return None
    if line[at + 1].text not in _INDEX_MARKS:
        return None
    reading = read_value(line, at + 2, vocabulary)
    if reading is None or reading.by_label:
        return None
    if not is_quiet_tail(line, reading.end, reading.rating):
        return None
    count = line[at].ordinal
    statements = [token for token in line[reading.end :] if token.kind is Kind.STATEMENT]
    if any(token.item is None or token.item + 1 != count for token in statements):
        return None
    return Entry((Atom(None, marks=(".",), ordinal=count), Atom(reading.rating)))


def _after_lead(line: Line, vocabulary: Vocabulary) -> Entry | None:
    """ "My ratings: 3, 2, …": what follows the last colon, if words precede it."""
    colon = max(at for at in range(len(line)) if at == 0 or line[at].text == ":")
    if not any(token.kind is Kind.WORD for token in line[:colon]):
        return None
    atoms = read_atoms(line[colon + 1 :], vocabulary)
    return Entry(tuple(atoms), has_lead=True) if atoms else None


def is_total(line: Line) -> bool:
    """ "Total: 52", "Positive affect: 28"."""
    words = [token.text for token in line if token.kind is Kind.WORD]
    names = any(token.kind is Kind.NAME for token in line)
    return (
        bool(words) and not names and TOTAL_WORDS.issuperset(words) and not TOTALS.isdisjoint(words)
    )


def is_legend(line: Line, vocabulary: Vocabulary) -> bool:
    """Values of the scale beside their own labels: "1 = not at all, 2 = a little"."""
    atoms = read_atoms(line, vocabulary)
    return bool(atoms) and legend_values(atoms or []) is not None


def legend_values(atoms: list[Atom]) -> list[int] | None:
    """The values that a legend explains, in its order; None where the atoms are no legend."""
    if len(atoms) % 2 or len({atom.is_label for atom in atoms[::2]}) > 1:
        return None
    pairs = list(zip(atoms[::2], atoms[1::2], strict=True))
    if any(one.is_label is other.is_label or one.value != other.value for one, other in pairs):
        return None
    return [one.value for one, _ in pairs if one.value is not None]


def is_blank(line: Line) -> bool:
    """Whether a line holds nothing but marks: a rule, a fence."""
    return all(token.kind in (Kind.MARK, Kind.SYMBOL) for token in line)
