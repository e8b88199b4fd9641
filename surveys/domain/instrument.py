"""What a questionnaire is: items, response options, subscales and how they are scored.

An instrument is data. These classes hold a validated one; `instrument_files` reads it from the
shipped JSON. The sentences of some instruments belong to their authors and are not shipped:
such an instrument has items without text and cannot be given to anybody until they are brought.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class InstrumentError(ValueError):
    """An instrument contradicts itself; the message names what and where."""


class Scoring(StrEnum):
    """How the ratings of a subscale become one number."""

    SUM = "sum"
    MEAN = "mean"
    DOUBLED_SUM = "doubled_sum"


@dataclass(frozen=True, slots=True)
class ResponseOption:
    """One answer that can be chosen: the integer it counts as and the words beside it."""

    value: int
    label: str


@dataclass(frozen=True, slots=True)
class Item:
    """One word or statement. `options` replaces the instrument's own where they differ."""

    key: str
    text: str
    options: tuple[ResponseOption, ...] | None = None


@dataclass(frozen=True, slots=True)
class Subscale:
    """A named set of items that yields one score."""

    key: str
    name: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Instrument:
    """A validated questionnaire.

    `options` are in ascending value and contiguous. `reverse` names the items that count as
    `lowest + highest - rating`. `emotion` is the emotion that the study pairs it with, or "".
    """

    key: str
    version: str
    name: str
    aliases: tuple[str, ...]
    items: tuple[Item, ...]
    options: tuple[ResponseOption, ...]
    subscales: tuple[Subscale, ...]
    reverse: frozenset[str]
    scoring: Scoring
    instruction: str
    prompt: str
    emotion: str
    source: str
    licence: str

    def __post_init__(self) -> None:
        _check(self)

    @property
    def lowest(self) -> int:
        return self.options[0].value

    @property
    def highest(self) -> int:
        return self.options[-1].value

    @property
    def item_keys(self) -> tuple[str, ...]:
        return tuple(item.key for item in self.items)

    @property
    def is_complete(self) -> bool:
        """Whether every item has its words, so that it can be given to somebody."""
        return all(item.text for item in self.items)

    def item(self, key: str) -> Item:
        """The item with this key; KeyError where there is none."""
        for item in self.items:
            if item.key == key:
                return item
        raise KeyError(key)

    def options_of(self, item: Item) -> tuple[ResponseOption, ...]:
        return item.options or self.options

    def with_texts(self, texts: dict[str, str]) -> Instrument:
        """The same instrument with the given item texts; InstrumentError unless all are there."""
        missing = [key for key in self.item_keys if not texts.get(key, "").strip()]
        extra = sorted(set(texts) - set(self.item_keys))
        if missing or extra:
            raise InstrumentError(f"{self.key}: item texts missing {missing}, unknown {extra}")
        items = tuple(replace(item, text=texts[item.key].strip()) for item in self.items)
        return replace(self, items=items)


def _check(instrument: Instrument) -> None:
    keys = list(instrument.item_keys)
    _require(bool(keys), instrument, "has no items")
    _require(len(set(keys)) == len(keys), instrument, "names an item twice")
    _require(len(instrument.options) >= 2, instrument, "needs at least two response options")
    for options in [instrument.options, *(i.options for i in instrument.items if i.options)]:
        values = [option.value for option in options]
        expected = list(range(instrument.lowest, instrument.highest + 1))
        _require(values == expected, instrument, f"has options {values}, expected {expected}")
    _require(bool(instrument.subscales), instrument, "has no subscales")
    names = [subscale.key for subscale in instrument.subscales]
    _require(len(set(names)) == len(names), instrument, "names a subscale twice")
    for subscale in instrument.subscales:
        unknown = [key for key in subscale.items if key not in keys]
        _require(not unknown, instrument, f"subscale {subscale.key} has unknown items {unknown}")
        _require(bool(subscale.items), instrument, f"subscale {subscale.key} has no items")
        repeated = len(set(subscale.items)) != len(subscale.items)
        _require(not repeated, instrument, f"subscale {subscale.key} names an item twice")
    unknown_reverse = sorted(instrument.reverse - set(keys))
    _require(not unknown_reverse, instrument, f"reverses unknown items {unknown_reverse}")
    texts = [item.text.casefold() for item in instrument.items if item.text]
    _require(len(set(texts)) == len(texts), instrument, "has two items with the same words")


def _require(condition: bool, instrument: Instrument, message: str) -> None:
    if not condition:
        raise InstrumentError(f"{instrument.key or 'instrument'} {message}")
