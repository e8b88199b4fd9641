from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.protocol import (
    Imagine,
    ImaginedSituation,
    ItemOrder,
    Measure,
    Phase,
    Protocol,
    ProtocolError,
    draw_item_order,
)
from surveys.domain.scoring import ScoringError
from tests.surveys.domain.instruments import instrument, instruments, ratings_for

RAIN = ImaginedSituation(1, "You wait in the rain.")
TRAIN = ImaginedSituation(2, "You miss the train.")


def test_a_person_measures_imagines_and_measures_again() -> None:
    spec = instrument()
    protocol = Protocol(spec, spec.item_keys, (RAIN, TRAIN))

    kinds = [(type(step), getattr(step, "phase", None), step.situation) for step in protocol.steps]

    assert kinds == [
        (Measure, Phase.DEFAULT, None),
        (Imagine, None, RAIN),
        (Measure, Phase.EVOKED, RAIN),
        (Imagine, None, TRAIN),
        (Measure, Phase.EVOKED, TRAIN),
    ]


def test_a_fresh_conversation_holds_one_measure() -> None:
    spec = instrument()

    default = Protocol(spec, spec.item_keys)
    evoked = Protocol(spec, spec.item_keys, (RAIN,), has_default=False)

    assert [step.phase for step in default.measures] == [Phase.DEFAULT]
    assert [step.phase for step in evoked.measures] == [Phase.EVOKED]


@given(st.data(), st.sampled_from(ItemOrder), st.integers())
def test_an_order_binds_each_rating_to_its_item(
    data: st.DataObject, order: ItemOrder, seed: int
) -> None:
    spec = data.draw(instruments())
    ratings = data.draw(ratings_for(spec))
    protocol = Protocol(spec, draw_item_order(spec, order, random.Random(seed)), (RAIN,))

    for measure in protocol.measures:
        shown = [ratings[item.key] for item in measure.items]
        administration = protocol.administer(measure, shown)
        assert administration.ratings == ratings
        assert administration.item_order == protocol.item_order
        assert (administration.phase, administration.situation) == (
            measure.phase,
            measure.situation,
        )


def test_a_fixed_order_is_the_instruments_own() -> None:
    spec = instrument(n_items=9)

    assert draw_item_order(spec, ItemOrder.FIXED, random.Random(1)) == spec.item_keys


def test_both_phases_show_the_same_order() -> None:
    spec = instrument(n_items=9)
    order = draw_item_order(spec, ItemOrder.PERMUTED, random.Random(3))

    default, evoked = Protocol(spec, order, (RAIN,)).measures

    assert order != spec.item_keys
    assert default.items == evoked.items


def test_too_few_ratings_are_refused() -> None:
    spec = instrument()
    protocol = Protocol(spec, spec.item_keys)

    with pytest.raises(ProtocolError, match="3 ratings for 4 items"):
        protocol.administer(protocol.measures[0], [1, 2, 3])
    with pytest.raises(ScoringError):
        protocol.administer(protocol.measures[0], [1, 2, 3, 9])


@pytest.mark.parametrize("order", [(), ("1", "2", "3"), ("1", "1", "2", "3"), ("1", "2", "3", "x")])
def test_an_order_that_is_no_permutation_is_refused(order: tuple[str, ...]) -> None:
    with pytest.raises(ProtocolError, match="order"):
        Protocol(instrument(), order)


def test_an_instrument_without_its_words_is_given_to_nobody() -> None:
    spec = instrument(with_texts=False)

    with pytest.raises(ProtocolError, match="without their words"):
        Protocol(spec, spec.item_keys)
