"""Lines of plain text as tokens: names, labels, numbers, words and marks.

The pattern matches something at every position and no part of it can fail after a long run, so
cutting a text into tokens is linear in its length.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from benchmark.domain.replies.characters import SPOILED, plain
from benchmark.domain.replies.vocabulary import (
    ALIAS_BASE,
    BLOCK,
    LABEL_BASE,
    NAME_BASE,
    STATEMENT_BASE,
    Vocabulary,
)
from benchmark.domain.replies.words import RANGE_WORDS, SCALE_WORDS


class Kind(Enum):
    """What a token is; ALIAS is a part of a label that means the same ("not at all")."""

    NAME = auto()
    LABEL = auto()
    ALIAS = auto()
    STATEMENT = auto()
    NUMBER = auto()
    WORD = auto()
    MIXED = auto()
    SPOILED = auto()
    MARK = auto()
    SYMBOL = auto()


class Token(NamedTuple):
    """`value` is the item of a name, the rating of a label, the integer of a number (None where
    it is not whole or too long to be one); `glued` says that no space precedes it."""

    kind: Kind
    text: str
    value: int | None = None
    glued: bool = False
    item: int | None = None

    @property
    def ordinal(self) -> int | None:
        """The number as a list number, which may be padded: 3 for "3" and "03"."""
        is_count = self.text.isdecimal() and len(self.text) <= 4
        return int(self.text) if self.kind is Kind.NUMBER and is_count else None


Line = Sequence[Token]

LONGEST_KEPT = 40
ANCHORS = (Kind.LABEL, Kind.ALIAS, Kind.STATEMENT)
PRIVATE = rf"[{chr(NAME_BASE)}-{chr(STATEMENT_BASE + BLOCK - 3)}]"

_TOKEN = re.compile(
    r" ?+(?:"
    rf"(?P<private>{PRIVATE})"
    r"|(?P<number>[0-9]++(?:\.[0-9]++){0,3}+(?![^\W_]))"
    r"|(?P<run>[^\W_]++(?:'[^\W\d_]++)?+)"
    r"|(?P<mark>-{1,3}>|={1,3}>|-{2,}+|\.{2,}+|={2,}+|[^ ])"
    r")"
)
_NAMED_TAG = re.compile(r"<(/?)([^\W\d][\w -]{0,60})>")
_WHOLE = re.compile(r"([0-9]{1,4})(?:\.0{1,6})?")
_PRIVATE_KINDS = {
    NAME_BASE: Kind.NAME,
    LABEL_BASE: Kind.LABEL,
    ALIAS_BASE: Kind.ALIAS,
    STATEMENT_BASE: Kind.STATEMENT,
}
_ARROWS = ("->", "=>")


def lines_of(text: str, vocabulary: Vocabulary) -> list[Line]:
    """The lines of readable text that hold anything, as tokens."""
    masked = vocabulary.mask(plain(_with_named_tags(text, vocabulary)))
    lines = (tokens_of(line, vocabulary) for line in masked.split("\n"))
    return [without_scale(line, vocabulary) for line in lines if line]


def _with_named_tags(text: str, vocabulary: Vocabulary) -> str:
    """Where items are tags ("<Upset>4</Upset>"), one that HTML also knows is an item too."""
    opened = {match[2] for match in _NAMED_TAG.finditer(text) if not match[1]}
    items = {name for name in opened if vocabulary.item_called(name) is not None}
    if len(items) < 2:
        return text
    return _NAMED_TAG.sub(
        lambda tag: tag[0] if tag[2] not in items else "\n" if tag[1] else f"\n{tag[2]} ", text
    )


def tokens_of(line: str, vocabulary: Vocabulary) -> Line:
    """The tokens of one masked line."""
    return [_token(match, vocabulary) for match in _TOKEN.finditer(line)]


def _token(match: re.Match[str], vocabulary: Vocabulary) -> Token:
    text = match[match.lastgroup or 0]
    glued = match.start() > 0 and match[0][0] != " "
    if match.lastgroup == "private":
        return _private_token(text, glued, vocabulary)
    if len(text) > LONGEST_KEPT:
        return _common_token(match.lastgroup, text, glued)
    return _kept_token(match.lastgroup, text, glued)


def _common_token(group: str | None, text: str, glued: bool) -> Token:
    """A token that is the same in every vocabulary."""
    if group == "number":
        return Token(Kind.NUMBER, text, whole_number(text), glued)
    if group == "run":
        has_digit = any(character.isdigit() for character in text)
        return Token(Kind.MIXED if has_digit else Kind.WORD, text, None, glued)
    if text.endswith(_ARROWS):
        text = "→"
    elif len(text) > 1:
        text = text[:2]  # a longer rule or leader means no more than the shortest
    return Token(_kind_of_mark(text), text, None, glued)


# Replies repeat a few hundred words, marks and numbers.
_kept_token = lru_cache(maxsize=8192)(_common_token)


def _private_token(text: str, glued: bool, vocabulary: Vocabulary) -> Token:
    code = ord(text)
    base = code - code % BLOCK
    kind, value = _PRIVATE_KINDS[base], code - base
    if kind is Kind.STATEMENT:
        item, rating = vocabulary.statements[value]
        return Token(kind, text, rating, glued, item)
    return Token(kind, text, value, glued)


def _kind_of_mark(text: str) -> Kind:
    if text == SPOILED:
        return Kind.SPOILED
    is_skin_tone = "\U0001f3fb" <= text <= "\U0001f3ff"
    if text != "°" and (is_skin_tone or unicodedata.category(text[0]) == "So"):
        return Kind.SYMBOL
    return Kind.MARK


def whole_number(text: str) -> int | None:
    """3 for "3" and "3.0"; None for "3.5", "03" and what is too long to be a rating."""
    match = _WHOLE.fullmatch(text)
    if match is None or (len(match[1]) > 1 and match[1][0] == "0"):
        return None
    return int(match[1])


def without_scale(line: Line, vocabulary: Vocabulary) -> Line:
    """A line without its mentions of the scale: "(1-5)", "on a scale of 1 to 5"."""
    if not any(token.text in RANGE_WORDS for token in line):
        return line
    kept: list[Token] = []
    position = 0
    while position < len(line):
        if _is_scale(line, position, vocabulary):
            position += 3
        else:
            kept.append(line[position])
            position += 1
    return kept if len(kept) < len(line) else line


def _is_scale(line: Line, at: int, vocabulary: Vocabulary) -> bool:
    if line[at].value != vocabulary.low or line[at].kind is not Kind.NUMBER:
        return False
    if at + 2 >= len(line) or line[at + 1].text not in RANGE_WORDS:
        return False
    end = line[at + 2]
    if end.kind is not Kind.NUMBER or end.value != vocabulary.high:
        return False
    before = [token.text for token in line[max(0, at - 3) : at]]
    after = [token.text for token in line[at + 3 : at + 5]]
    in_brackets = before[-1:] in (["("], ["["]) and after[:1] in ([")"], ["]"])
    return in_brackets or not SCALE_WORDS.isdisjoint(before) or "scale" in after
