"""Tests of change that take repeats of one situation for what they are: one cluster.

CR1 standard errors by situation, t with G - 1 degrees of freedom; exact where all clusters have
one size. The same as statsmodels' `OLS(y, ones).fit(cov_type="cluster", use_t=True)`.
Source: Miller, "Adding Error Bars to Evals", 2024, arXiv 2411.00640; Cameron and Miller, "A
Practitioner's Guide to Cluster-Robust Inference", Journal of Human Resources 50 (2015).
"""

from __future__ import annotations

import math

from benchmark.domain.statistics.moments import ClusteredMoments, Moments
from benchmark.domain.statistics.result import ChangeTest, TTest, no_test, t_test

FEW_CLUSTERS = 5


def clustered_within(change: ClusteredMoments, *, alpha: float) -> ChangeTest:
    """People: mean change within person, se = sqrt(CR1) over situations, df G - 1."""
    moments = change.moments
    if moments.mean is None:
        return no_test(None, "not asked")
    fault = _fault(change)
    if fault or change.variance_of_mean is None:
        return no_test(moments.mean, fault)
    return _test(moments.mean, change.variance_of_mean, change.clusters, alpha)


def clustered_independent(
    evoked: ClusteredMoments, default: Moments, *, alpha: float
) -> ChangeTest:
    """Models: evoked mean minus pooled default mean, se = sqrt(CR1 + s0^2/n0), df G - 1.

    The default trials are no cluster of their own: their variance is added, else it would vanish.
    """
    moments = evoked.moments
    if moments.mean is None:
        return no_test(None, "not asked")
    if default.mean is None:
        return no_test(None, "no valid answer in the default phase")
    change = moments.mean - default.mean
    fault = _fault(evoked)
    if fault or evoked.variance_of_mean is None:
        return no_test(change, fault)
    if default.sd is None:
        return no_test(change, "one trial in the default phase")
    variance = evoked.variance_of_mean + default.sd**2 / default.n
    return _test(change, variance, evoked.clusters, alpha)


def _fault(clustered: ClusteredMoments) -> str:
    if clustered.clusters < 2:
        return "one situation"
    if clustered.variance_of_mean is None:
        return "participants answered several situations of this cell"
    return ""


def _test(change: float, variance: float, clusters: int, alpha: float) -> ChangeTest:
    caution = f"only {clusters} situations" if clusters < FEW_CLUSTERS else ""
    df = clusters - 1
    se = math.sqrt(variance)
    return t_test(change, se, df, test=TTest.CLUSTERED, alpha=alpha, caution=caution)
