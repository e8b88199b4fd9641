"""What one respondent goes through, said once for people and for language models.

A protocol is an instrument, the situations to imagine, and the order of the items, which is the
same in both phases. Its steps are rendered as pages (surveys.views) and as prompts
(benchmark.domain.prompts); both answer with the same `Answers`, which score to the same
`Administration`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from surveys.domain.instrument import Instrument, Item
from surveys.domain.scoring import score


class ProtocolError(ValueError):
    """A protocol that cannot be carried out; the message says why."""


class Phase(StrEnum):
    """Before any situation, or after imagining one."""

    DEFAULT = "default"
    EVOKED = "evoked"


class ItemOrder(StrEnum):
    """As the instrument prints them, or drawn once for each respondent."""

    FIXED = "fixed"
    PERMUTED = "permuted"


@dataclass(frozen=True, slots=True)
class ImaginedSituation:
    """One version of a situation. `key` identifies the version in storage."""

    key: int
    text: str


@dataclass(frozen=True, slots=True)
class Imagine:
    """A step: read the situation and imagine it."""

    situation: ImaginedSituation


@dataclass(frozen=True, slots=True)
class Measure:
    """A step: rate every item, in this order, in this phase.

    `situation` is the one imagined before, None in the default phase.
    """

    phase: Phase
    items: tuple[Item, ...]
    situation: ImaginedSituation | None


Step = Imagine | Measure


@dataclass(frozen=True, slots=True)
class Administration:
    """One respondent filling one instrument once: what people and models share.

    `item_order` are item keys in the order shown; `ratings` and `scores` are keyed by item and
    by subscale.
    """

    phase: Phase
    situation: ImaginedSituation | None
    item_order: tuple[str, ...]
    ratings: Mapping[str, int]
    scores: Mapping[str, int | Fraction]


@dataclass(frozen=True, slots=True)
class Protocol:
    """The steps of one respondent.

    People answer the default measure, then imagine each situation and answer again. A model that
    is asked each measure in a fresh conversation gets protocols of one measure:
    `has_default=True` with no situation, or `has_default=False` with one.
    """

    instrument: Instrument
    item_order: tuple[str, ...]
    situations: tuple[ImaginedSituation, ...] = ()
    has_default: bool = True

    def __post_init__(self) -> None:
        if not self.instrument.is_complete:
            raise ProtocolError(f"{self.instrument.key} has items without their words")
        if sorted(self.item_order) != sorted(self.instrument.item_keys):
            raise ProtocolError(f"item order does not hold each item of {self.instrument.key} once")
        if not self.has_default and not self.situations:
            raise ProtocolError("a protocol needs a default measure or a situation")

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step in the order in which it is given."""
        items = tuple(self.instrument.item(key) for key in self.item_order)
        steps: list[Step] = []
        if self.has_default:
            steps.append(Measure(Phase.DEFAULT, items, None))
        for situation in self.situations:
            steps += [Imagine(situation), Measure(Phase.EVOKED, items, situation)]
        return tuple(steps)

    @property
    def measures(self) -> tuple[Measure, ...]:
        return tuple(step for step in self.steps if isinstance(step, Measure))

    def administer(self, measure: Measure, ratings_in_order: Sequence[int]) -> Administration:
        """Bind ratings given in presented order to their items and score them.

        Raises ScoringError where a rating is missing or off the scale.
        """
        if len(ratings_in_order) != len(self.item_order):
            raise ProtocolError(f"{len(ratings_in_order)} ratings for {len(self.item_order)} items")
        ratings = dict(zip(self.item_order, ratings_in_order, strict=True))
        scores = score(self.instrument, ratings)
        return Administration(measure.phase, measure.situation, self.item_order, ratings, scores)


def draw_item_order(
    instrument: Instrument, order: ItemOrder, rng: random.Random
) -> tuple[str, ...]:
    """The order in which one respondent sees the items, in all of their measures."""
    keys = list(instrument.item_keys)
    if order is ItemOrder.PERMUTED:
        rng.shuffle(keys)
    return tuple(keys)
