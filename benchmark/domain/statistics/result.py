"""What a test of a change yields, and the words for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

# Scores are sums or means of integers: a standard error this small is rounding, not variation.
NO_SPREAD = 1e-9


class Method(StrEnum):
    """How changes are tested: as the published study does, or clustered by situation."""

    PAPER = "paper"
    CLUSTERED = "clustered"


class Direction(StrEnum):
    """The sign of a change that is significant, or none."""

    UP = "up"
    DOWN = "down"
    NONE = "none"


class TTest(StrEnum):
    """Which t test gave the result."""

    STUDENT = "student"
    WELCH = "welch"
    PAIRED = "paired"
    CLUSTERED = "clustered"


@dataclass(frozen=True, slots=True)
class ChangeTest:
    """A change with its two-sided t test and interval, in score points.

    Where no test is possible `p`, `t`, `df`, `se` and the interval are None, `direction` is none
    and `reason` says why; the change itself is given where it exists. `caution` says what weakens
    a result that is given.
    """

    change: float | None
    direction: Direction = Direction.NONE
    p: float | None = None
    test: TTest | None = None
    t: float | None = None
    df: float | None = None
    se: float | None = None
    ci: tuple[float, float] | None = None
    reason: str = ""
    caution: str = ""


def no_test(change: float | None, reason: str) -> ChangeTest:
    """A change, perhaps none, that cannot be tested."""
    return ChangeTest(change=change, reason=reason)


def t_test(
    change: float, se: float, df: float, *, test: TTest, alpha: float, caution: str = ""
) -> ChangeTest:
    """Two-sided t test of change / se on df, with the 95 % interval change -+ t(.975, df) se.

    The direction is decided on the unrounded p. Where the standard error is zero there is no
    test: every score changed by the same amount, and chance is not measured.
    """
    from scipy import special

    if se < NO_SPREAD:
        return no_test(change, "the scores do not vary")
    t = change / se
    p = float(2 * special.stdtr(df, -abs(t)))
    half = float(special.stdtrit(df, 0.975)) * se
    direction = Direction.NONE
    if p < alpha:
        direction = Direction.UP if change > 0 else Direction.DOWN
    interval = (change - half, change + half)
    return ChangeTest(change, direction, p, test, t, df, se, interval, caution=caution)
