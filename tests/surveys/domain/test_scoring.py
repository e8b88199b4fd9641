from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.instrument import Scoring
from surveys.domain.instrument_files import read_instrument_file
from surveys.domain.scoring import ScoringError, keyed, score, score_range
from tests.surveys.domain.instruments import instrument, instruments, ratings_for

INSTRUMENTS = Path("surveys/data/instruments")


def test_panas_sums_its_ten_items_a_side() -> None:
    panas = read_instrument_file(INSTRUMENTS / "panas.json")
    ratings = dict.fromkeys(panas.item_keys, 1) | {"interested": 5, "afraid": 4, "upset": 2}

    assert score(panas, ratings) == {"positive_affect": 14, "negative_affect": 14}


def test_dass_21_doubles_its_sums() -> None:
    dass = read_instrument_file(INSTRUMENTS / "dass_21.json")
    scores = score(dass, dict.fromkeys(dass.item_keys, 1))

    assert scores == {"anxiety": 14, "depression": 14, "stress": 14, "overall": 42}


def test_bfne_mirrors_its_reverse_keyed_items() -> None:
    bfne = read_instrument_file(INSTRUMENTS / "bfne.json")
    ratings = dict.fromkeys(bfne.item_keys, 1)

    assert score(bfne, ratings) == {"overall": 8 * 1 + 4 * 5}


def test_a_mean_is_an_exact_fraction() -> None:
    spec = instrument(n_items=3, scoring=Scoring.MEAN)

    assert score(spec, {"1": 1, "2": 1, "3": 2})["overall"] == Fraction(4, 3)


@given(st.data())
def test_reverse_keying_twice_changes_nothing(data: st.DataObject) -> None:
    spec = data.draw(instruments())
    for key, rating in data.draw(ratings_for(spec)).items():
        once = keyed(spec, key, rating)
        assert spec.lowest <= once <= spec.highest
        assert keyed(spec, key, once) == rating


@given(st.data())
def test_scores_stay_within_their_range(data: st.DataObject) -> None:
    spec = data.draw(instruments())
    for key, value in score(spec, data.draw(ratings_for(spec))).items():
        low, high = score_range(spec, key)
        assert low <= value <= high


@given(st.data())
def test_a_missing_rating_is_refused(data: st.DataObject) -> None:
    spec = data.draw(instruments())
    ratings = data.draw(ratings_for(spec))
    del ratings[data.draw(st.sampled_from(spec.item_keys))]

    with pytest.raises(ScoringError, match="missing"):
        score(spec, ratings)


@pytest.mark.parametrize("rating", [0, 6, -3, 3.0, 3.5, "3", True])
def test_a_rating_off_the_scale_or_no_integer_is_refused(rating: Any) -> None:
    spec = instrument()

    with pytest.raises(ScoringError, match="item 2"):
        score(spec, {"1": 1, "2": rating, "3": 1, "4": 1})


def test_an_unknown_item_is_refused() -> None:
    spec = instrument()

    with pytest.raises(ScoringError, match="unknown"):
        score(spec, {"1": 1, "2": 1, "3": 1, "4": 1, "5": 1})
