"""What participants earn an hour, whether it is enough, and what a study costs.

Amounts are minor units (pence, cents) of one currency; rates are minor units an hour. Prolific
judges pay by the median time of a study. Its own fee is not part of any cost here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class PayRates:
    """What Prolific asks for, in minor units an hour."""

    currency: str
    minimum: int
    recommended: int


@dataclass(frozen=True, slots=True)
class Pay:
    """The pay of one study beside what Prolific asks for.

    `actual` is None until somebody has finished, `planned` where no reward is set. The
    shortfalls are how much the lower of the two rates lacks an hour, 0 where it is enough and
    None where it cannot be known. `top_up` is what each person would need on top of the reward
    for the minimum rate at the median time.
    """

    planned: float | None
    actual: float | None
    median_s: float | None
    n: int
    short_of_minimum: float | None
    short_of_recommended: float | None
    top_up: int | None


@dataclass(frozen=True, slots=True)
class Cost:
    """What has been and what will be paid to participants, in minor units, without fees."""

    so_far: int
    to_come: int

    @property
    def total(self) -> int:
        return self.so_far + self.to_come


def hourly_rate(reward: int, seconds: float) -> float:
    """Minor units an hour; ValueError for no time at all."""
    if seconds <= 0:
        raise ValueError("a rate needs a time above zero")
    return reward * 3600 / seconds


def judge_pay(
    *,
    reward: int | None,
    planned_minutes: float,
    durations_s: Sequence[float],
    rates: PayRates | None,
) -> Pay:
    """Planned and actual rate of a study; durations of zero or less are no times and left out."""
    times = [seconds for seconds in durations_s if seconds > 0]
    middle = median(times) if times else None
    planned = None if reward is None else hourly_rate(reward, planned_minutes * 60)
    actual = None if reward is None or middle is None else hourly_rate(reward, middle)
    known = [rate for rate in (planned, actual) if rate is not None]
    lower = min(known) if known else None
    top_up = None
    if reward is not None and middle is not None and rates is not None:
        top_up = max(0, math.ceil(rates.minimum * middle / 3600 - reward))
    return Pay(
        planned=planned,
        actual=actual,
        median_s=middle,
        n=len(times),
        short_of_minimum=_shortfall(lower, rates.minimum if rates else None),
        short_of_recommended=_shortfall(lower, rates.recommended if rates else None),
        top_up=top_up,
    )


def _shortfall(rate: float | None, wanted: int | None) -> float | None:
    return None if rate is None or wanted is None else max(0.0, wanted - rate)


def study_cost(
    *,
    reward: int,
    n_paid: int,
    n_owed: int,
    n_places: int | None,
    bonuses_paid: int = 0,
    bonuses_owed: int = 0,
) -> Cost:
    """Rewards and bonuses: paid, and owed or still to be recruited.

    `n_owed` finished or are at work and are not paid yet. Places beyond those paid and owed are
    still to come; more people than places (late finishers) are all paid.
    """
    n_left = max(0, (n_places or 0) - n_paid - n_owed)
    return Cost(
        so_far=reward * n_paid + bonuses_paid,
        to_come=reward * (n_owed + n_left) + bonuses_owed,
    )


def maximum_minutes(estimated: float, formula: Sequence[float]) -> int:
    """The longest time Prolific is to allow: a + b·X + c·√X minutes, rounded up."""
    constant, linear, root = formula
    return math.ceil(constant + linear * estimated + root * math.sqrt(estimated))
