"""The grammar of one rating: what may stand between an item and its number, and what may follow.

The rule is that a reader could not doubt it. A sign, a range, a hedge, a second number or a label
that contradicts the number leaves no rating at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from benchmark.domain.replies.tokens import ANCHORS, Kind, Line, Token
from benchmark.domain.replies.vocabulary import Vocabulary
from benchmark.domain.replies.words import (
    DENIALS,
    HEDGES,
    LEAD_WORDS,
    NUMBER_WORDS,
    OF_WORDS,
    REASONS,
    UNITS,
)

SEPARATORS = frozenset({*':-=|,;→.()[]{}"/', "'", "--", "..", "=="})
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
QUIET_MARKS = frozenset({*".,;:!-()[]{}\"'|→=", "--", ".."})


class Reading(NamedTuple):
    """One rating, whether words alone gave it, and the position after it."""

    rating: int
    by_label: bool
    end: int


@dataclass
class _Lead:
    """What stands before the number: labels, words outside the grammar, brackets, table cells."""

    position: int
    anchors: list[Token] = field(default_factory=list)
    foreign: int = 0
    foreign_outside: int = 0
    last_anchor: int = 0
    in_cell: bool = False


def read_value(
    line: Line, start: int, vocabulary: Vocabulary, item: int | None = None
) -> Reading | None:
    """The rating that begins at a position after its item, or None."""
    lead = _read_lead(line, start)
    if lead is None:
        return None
    at = lead.position
    if at == len(line) or line[at].kind is Kind.NAME:
        return _label_alone(lead, item)
    if is_signed(line, at) or not agrees(lead.anchors, line[at].value, item):
        return None
    if lead.foreign and (item is None or not _is_bracketed_gloss(line, at, lead, vocabulary)):
        return None
    return read_number(line, at, vocabulary)


def read_number(line: Line, at: int, vocabulary: Vocabulary) -> Reading | None:
    """The number at a position with its denominator and unit, where it is on the scale."""
    token = line[at]
    if token.kind is not Kind.NUMBER or token.value is None or not vocabulary.holds(token.value):
        return None
    end = after_denominator(line, at + 1, vocabulary.high)
    if end < len(line) and line[end].text in UNITS:
        end = after_denominator(line, end + 1, vocabulary.high)
    return Reading(token.value, False, end)


def is_signed(line: Line, at: int) -> bool:
    """Whether a minus or a decimal point belongs to the number ("-3", ".3"; not "name-3")."""
    if at > 1 and line[at - 1].text == "-" and line[at - 2].text in (":", "=", "|"):
        return True
    if at == 0 or not line[at].glued:
        return False
    if line[at - 1].text == ".":
        return True
    after_name = at > 1 and line[at - 1].glued and line[at - 2].kind is Kind.NAME
    return line[at - 1].text == "-" and not after_name


def agrees(anchors: list[Token], rating: int | None, item: int | None) -> bool:
    """Whether every label, statement or number word says the same rating of the same item."""
    return all(
        NUMBER_WORDS.get(anchor.text, anchor.value) == rating
        and (anchor.item is None or item is None or anchor.item == item)
        for anchor in anchors
    )


def is_quiet_tail(line: Line, start: int, rating: int | None, item: int | None = None) -> bool:
    """Whether what follows a rating leaves it alone: nothing, its label, or an explanation."""
    tail = line[start:]
    if not tail:
        return True
    noisy = (Kind.NUMBER, Kind.MIXED, Kind.SPOILED)
    if any(token.kind in noisy for token in tail) or not _starts_quietly(tail):
        return False
    content = [token for token in tail if token.kind not in (Kind.MARK, Kind.SYMBOL)]
    if not content:
        return "?" not in {token.text for token in tail}
    first = content[0]
    if first.text in HEDGES or (_says_rating(first) and not agrees([first], rating, item)):
        return False
    pairs = pairwise(content)
    return not any(word.text in HEDGES and _says_rating(after) for word, after in pairs)


def _says_rating(token: Token) -> bool:
    return token.kind in ANCHORS or token.text in NUMBER_WORDS


def _starts_quietly(tail: Line) -> bool:
    first = tail[0]
    if first.kind is Kind.WORD:
        return first.text in REASONS
    if first.kind is not Kind.MARK:
        return True
    if first.text == "-" and first.glued and (len(tail) == 1 or tail[1].glued):
        return False  # "3-", "3-ish"
    leading = next((i for i, token in enumerate(tail) if token.kind is not Kind.MARK), len(tail))
    return all(token.text in QUIET_MARKS for token in tail[:leading])


def _read_lead(line: Line, start: int) -> _Lead | None:
    """Everything up to the first number, the next name or the end; None where it spoils them."""
    lead = _Lead(start)
    while lead.position < len(line):
        token = line[lead.position]
        if token.kind in (Kind.NUMBER, Kind.NAME):
            break
        if token.kind in (Kind.MIXED, Kind.SPOILED) or not _take_into_lead(lead, token):
            return None
        lead.position += 1
    return lead


def _take_into_lead(lead: _Lead, token: Token) -> bool:
    if token.kind is Kind.MARK:
        _note_mark(lead, token.text)
        return token.text in SEPARATORS
    if _says_rating(token):
        lead.anchors.append(token)
        lead.last_anchor = lead.position
    elif token.kind is Kind.WORD:
        if token.text in DENIALS or (token.text in HEDGES and token.text not in LEAD_WORDS):
            return False
        lead.foreign += token.text not in LEAD_WORDS
    return True


def _note_mark(lead: _Lead, mark: str) -> None:
    """Words in brackets, or in a table cell of their own, describe the item, not the rating."""
    if mark in OPENING:
        lead.foreign_outside = lead.foreign
    elif mark in CLOSING:
        lead.foreign = lead.foreign_outside
    elif mark == "|":
        lead.foreign = 0 if lead.in_cell else lead.foreign
        lead.in_cell = True


def _label_alone(lead: _Lead, item: int | None) -> Reading | None:
    """A rating in words: exactly one whole label (or statement of the item) and nothing else."""
    if len(lead.anchors) != 1 or lead.foreign:
        return None
    anchor = lead.anchors[0]
    if anchor.kind not in (Kind.LABEL, Kind.STATEMENT) or anchor.value is None:
        return None
    if not agrees([anchor], anchor.value, item):
        return None
    return Reading(anchor.value, True, lead.last_anchor + 1)


def _is_bracketed_gloss(line: Line, at: int, lead: _Lead, vocabulary: Vocabulary) -> bool:
    """ "somewhat (3)": a few words beside a number whose own label is not known."""
    unlabelled = line[at].value not in vocabulary.labelled
    return unlabelled and lead.foreign <= 6 and line[at - 1].text in OPENING


def after_denominator(line: Line, start: int, high: int) -> int:
    """The position after "/5", "out of 5" or "(of 5)", or the start where none stands there."""
    at = start
    while at < len(line) and line[at].text in (*OPENING, *CLOSING, '"', "'"):
        at += 1
    words = [token.text for token in line[at : at + 2]]
    if words == ["out", "of"]:
        at += 2
    elif words and (words[0] == "/" or words[0] in OF_WORDS):
        at += 1
    else:
        return start
    if at < len(line) and line[at].kind is Kind.NUMBER and line[at].value == high:
        return at + 1
    return start
