"""From rows of scores to cells, with numpy: every level of the catalogue in a few passes.

A row is one answer after one situation. Rows of people carry the respondent and that person's
default scores, so that the change is taken within person; rows of models are compared with the
pooled default phase later, and need neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmark.domain.cells import Cell, Level, Place
from benchmark.domain.statistics import Moments

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]

# Scores are sums or means of integers: a spread this small is rounding, not variation.
NO_SPREAD = 1e-9


@dataclass(frozen=True, slots=True)
class Rows:
    """Evoked answers of one source.

    `situations` are the places (level situation) that `situation_of` (length n) points into.
    `evoked` is n x subscales. For people `respondents` (length n) numbers the persons from 0 and
    `default` is n x subscales, each row holding that person's default scores; None for models.
    """

    situations: Sequence[Place]
    situation_of: Sequence[int]
    evoked: Sequence[Sequence[float]]
    default: Sequence[Sequence[float]] | None = None
    respondents: Sequence[int] | None = None


def moments_of(values: Sequence[float]) -> Moments:
    """Count, mean and SD (n - 1) of a list of scores."""
    import numpy as np

    if not len(values):
        return Moments(0)
    array = np.asarray(values, dtype=float)
    return _moments(array, np.zeros(len(array), dtype=np.intp), 1)[0]


def group(rows: Rows, subscales: Sequence[str], *, level: Level) -> dict[tuple[Place, str], Cell]:
    """Cells of every place down to `level`, by place and subscale.

    Overall and emotions pool rows, they do not average averages. A person who imagined several
    situations of one place counts once there, with the mean of those answers.
    """
    import numpy as np

    cells: dict[tuple[Place, str], Cell] = {}
    if not len(rows.situation_of):
        return cells
    situation = np.asarray(rows.situation_of, dtype=np.intp)
    evoked = np.asarray(rows.evoked, dtype=float)
    change = None if rows.default is None else evoked - np.asarray(rows.default, dtype=float)
    for each in list(Level)[: level.depth + 1]:
        places, place_of_situation = _places_at(rows.situations, each)
        codes = place_of_situation[situation]
        grouped = _Level(codes, situation, len(places), rows.respondents)
        for s, subscale in enumerate(subscales):
            column = None if change is None else change[:, s]
            for i, cell in enumerate(grouped.cells(evoked[:, s], column)):
                if cell.evoked.n:
                    cells[places[i], subscale] = cell
    return cells


def _places_at(situations: Sequence[Place], level: Level) -> tuple[list[Place], Codes]:
    """The places of a level, and for each situation the index of the one that holds it."""
    import numpy as np

    index: dict[Place, int] = {}
    codes = [index.setdefault(Place(*place[: level.depth]), len(index)) for place in situations]
    return list(index), np.asarray(codes, dtype=np.intp)


class _Level:
    """One cut of the rows into places, with its clusters and its repeated respondents."""

    def __init__(
        self, codes: Codes, situation: Codes, places: int, respondents: Sequence[int] | None
    ) -> None:
        import numpy as np

        self.codes, self.situation, self.size = codes, situation, places
        self.pairs: Codes | None = None
        repeated = np.zeros(places, dtype=bool)
        if respondents is not None:
            persons = np.asarray(respondents, dtype=np.intp)
            pair = codes * (int(persons.max()) + 1) + persons
            _, first, self.pairs = np.unique(pair, return_index=True, return_inverse=True)
            self.person_codes = codes[first]
            people = np.bincount(self.person_codes, minlength=places)
            repeated = people < np.bincount(codes, minlength=places)
        self.repeated = repeated
        situations, first = np.unique(situation, return_index=True)
        self.cluster_place = codes[first]
        self.cluster_of = np.searchsorted(situations, situation)
        self.clusters = np.bincount(self.cluster_place, minlength=places)

    def cells(self, evoked: Floats, change: Floats | None) -> list[Cell]:
        """One cell a place, in the order of the places."""
        levels = self._moments(evoked)
        changes = None if change is None else self._moments(change)
        variances = self._variance_of_mean(evoked if change is None else change)
        return [
            Cell(
                evoked=levels[i],
                change=None if changes is None else changes[i],
                clusters=int(self.clusters[i]),
                variance_of_mean=variances[i],
            )
            for i in range(self.size)
        ]

    def _moments(self, values: Floats) -> list[Moments]:
        import numpy as np

        if self.pairs is None:
            return _moments(values, self.codes, self.size)
        per_person = np.bincount(self.pairs, weights=values) / np.bincount(self.pairs)
        return _moments(per_person, self.person_codes, self.size)

    def _variance_of_mean(self, values: Floats) -> list[float | None]:
        """CR1 by situation, None where it does not apply."""
        import numpy as np

        n = np.maximum(np.bincount(self.codes, minlength=self.size), 1)
        mean = np.bincount(self.codes, weights=values, minlength=self.size) / n
        sums = np.bincount(self.cluster_of, weights=values - mean[self.codes])
        squares = np.bincount(self.cluster_place, weights=sums**2, minlength=self.size)
        g = self.clusters
        return [
            None
            if g[i] < 2 or self.repeated[i]
            else float(g[i] / (g[i] - 1) * squares[i] / n[i] ** 2)
            for i in range(self.size)
        ]


def _moments(values: Floats, codes: Codes, size: int) -> list[Moments]:
    import numpy as np

    n = np.bincount(codes, minlength=size)
    mean = np.bincount(codes, weights=values, minlength=size) / np.maximum(n, 1)
    squares = np.bincount(codes, weights=(values - mean[codes]) ** 2, minlength=size)
    sd = np.sqrt(squares / np.maximum(n - 1, 1))
    sd[sd < NO_SPREAD] = 0.0
    return [
        Moments(int(n[i]), float(mean[i]) if n[i] else None, float(sd[i]) if n[i] > 1 else None)
        for i in range(size)
    ]
