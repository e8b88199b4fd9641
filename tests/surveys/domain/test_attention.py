from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.answers import read_ratings
from surveys.domain.attention import CHECK_KEY, InstructedItem, draw_checks
from surveys.domain.instrument import ResponseOption
from tests.surveys.domain.instruments import instrument, instruments


def draw(spec, *, n_measures: int = 2, count: int = 2, seed: int = 0):
    return draw_checks(
        spec,
        n_measures=n_measures,
        count=count,
        rng=random.Random(seed),
        say=lambda words: f"Choose {words}.",
    )


@given(
    spec=instruments(), n_measures=st.integers(1, 4), count=st.integers(0, 2), seed=st.integers()
)
def test_checks_ask_for_an_answer_that_is_there_and_never_the_midpoint(
    spec, n_measures, count, seed
) -> None:
    checks = draw(spec, n_measures=n_measures, count=count, seed=seed)

    assert [c.measure_position for c in checks] == [0, n_measures - 1][: min(count, n_measures)]
    for check in checks:
        words = {option.value: option.label for option in spec.options}
        assert check.text == f"Choose {words[check.asked_value]}."
        assert 2 * check.asked_value != spec.lowest + spec.highest
        assert 0 <= check.place < len(spec.items)


@pytest.mark.parametrize(
    ("n_items", "places"),
    [(1, {0}), (2, {1}), (3, {1, 2}), (4, {2}), (20, set(range(2, 19)))],
)
def test_a_check_keeps_away_from_the_ends_of_a_measure(n_items: int, places: set[int]) -> None:
    drawn = {draw(instrument(n_items=n_items), seed=seed)[0].place for seed in range(400)}

    assert drawn == places


def test_two_checks_ask_for_different_answers_but_not_for_an_end() -> None:
    asked = [[c.asked_value for c in draw(instrument(), seed=seed)] for seed in range(50)]

    assert {tuple(sorted(pair)) for pair in asked} == {(2, 4)}


def labelled(*labels: str):
    options = tuple(ResponseOption(value, label) for value, label in enumerate(labels, 1))
    return replace(instrument(), options=options)


@pytest.mark.parametrize(
    ("labels", "asked"),
    [
        (("no", "", "", "", "yes"), {"Choose no.", "Choose yes."}),
        (("same", "little", "", "same", "yes"), {"Choose little."}),
        (("", "", "", ""), {"Choose 2.", "Choose 3."}),
        (("no", "yes"), {"Choose no.", "Choose yes."}),
        (("no", "a" * 300, "middle", "much", "yes"), {"Choose much."}),
        (("same", "same"), set()),
    ],
)
def test_words_that_fit_one_answer_only_are_asked_for(labels, asked) -> None:
    drawn = {check.text for seed in range(40) for check in draw(labelled(*labels), seed=seed)}

    assert drawn == asked


CHECK = InstructedItem(0, 1, 4, "Choose label 4.")


@pytest.mark.parametrize(
    ("text", "answer"), [("4", 4), ("1", 1), ("", None), ("9", None), ("４", None), ("4.0", None)]
)
def test_the_answer_to_a_check_is_read_like_any_other_but_is_no_rating(text, answer) -> None:
    spec = instrument(n_items=2)

    answers = read_ratings(spec, spec.items, {"1": "3", "2": "3", CHECK_KEY: text}, CHECK)

    assert answers.given == {"1": 3, "2": 3}
    assert answers.check == answer
    assert answers.missing == (() if answer else (CHECK_KEY,))


def test_a_page_without_a_check_ignores_an_answer_to_one() -> None:
    spec = instrument(n_items=1)

    answers = read_ratings(spec, spec.items, {"1": "3", CHECK_KEY: "4"})

    assert (answers.check, answers.missing) == (None, ())
