from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.domain.baselines import Baseline, BaselineError, baseline_reply
from benchmark.domain.plan import only_measure, trial_protocol
from benchmark.domain.replies import parse_reply
from surveys.domain.instrument import Instrument
from surveys.domain.protocol import Measure
from tests.surveys.domain.instruments import instrument

PANEL = instrument(n_items=6)
orders = st.permutations(range(6))


def measure_of(order: list[int], panel: Instrument = PANEL) -> Measure:
    return only_measure(trial_protocol(panel, order, None))


def ratings(reply: str, measure: Measure, panel: Instrument = PANEL) -> tuple[int, ...]:
    items = [item.text for item in measure.items]
    parsed = parse_reply(reply, items=items, low=panel.lowest, high=panel.highest)
    assert parsed.ratings is not None, parsed
    return parsed.ratings


@given(orders, st.integers(0, 2**31))
def test_a_baseline_answers_as_a_model_and_the_same_again(order: list[int], seed: int) -> None:
    measure = measure_of(order)
    for baseline in Baseline:
        people = [(1, 2, 3, 4, 5, 1)]
        reply = baseline_reply(baseline, PANEL, measure, seed=seed, people=people)
        assert len(ratings(reply, measure)) == 6
        assert baseline_reply(baseline, PANEL, measure, seed=seed, people=people) == reply


def test_chance_uses_the_whole_scale_evenly() -> None:
    measure = measure_of(list(range(6)))
    drawn: Counter[int] = Counter()
    for seed in range(1000):
        reply = baseline_reply(Baseline.UNIFORM_RANDOM, PANEL, measure, seed=seed)
        drawn.update(ratings(reply, measure))
    # Five standard deviations of a binomial count around 6000 / 5.
    assert set(drawn) == {1, 2, 3, 4, 5}
    assert all(abs(times - 1200) < 5 * (6000 * 0.2 * 0.8) ** 0.5 for times in drawn.values())


def test_indifference_is_the_middle_or_either_neighbour_of_it() -> None:
    measure = measure_of(list(range(6)))
    assert set(ratings(baseline_reply(Baseline.MIDPOINT, PANEL, measure, seed=1), measure)) == {3}
    even = instrument(n_items=6, low=0, high=3)
    measure = measure_of(list(range(6)), even)
    replies = [baseline_reply(Baseline.MIDPOINT, even, measure, seed=seed) for seed in range(20)]
    assert {rating for reply in replies for rating in ratings(reply, measure, even)} == {1, 2}


@given(orders, st.integers(0, 1000))
def test_a_resampled_person_keeps_each_rating_at_its_item(order: list[int], seed: int) -> None:
    people = [(1, 2, 3, 4, 5, 1), (5, 5, 4, 4, 3, 3)]
    measure = measure_of(order)
    reply = baseline_reply(Baseline.PEOPLE_RESAMPLED, PANEL, measure, seed=seed, people=people)
    answered = dict(zip((item.key for item in measure.items), ratings(reply, measure), strict=True))
    assert tuple(answered[key] for key in PANEL.item_keys) in people


def test_without_people_nobody_is_resampled() -> None:
    with pytest.raises(BaselineError, match="nobody"):
        baseline_reply(Baseline.PEOPLE_RESAMPLED, PANEL, measure_of(list(range(6))), seed=1)
