"""The published study's own tests of change.

Source: Huang et al., "Apathetic or Empathetic? Evaluating LLMs' Emotional Alignments with Humans",
NeurIPS 2024, arXiv 2308.03656. Models: an F test on the two standard deviations chooses Student's
or Welch's t test; people: paired t test within person. Both treat every row as independent, which
ten repeats of one situation are not; `clustered` does not assume it.
"""

from __future__ import annotations

import math

from benchmark.domain.statistics.moments import Moments
from benchmark.domain.statistics.result import ChangeTest, TTest, no_test, t_test

# The study adds this to each standard deviation, so that a constant phase can be divided by.
SD_OFFSET = 1e-8
# The study decides between the two t tests at this level, whatever the level of the t test.
VARIANCE_ALPHA = 0.01


def paired_change(change: Moments, *, alpha: float) -> ChangeTest:
    """Paired t test of the changes within person: t = mean / (SD / sqrt n), df n - 1.

    Assumes independent persons with roughly normal changes.
    """
    if change.mean is None:
        return no_test(None, "not asked")
    if change.n < 2 or change.sd is None:
        return no_test(change.mean, "one participant")
    se = change.sd / math.sqrt(change.n)
    return t_test(change.mean, se, change.n - 1, test=TTest.PAIRED, alpha=alpha)


def independent_change(evoked: Moments, default: Moments, *, alpha: float) -> ChangeTest:
    """Student's or Welch's t test of an evoked cell against the pooled default phase.

    Student: se^2 = s_p^2 (1/n1 + 1/n0), df n1 + n0 - 2. Welch: se^2 = s1^2/n1 + s0^2/n0, df by
    Welch and Satterthwaite. Assumes independent trials.
    """
    if evoked.mean is None:
        return no_test(None, "not asked")
    if default.mean is None:
        return no_test(None, "no valid answer in the default phase")
    change = evoked.mean - default.mean
    if evoked.sd is None or default.sd is None:
        return no_test(change, "one trial in a phase")
    v1, v0 = evoked.sd**2 / evoked.n, default.sd**2 / default.n
    if v1 + v0 == 0:
        return no_test(change, "the scores do not vary in either phase")
    if variances_differ(evoked, default):
        df = (v1 + v0) ** 2 / (v1**2 / (evoked.n - 1) + v0**2 / (default.n - 1))
        return t_test(change, math.sqrt(v1 + v0), df, test=TTest.WELCH, alpha=alpha)
    df = evoked.n + default.n - 2
    pooled = ((evoked.n - 1) * evoked.sd**2 + (default.n - 1) * default.sd**2) / df
    se = math.sqrt(pooled * (1 / evoked.n + 1 / default.n))
    return t_test(change, se, df, test=TTest.STUDENT, alpha=alpha)


def variances_differ(first: Moments, second: Moments) -> bool:
    """Two-sided F test: F = ((s1 + 1e-8) / (s0 + 1e-8))^2, p = 2 min(P(F < f), P(F > f)).

    True where p is below .01. Needs two scores in each phase.
    """
    from scipy import special

    if first.sd is None or second.sd is None:
        raise ValueError("an F test needs two scores in each phase")
    f = ((first.sd + SD_OFFSET) / (second.sd + SD_OFFSET)) ** 2
    df1, df2 = first.n - 1, second.n - 1
    p = 2 * min(float(special.fdtr(df1, df2, f)), float(special.fdtrc(df1, df2, f)))
    return p < VARIANCE_ALPHA
