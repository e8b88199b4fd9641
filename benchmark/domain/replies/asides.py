"""Lines beside the ratings: what is harmless, and what makes a reply doubtful.

Preambles, headings, totals, the legend and explanations are harmless. A further row, a loose
number, a correction, or a sentence that says another rating is not.
"""

from __future__ import annotations

from collections.abc import Mapping

from benchmark.domain.replies.atoms import entry_of, is_legend, is_total
from benchmark.domain.replies.tokens import Kind, Line, Token
from benchmark.domain.replies.values import is_quiet_tail
from benchmark.domain.replies.vocabulary import Vocabulary
from benchmark.domain.replies.words import CORRECTIONS, HEADINGS, ITEM_WORDS, MISSING_WORDS

_SEPARATORS = frozenset({":", "=", "-", "--", "→", "|", ","})


def disturbs(
    line: Line, ratings: Mapping[int, int], vocabulary: Vocabulary, *, is_after: bool
) -> str:
    """Why a line beside the ratings makes them doubtful; "" where it does not.

    `is_after` says that ratings stand before the line, so that it could correct them.
    """
    numbers = [token for token in line if token.kind is Kind.NUMBER]
    if not numbers:
        return "A line holds only a missing value." if is_missing_value(line) else ""
    if is_total(line) or is_listing(line):
        return ""
    if any(token.kind is Kind.NAME for token in line):
        return "" if _repeats(line, ratings) else "A sentence says another rating."
    if is_legend(line, vocabulary):
        return ""
    if is_foreign_row(line):
        return "Something is rated that was not asked."
    if entry_of(line, vocabulary):
        return "A number stands alone beside the ratings."
    words = {token.text for token in line}
    if is_after and not CORRECTIONS.isdisjoint(words):
        return "A sentence after the ratings corrects them."
    if is_after and len(numbers) > 1 and not ITEM_WORDS.isdisjoint(words):
        return "A sentence after the ratings gives an item a number."
    return ""


def is_listing(line: Line) -> bool:
    """The items repeated without ratings, with or without list numbers."""
    for at, token in enumerate(line):
        if token.kind is Kind.NUMBER:
            after = [following.text for following in line[at + 1 : at + 2]]
            named = at + 2 < len(line) and line[at + 2].kind is Kind.NAME
            if after not in (["."], [")"], ["]"]) or not named:
                return False
        elif token.kind not in (Kind.MARK, Kind.SYMBOL, Kind.NAME):
            return False
    return any(token.kind is Kind.NAME for token in line)


def is_missing_value(line: Line) -> bool:
    """ "N/A" where a number would stand."""
    words = [token.text for token in line if token.kind not in (Kind.MARK, Kind.SYMBOL)]
    return bool(words) and len(words) <= 2 and MISSING_WORDS.issuperset(words)


def _repeats(line: Line, ratings: Mapping[int, int]) -> bool:
    """Whether every number of a sentence with names is the rating of the name it belongs to."""
    names: list[Token] = []
    early: list[int | None] = []
    for token in line:
        if token.kind is Kind.NAME:
            if not names and any(value != ratings[token.value or 0] for value in early):
                return False
            names.append(token)
        elif token.kind is Kind.NUMBER and not names:
            early.append(token.value)
        elif token.kind is Kind.NUMBER and token.value != ratings[names[-1].value or 0]:
            return False
    return True


def is_foreign_row(line: Line) -> bool:
    """Whether a line rates something that is not an item: "21. Happy: 4", "Happy 4"."""
    start = _after_list_number(line)
    number = next((at for at in range(start, len(line)) if line[at].kind is Kind.NUMBER), None)
    if number is None or number == start:
        return False
    subject = [token for token in line[start:number] if token.kind is not Kind.SYMBOL]
    words = [token for token in subject if token.kind is not Kind.MARK]
    marks = [token.text for token in subject if token.kind is Kind.MARK]
    if not 0 < len(words) <= 8 or any(mark in ".!?;" for mark in marks):
        return False
    if len(words) == 1 and words[0].text in HEADINGS:
        return False
    is_separated = not _SEPARATORS.isdisjoint(marks)
    ends_as_heading = line[-1].text == ":"
    if (len(words) > 3 and not is_separated) or ends_as_heading:
        return False
    return is_quiet_tail(line, number + 1, line[number].value) or _has_denominator(line, number)


def _after_list_number(line: Line) -> int:
    at = 0
    while at < len(line) and line[at].kind in (Kind.MARK, Kind.SYMBOL):
        at += 1
    if at + 1 < len(line) and line[at].kind is Kind.NUMBER and line[at + 1].kind is Kind.MARK:
        return at + 2
    return at


def _has_denominator(line: Line, number: int) -> bool:
    after = line[number + 1 : number + 3]
    return len(after) == 2 and after[0].text == "/" and after[1].kind is Kind.NUMBER
