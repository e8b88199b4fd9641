"""Ratings in JSON: by name, by number, as a list, in records; fenced or in the middle of prose.

A document that is not closed is never completed. Doubled keys, booleans, nulls and texts that are
no whole number leave no ratings.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from benchmark.domain.replies.outcome import Finding
from benchmark.domain.replies.tokens import whole_number
from benchmark.domain.replies.vocabulary import Vocabulary
from benchmark.domain.replies.words import NUMBER_KEYS, RATING_KEYS, SCALE_KEYS, TOTAL_WORDS, TOTALS

DEEPEST = 12

_STRUCTURE = re.compile(r'[{}\[\]"]|\\.', re.DOTALL)
_BEGINS_LIKE_JSON = re.compile(r'[{\[]\s{0,100}["{\[0-9]')
_INDEX_KEY = re.compile(r"(?:item|question|statement|q)?[ _.#-]{0,2}([0-9]{1,3})")
_CLOSER = {"{": "}", "[": "]"}


class Pairs(list[tuple[str, Any]]):
    """The pairs of an object in written order, doubled keys included."""


class NumberText(str):
    """A number as it is written: 3, 3.0, 3e0, NaN."""

    __slots__ = ()


class Value(NamedTuple):
    """One rating, and whether its label gave it."""

    rating: int
    by_label: bool


@dataclass
class Bag:
    """What the documents of a reply rate, by item and as lists, and what they should not hold."""

    by_item: list[tuple[int, Value | None]] = field(default_factory=list)
    lists: list[list[Value | None]] = field(default_factory=list)
    extras: list[str] = field(default_factory=list)


class Documents(NamedTuple):
    """What the JSON in a reply says, and the text without it; `finding` is None without JSON."""

    finding: Finding | None
    rest: str


def read_documents(text: str, vocabulary: Vocabulary) -> Documents:
    """The ratings in the JSON documents of a readable text."""
    spans, unclosed = find_spans(text)
    bag, pieces, position = Bag(), [], 0
    for start, end in spans:
        one = Bag()
        document = _decode(text[start:end])
        if document is not None:
            _collect(document, vocabulary, one)
        if one.by_item or one.lists:
            bag.by_item += one.by_item
            bag.lists += one.lists
            bag.extras += one.extras
            pieces.append(text[position:start])
            position = end
    rest = "\n".join([*pieces, text[position:]])
    if unclosed is not None and _BEGINS_LIKE_JSON.match(text, unclosed):
        return Documents(Finding(None, "The JSON ends before it is closed.", True), rest)
    if not bag.by_item and not bag.lists:
        return Documents(None, text)
    return Documents(_settle(bag, vocabulary), rest)


def find_spans(text: str) -> tuple[list[tuple[int, int]], int | None]:
    """Outermost bracketed spans in one pass, and where one begins that is never closed."""
    spans: list[tuple[int, int]] = []
    closers: list[str] = []
    start, deepest, in_string = 0, 0, False
    for match in _STRUCTURE.finditer(text):
        mark = match[0]
        if mark == '"':
            in_string = bool(closers) and not in_string
        elif in_string or len(mark) > 1:
            continue
        elif mark in _CLOSER:
            start, deepest = (start, deepest) if closers else (match.start(), 0)
            closers.append(_CLOSER[mark])
            deepest = max(deepest, len(closers))
        elif closers and closers.pop() != mark:
            closers.clear()
        elif not closers and deepest:
            spans += [(start, match.end())] if deepest <= DEEPEST else []
            deepest = 0
    return spans, start if closers else None


def _decode(text: str) -> Any:
    """A document with its numbers as text and its pairs in order; None where it is not JSON."""
    try:
        return json.loads(
            text,
            object_pairs_hook=Pairs,
            parse_int=NumberText,
            parse_float=NumberText,
            parse_constant=NumberText,
            strict=False,
        )
    except (ValueError, RecursionError):
        return None


def _collect(node: Any, vocabulary: Vocabulary, bag: Bag) -> None:
    if isinstance(node, Pairs):
        _collect_object(node, vocabulary, bag)
    elif all(not isinstance(element, list) for element in node):
        if len(node) == vocabulary.size:
            bag.lists.append([_value(element, vocabulary) for element in node])
        else:
            bag.extras.append("a list of another length")
    else:
        for element in node:
            _collect_element(element, vocabulary, bag)


def _collect_element(element: Any, vocabulary: Vocabulary, bag: Bag) -> None:
    """One element of a list of records, of objects, or of [name, rating] pairs."""
    if isinstance(element, Pairs):
        _collect_object(element, vocabulary, bag)
        return
    is_pair = isinstance(element, list) and len(element) == 2 and isinstance(element[0], str)
    item = vocabulary.item_called(element[0]) if is_pair else None
    if item is None:
        bag.extras.append("an element that names no item")
    else:
        bag.by_item.append((item, _value(element[1], vocabulary)))


def _collect_object(pairs: Pairs, vocabulary: Vocabulary, bag: Bag) -> None:
    if numbered := _numbered(pairs, vocabulary):
        bag.by_item += numbered
        return
    item = _record_item(pairs, vocabulary)
    if item is not None:
        bag.by_item.append((item, _record_value(pairs, vocabulary)))
        return
    for key, value in pairs:
        item = vocabulary.item_called(key)
        if item is not None:
            bag.by_item.append((item, _value(value, vocabulary)))
        elif isinstance(value, list):
            _collect(value, vocabulary, bag)
        elif not _is_note(key, value):
            bag.extras.append("a key that names no item")


def _numbered(pairs: Pairs, vocabulary: Vocabulary) -> list[tuple[int, Value | None]]:
    """{"1": 3, "2": 2, …} with every number from 1 on; the empty list for anything else."""
    matches = [_INDEX_KEY.fullmatch(key.casefold().strip()) for key, _ in pairs]
    numbers = [int(match[1]) for match in matches if match]
    if sorted(numbers) != list(range(1, vocabulary.size + 1)) or len(numbers) != len(pairs):
        return []
    values = [_value(value, vocabulary) for _, value in pairs]
    return [(number - 1, value) for number, value in zip(numbers, values, strict=True)]


def _record_item(pairs: Pairs, vocabulary: Vocabulary) -> int | None:
    """The item of {"item": "Interested", "rating": 3}, or of {"item": 1, "rating": 3}."""
    keys = [key.casefold() for key, _ in pairs]
    if any(vocabulary.item_called(key) is not None for key in keys):
        return None
    named = [
        item
        for _, value in pairs
        if isinstance(value, str) and not isinstance(value, NumberText)
        if (item := vocabulary.item_called(value)) is not None
    ]
    if named:
        return named[0] if len(named) == 1 else None
    if RATING_KEYS.isdisjoint(keys):
        return None
    numbers = [
        whole_number(value)
        for key, value in pairs
        if key.casefold() in NUMBER_KEYS and isinstance(value, NumberText)
    ]
    number = numbers[0] if len(numbers) == 1 else None
    return None if number is None or not 1 <= number <= vocabulary.size else number - 1


def _record_value(pairs: Pairs, vocabulary: Vocabulary) -> Value | None:
    """The one rating of a record; None where there are several, or its label contradicts it."""
    rated = [value for key, value in pairs if key.casefold() in RATING_KEYS]
    others = [
        value
        for key, value in pairs
        if key.casefold() not in RATING_KEYS | NUMBER_KEYS | SCALE_KEYS
        and not (isinstance(value, str) and not isinstance(value, NumberText))
    ]
    candidates = rated + others
    if len(candidates) != 1:
        return None
    value = _value(candidates[0], vocabulary)
    labels = {
        vocabulary.label_rating(text)
        for key, text in pairs
        if isinstance(text, str) and key.casefold() not in RATING_KEYS
    } - {None}
    return value if value and labels <= {value.rating} else None


def _value(value: Any, vocabulary: Vocabulary) -> Value | None:
    """A rating on the scale: a whole number, a text of digits alone, or a whole label."""
    if isinstance(value, Pairs):
        return _record_value(value, vocabulary)
    if not isinstance(value, str):
        return None
    is_digits = isinstance(value, NumberText) or value.strip().isdecimal()
    if is_digits:
        rating = whole_number(value.strip())
        return Value(rating, False) if rating is not None and vocabulary.holds(rating) else None
    rating = vocabulary.label_rating(value)
    return None if rating is None else Value(rating, True)


def _is_note(key: str, value: Any) -> bool:
    """A text that holds no number by itself, or a total."""
    if isinstance(value, NumberText):
        words = key.casefold().replace("_", " ").split()
        return TOTAL_WORDS.issuperset(words) and not TOTALS.isdisjoint(words)
    return isinstance(value, str) and not value.strip().isdecimal()


def _settle(bag: Bag, vocabulary: Vocabulary) -> Finding:
    if bag.extras:
        return Finding(None, f"The JSON holds {bag.extras[0]}.", True)
    if len(bag.lists) + bool(bag.by_item) > 1:
        return Finding(None, "The JSON holds ratings more than once.", True)
    values = bag.lists[0] if bag.lists else _one_each(bag, vocabulary)
    if values is None:
        return Finding(None, "The JSON does not rate every item exactly once.", True)
    found = [value for value in values if value is not None]
    if len(found) < len(values):
        place = next(place for place, value in enumerate(values, 1) if value is None)
        return Finding(None, f"The JSON value of item {place} is no whole rating.", True)
    if len({value.by_label for value in found}) > 1:
        return Finding(None, "Some ratings are numbers and some only labels.", True)
    return Finding(tuple(value.rating for value in found), is_attempt=True)


def _one_each(bag: Bag, vocabulary: Vocabulary) -> list[Value | None] | None:
    values = dict(bag.by_item)
    if len(values) < len(bag.by_item) or len(values) < vocabulary.size:
        return None
    return [values[item] for item in range(vocabulary.size)]
