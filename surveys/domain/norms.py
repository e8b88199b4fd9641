"""Norms of a group of people: how many, their mean and their spread, for each subscale.

The unit is the person. Whoever imagined several situations has the mean of their evoked scores,
so that nobody weighs more than anybody else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev


@dataclass(frozen=True, slots=True)
class Norm:
    """`mean` is None for nobody, `sd` (the sample's, n - 1) for fewer than two."""

    n: int
    mean: float | None
    sd: float | None


@dataclass(frozen=True, slots=True)
class SubscaleNorms:
    """Norms before any situation, after imagining, and of the difference after - before."""

    default: Norm
    evoked: Norm
    change: Norm


Scores = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ScoredPerson:
    """Scores by subscale: of the default measure, and of each evoked one."""

    default: Scores
    evoked: Sequence[Scores]

    def evoked_mean(self, subscale: str) -> float:
        return fmean(scores[subscale] for scores in self.evoked)


def norm_of(values: Sequence[float]) -> Norm:
    return Norm(
        n=len(values),
        mean=fmean(values) if values else None,
        sd=stdev(values) if len(values) > 1 else None,
    )


def norms_of(people: Sequence[ScoredPerson], subscale: str) -> SubscaleNorms:
    """Norms of one subscale; people without an evoked measure have no part in two of the three."""
    imagined = [person for person in people if person.evoked]
    return SubscaleNorms(
        default=norm_of([person.default[subscale] for person in people]),
        evoked=norm_of([person.evoked_mean(subscale) for person in imagined]),
        change=norm_of(
            [person.evoked_mean(subscale) - person.default[subscale] for person in imagined]
        ),
    )
