from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.domain.plan import (
    LARGEST_SEED,
    PlanError,
    PlannedTrial,
    enumerate_trials,
    only_measure,
    trial_protocol,
)
from surveys.domain.protocol import ImaginedSituation, ItemOrder, Phase
from tests.surveys.domain.instruments import instrument

PANEL = instrument(n_items=9)
SITUATIONS = [ImaginedSituation(key, f"You wait for train {key}.") for key in (7, 3, 11)]

plans = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 2**31),
        "default_repeats": st.integers(0, 4),
        "repeats": st.integers(1, 4),
    }
)


def plan(**settings: int) -> list[PlannedTrial]:
    return list(enumerate_trials(PANEL, situations=SITUATIONS, **settings))


@given(plans)
def test_a_plan_holds_every_measure_so_often_as_it_says(settings: dict[str, int]) -> None:
    trials = plan(**settings)
    assert [trial.number for trial in trials] == list(range(len(trials)))
    counts = Counter(trial.situation and trial.situation.key for trial in trials)
    wanted = Counter({None: settings["default_repeats"]})
    wanted.update({situation.key: settings["repeats"] for situation in SITUATIONS})
    assert counts == wanted
    assert all((trial.phase is Phase.DEFAULT) is (trial.situation is None) for trial in trials)


@given(plans)
def test_one_seed_gives_one_plan_and_every_order_is_a_permutation(settings: dict[str, int]) -> None:
    trials = plan(**settings)
    assert plan(**settings) == trials
    for trial in trials:
        assert sorted(trial.item_order) == list(range(9))
        assert 0 <= trial.seed <= LARGEST_SEED


@given(plans)
def test_more_repeats_and_situations_leave_the_other_trials_as_they_were(
    settings: dict[str, int],
) -> None:
    def drawn(trials: list[PlannedTrial]) -> dict[tuple[str, int], tuple[object, ...]]:
        return {
            (trial.situation.text if trial.situation else "", trial.repeat): (
                trial.item_order,
                trial.seed,
            )
            for trial in trials
        }

    small = drawn(list(enumerate_trials(PANEL, situations=SITUATIONS[:2], **settings)))
    larger = drawn(plan(**{**settings, "repeats": settings["repeats"] + 3}))
    assert small.items() <= larger.items()


def test_repeats_see_different_orders_and_another_seed_others() -> None:
    orders = {trial.item_order for trial in plan(seed=1, default_repeats=40, repeats=1)}
    assert len(orders) > 35
    assert orders.isdisjoint({t.item_order for t in plan(seed=2, default_repeats=3, repeats=1)})


def test_a_fixed_order_is_the_instruments_own() -> None:
    trials = enumerate_trials(
        PANEL, situations=SITUATIONS, seed=1, repeats=1, item_order=ItemOrder.FIXED
    )
    assert {trial.item_order for trial in trials} == {tuple(range(9))}


@pytest.mark.parametrize(
    ("situations", "settings", "message"),
    [
        (SITUATIONS, {"repeats": -1}, "negative"),
        ([SITUATIONS[0], SITUATIONS[0]], {}, "twice"),
        ([], {"default_repeats": 0}, "no trial"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused_at_once(
    situations: list[ImaginedSituation], settings: dict[str, int], message: str
) -> None:
    with pytest.raises(PlanError, match=message):
        enumerate_trials(PANEL, situations=situations, seed=1, **settings)


def test_a_trial_shows_its_one_measure_in_its_order() -> None:
    trial = plan(seed=5)[-1]
    measure = only_measure(trial_protocol(PANEL, trial.item_order, trial.situation))
    assert measure.phase is Phase.EVOKED
    assert measure.situation == trial.situation
    assert [int(item.key) - 1 for item in measure.items] == list(trial.item_order)
