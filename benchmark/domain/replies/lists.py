"""Ratings by position: exactly as many values as items, standing alone, in one block.

Three readings are tried: values ("3, 2, 1"), list numbers with values ("1. 3"), and labels alone.
A block counts only if exactly one of them fits it from its first value to its last.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.domain.replies.asides import disturbs, is_listing
from benchmark.domain.replies.atoms import Atom, Entry, entry_of, is_blank, legend_values
from benchmark.domain.replies.outcome import Finding
from benchmark.domain.replies.tokens import Kind, Line
from benchmark.domain.replies.vocabulary import Vocabulary

_VALUE_MARKS = frozenset(",;|.()[]{}\"'")
_PAIR_MARKS = frozenset({*".):-=|→]([,\"'", "--"})
_FIRM_PAIR_MARKS = frozenset({*".):=→-", "--"})
_GLOSS_MARKS = frozenset({*"-=:([,.|→\"'", "--"})
FEW = 3

Ratings = tuple[int, ...]


def read_list(lines: Sequence[Line], vocabulary: Vocabulary) -> Finding:
    """The ratings of a reply whose values stand alone, in presented order."""
    entries = [entry_of(line, vocabulary) for line in lines]
    finding = _read_block(lines, entries, vocabulary)
    if finding.ratings is None and (start := _after_legend(entries, vocabulary)):
        without = _read_block(lines[start:], entries[start:], vocabulary)
        finding = without if without.ratings else finding
    return finding


def _read_block(
    lines: Sequence[Line], entries: Sequence[Entry | None], vocabulary: Vocabulary
) -> Finding:
    places = [place for place, entry in enumerate(entries) if entry]
    block = [entry for entry in entries if entry]
    count = sum(not atom.is_label for entry in block for atom in entry.atoms)
    is_attempt = count >= FEW
    if not block:
        return Finding(None, "No rating was found.")
    inside = range(places[0], places[-1] + 1)
    if any(not entries[place] and not is_blank(lines[place]) for place in inside):
        return Finding(None, "The numbers do not stand in one block.", is_attempt)
    if any(entry.has_lead for entry in block[1:]):
        return Finding(None, "The numbers stand in several labelled groups.", is_attempt)
    found = _readings(block, vocabulary)
    if len(found) != 1:
        reason = f"The numbers that stand alone are not one for each of {vocabulary.size} items."
        return Finding(None, reason, is_attempt)
    ratings = found.pop()
    outside = [(line, place > places[0]) for place, line in enumerate(lines) if place not in inside]
    return _with_asides(ratings, outside, vocabulary)


def _with_asides(
    ratings: Ratings, outside: Sequence[tuple[Line, bool]], vocabulary: Vocabulary
) -> Finding:
    listed = [
        token.value
        for line, _ in outside
        if is_listing(line)
        for token in line
        if token.kind is Kind.NAME
    ]
    if listed and listed != list(range(vocabulary.size)):
        return Finding(None, "The items are listed in another order than they were asked.", True)
    by_item = dict(enumerate(ratings))
    for line, is_after in outside:
        if reason := disturbs(line, by_item, vocabulary, is_after=is_after):
            return Finding(None, reason, True)
    return Finding(ratings, is_attempt=True)


def _readings(block: Sequence[Entry], vocabulary: Vocabulary) -> set[Ratings]:
    atoms = [atom for entry in block for atom in entry.atoms]
    one_a_line = all(sum(not atom.is_label for atom in entry.atoms) == 2 for entry in block)
    tried = (
        _as_values(atoms, vocabulary),
        _as_pairs(atoms, vocabulary, one_a_line=one_a_line),
        _as_labels(atoms, vocabulary),
    )
    return {ratings for ratings in tried if ratings and len(ratings) == vocabulary.size}


def _as_values(atoms: Sequence[Atom], vocabulary: Vocabulary) -> Ratings | None:
    """ "3, 2, 1", each perhaps with its own label; never a mere count "1. 2. 3."."""
    ratings: list[int] = []
    place = 0
    while place < len(atoms):
        if atoms[place].is_index:
            return None
        width = _value_width(atoms, place, len(ratings), vocabulary)
        if not width:
            return None
        ratings.append(atoms[place].value or 0)
        place += width
    marks = {mark for atom in atoms for mark in atom.marks}
    is_count = len(ratings) > 1 and ratings == list(range(1, len(ratings) + 1))
    return None if is_count and not marks.isdisjoint((".", ")")) else tuple(ratings)


def _value_width(atoms: Sequence[Atom], place: int, item: int, vocabulary: Vocabulary) -> int:
    """How many atoms a rating takes, one or two with its label; 0 where none stands there."""
    atom = atoms[place]
    if atom.is_label or not vocabulary.holds(atom.value):
        return 0
    label = atoms[place + 1] if place + 1 < len(atoms) else None
    if label is None or not label.is_label:
        return int(_VALUE_MARKS.issuperset(atom.marks))
    is_own = label.value == atom.value and label.item in (None, item)
    are_quiet = _GLOSS_MARKS.issuperset(atom.marks) and _VALUE_MARKS.issuperset(label.marks)
    return 2 if is_own and are_quiet else 0


def _as_pairs(atoms: Sequence[Atom], vocabulary: Vocabulary, *, one_a_line: bool) -> Ratings | None:
    """ "1. 3": list numbers from 1 on without a gap, each with its rating."""
    ratings: list[int] = []
    place = 0
    while place + 1 < len(atoms):
        number = atoms[place]
        if number.is_label or number.ordinal != len(ratings) + 1 or atoms[place + 1].is_index:
            return None
        is_firm = one_a_line or number.is_index or not _FIRM_PAIR_MARKS.isdisjoint(number.marks)
        width = _value_width(atoms, place + 1, len(ratings), vocabulary)
        if not width or not is_firm or not _PAIR_MARKS.issuperset(number.marks):
            return None
        ratings.append(atoms[place + 1].value or 0)
        place += 1 + width
    return tuple(ratings) if place == len(atoms) else None


def _as_labels(atoms: Sequence[Atom], vocabulary: Vocabulary) -> Ratings | None:
    """Whole labels alone, one for each item, with or without list numbers."""
    labels = [atom for atom in atoms if atom.is_label]
    numbers = [atom.ordinal for atom in atoms if not atom.is_label]
    if not all(label.is_whole and label.item in (None, item) for item, label in enumerate(labels)):
        return None
    if not all(_VALUE_MARKS.issuperset(label.marks) for label in labels):
        return None
    if numbers:
        in_turn = [atom.is_label for atom in atoms] == [False, True] * len(labels)
        if not in_turn or numbers != list(range(1, len(labels) + 1)):
            return None
    return tuple(label.value for label in labels if label.value is not None)


def _after_legend(entries: Sequence[Entry | None], vocabulary: Vocabulary) -> int:
    """The place after the lines that explain the whole scale in order; 0 where there are none."""
    scale = list(range(vocabulary.low, vocabulary.high + 1))
    explained: list[int] = []
    for place, entry in enumerate(entries):
        values = legend_values(list(entry.atoms)) if entry else None
        if values is None:
            if explained:
                return 0
            continue
        explained += values
        if explained in (scale, scale[::-1]):
            return place + 1
    return 0
