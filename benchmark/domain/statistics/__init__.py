"""Statistics of change: one module a subject, each function from summary figures to a result.

Everything takes means, standard deviations and counts, so that raw answers and published figures
go the same way. scipy is imported inside the functions, because it is slow to load.
"""

from __future__ import annotations

from benchmark.domain.statistics.clustered import clustered_independent, clustered_within
from benchmark.domain.statistics.moments import ClusteredMoments, Moments
from benchmark.domain.statistics.paper import independent_change, paired_change
from benchmark.domain.statistics.result import ChangeTest, Direction, Method, TTest

__all__ = [
    "ChangeTest",
    "ClusteredMoments",
    "Direction",
    "Method",
    "Moments",
    "TTest",
    "clustered_independent",
    "clustered_within",
    "independent_change",
    "paired_change",
]
