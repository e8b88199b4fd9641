"""The summary figures that every test here starts from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moments:
    """How many scores, their mean and their standard deviation (divisor n - 1).

    `mean` is None without scores, `sd` is None below two: missing is never zero.
    """

    n: int
    mean: float | None = None
    sd: float | None = None


@dataclass(frozen=True, slots=True)
class ClusteredMoments:
    """Moments of scores that come in clusters, such as repeats of one situation.

    `clusters` is G; `variance_of_mean` is the CR1 variance of the mean,
    G/(G-1) * sum_g (sum_{i in g} e_i)^2 / n^2 with e = y - mean; None where G < 2 or where the
    clusters do not describe the dependence.
    """

    moments: Moments
    clusters: int
    variance_of_mean: float | None = None
