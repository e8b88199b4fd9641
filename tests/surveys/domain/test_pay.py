"""Pay by the hour, and what a study costs."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.pay import PayRates, hourly_rate, judge_pay, maximum_minutes, study_cost

RATES = PayRates("GBP", 600, 900)


def test_the_published_study_paid_nine_pounds_an_hour() -> None:
    assert hourly_rate(120, 8 * 60) == 900


def test_the_slower_of_plan_and_people_is_judged() -> None:
    pay = judge_pay(reward=120, planned_minutes=8, durations_s=[600, 900, 960, 0, -5], rates=RATES)

    assert pay.planned == 900
    assert pay.median_s == 900
    assert pay.n == 3
    assert pay.actual == 480
    assert pay.short_of_minimum == 120
    assert pay.short_of_recommended == 420
    assert pay.top_up == 30  # 150 pence for 15 minutes at 6 pounds an hour


def test_quick_people_do_not_hide_a_plan_that_pays_too_little() -> None:
    pay = judge_pay(reward=50, planned_minutes=10, durations_s=[60], rates=RATES)

    assert pay.actual == 3000
    assert pay.short_of_minimum == 300
    assert pay.top_up == 0


def test_what_is_not_known_is_not_zero() -> None:
    unpaid = judge_pay(reward=None, planned_minutes=8, durations_s=[480], rates=RATES)
    unrated = judge_pay(reward=120, planned_minutes=8, durations_s=[], rates=None)

    assert (unpaid.planned, unpaid.short_of_minimum, unpaid.top_up) == (None, None, None)
    assert (unrated.actual, unrated.short_of_recommended, unrated.median_s) == (None, None, None)
    assert unrated.planned == 900


@given(
    reward=st.integers(1, 5000),
    durations=st.lists(st.floats(1, 10_000), min_size=1),
    minimum=st.integers(1, 5000),
)
def test_the_top_up_reaches_the_minimum_and_no_penny_more(
    reward: int, durations: list[float], minimum: int
) -> None:
    rates = PayRates("GBP", minimum, minimum)

    pay = judge_pay(reward=reward, planned_minutes=8, durations_s=durations, rates=rates)

    assert pay.top_up is not None
    assert pay.median_s is not None
    topped = hourly_rate(reward + pay.top_up, pay.median_s)
    assert topped >= minimum - 1e-6
    if pay.top_up:
        assert hourly_rate(reward + pay.top_up - 1, pay.median_s) < minimum + 1e-6


def test_no_time_has_no_rate() -> None:
    with pytest.raises(ValueError, match="time above zero"):
        hourly_rate(100, 0)


@pytest.mark.parametrize(
    ("n_paid", "n_owed", "n_places", "so_far", "to_come"),
    [
        (0, 0, 10, 0, 1000),
        (4, 3, 10, 400, 600),
        (10, 2, 10, 1000, 200),  # Two late finishers are paid as well.
        (2, 1, None, 200, 100),
    ],
)
def test_places_left_are_still_to_be_paid(
    n_paid: int, n_owed: int, n_places: int | None, so_far: int, to_come: int
) -> None:
    cost = study_cost(reward=100, n_paid=n_paid, n_owed=n_owed, n_places=n_places)

    assert (cost.so_far, cost.to_come, cost.total) == (so_far, to_come, so_far + to_come)


def test_bonuses_cost_too() -> None:
    cost = study_cost(reward=100, n_paid=1, n_owed=0, n_places=1, bonuses_paid=50, bonuses_owed=25)

    assert (cost.so_far, cost.to_come) == (150, 25)


@pytest.mark.parametrize(("minutes", "most"), [(8, 16), (10, 19), (1, 5)])
def test_the_longest_time_by_prolifics_formula(minutes: int, most: int) -> None:
    assert maximum_minutes(minutes, (2, 1, 2)) == most
    assert most - 1 < 2 + minutes + 2 * math.sqrt(minutes) <= most
