"""Cells of statistics: what one respondent source answered at one place of the catalogue.

A place is everything, an emotion, a factor or a situation. Rows of scores, or the figures of a
published table, become the same `SourceCells`; every comparison starts from these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from benchmark.domain.statistics import ClusteredMoments, Moments


class Level(StrEnum):
    """How finely a comparison is cut; each holds the rows of those before it."""

    OVERALL = "overall"
    EMOTION = "emotion"
    FACTOR = "factor"
    SITUATION = "situation"

    @property
    def depth(self) -> int:
        return list(Level).index(self)


class Kind(StrEnum):
    """What a source's respondents are; comparisons list them in this order."""

    PEOPLE = "people"
    MODEL = "model"
    BASELINE = "baseline"


class Origin(StrEnum):
    """Where a source's figures come from."""

    OWN = "own"
    IMPORTED = "imported"
    PUBLISHED = "published"


class Place(NamedTuple):
    """A place in the catalogue; what is None is pooled over."""

    emotion: str | None = None
    factor: str | None = None
    situation: str | None = None

    @property
    def level(self) -> Level:
        return list(Level)[sum(part is not None for part in self)]

    @property
    def label(self) -> str:
        """The place's own name, as a row of a table shows it."""
        return self.situation or self.factor or self.emotion or "Overall"


OVERALL = Place()


@dataclass(frozen=True, slots=True)
class Cell:
    """One subscale at one place. `n` of `evoked` counts people or trials.

    `change` is people's change within person, None for models, whose change is the evoked cell
    against the pooled default. `clusters` counts situations; `variance_of_mean` is the CR1
    variance of the change (people) or of the evoked mean (models), see ClusteredMoments.
    """

    evoked: Moments
    change: Moments | None = None
    clusters: int = 0
    variance_of_mean: float | None = None

    @property
    def clustered(self) -> ClusteredMoments:
        moments = self.evoked if self.change is None else self.change
        return ClusteredMoments(moments, self.clusters, self.variance_of_mean)


@dataclass(frozen=True, slots=True)
class Source:
    """A respondent source: a column of a comparison.

    `key` identifies it in addresses, `name` heads its column, `group` is the name that several
    runs of one model share. `counts` are settled trials (or participants) by state; `missing` are
    planned ones without an answer yet or in the source. `detail` tells runs of a model apart.
    """

    key: str
    name: str
    kind: Kind
    origin: Origin
    instrument: str
    group: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    missing: int = 0
    is_partial: bool = False
    detail: str = ""
    citation: str = ""


@dataclass(frozen=True, slots=True)
class SourceCells:
    """Everything a comparison needs of a source, by place and subscale key."""

    source: Source
    default: Mapping[str, Moments]
    cells: Mapping[tuple[Place, str], Cell]

    def places(self) -> set[Place]:
        return {place for place, _ in self.cells}


class PlaceOrder:
    """Places in catalogue order: everything, then each emotion before its factors and so on.

    `emotions` and `factors` (pairs of emotion and factor) come in the catalogue's order; places it
    does not know follow by name.
    """

    def __init__(self, emotions: list[str], factors: list[tuple[str, str]]) -> None:
        self._emotions = {name: i for i, name in enumerate(emotions)}
        self._factors = {pair: i for i, pair in enumerate(factors)}

    def sort(self, places: set[Place]) -> list[Place]:
        return sorted(places, key=self._key)

    def _key(self, place: Place) -> tuple[object, ...]:
        emotion, factor = place.emotion or "", place.factor or ""
        unknown = len(self._emotions) + len(self._factors)
        return (
            place.emotion is not None,
            self._emotions.get(emotion, unknown),
            emotion,
            place.factor is not None,
            self._factors.get((emotion, factor), unknown),
            factor,
            place.situation is not None,
            _natural(place.situation or ""),
        )


def _natural(code: str) -> tuple[tuple[int, str], ...]:
    """Sort key under which scenario-10 follows scenario-9."""
    parts = code.replace("_", "-").split("-")
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts)
