from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.outcomes import Outcome
from surveys.domain.quality import (
    Answers,
    Checks,
    Flag,
    RatedMeasure,
    ReadSituation,
    Sign,
    Thresholds,
    exclusion_reason,
    find_flags,
    longest_string,
    outcome_of,
    within_person_sd,
)
from surveys.domain.synonyms import PANAS, SYNONYMS
from tests.factories import definition

ITEMS = [item["key"] for item in definition("panas")["items"]]
STUDY = Thresholds(item_seconds=1.0, words_per_minute=600, synonym_difference=2.0)
RATINGS = st.lists(st.integers(1, 5), min_size=20, max_size=20)
SECONDS = st.none() | st.floats(0, 10_000)


def measure(ratings: list[int], seconds: float | None = 60) -> RatedMeasure:
    return RatedMeasure(dict(zip(ITEMS, ratings, strict=True)), seconds)


def careful(**changes) -> Answers:
    """Somebody whose positive items lie at 3 and negative ones at 2, without haste."""
    panas = definition("panas")
    positive = panas["subscales"][0]["items"]
    ratings = [3 if key in positive else 2 for key in ITEMS]
    given = {
        "measures": [measure(ratings), measure(ratings)],
        "situations": [ReadSituation(words=40, seconds=20)],
        "checks": Checks(asked=2),
        "synonyms": PANAS,
    }
    return Answers(**given | changes)


def signs(answers: Answers, thresholds: Thresholds = STUDY) -> list[str]:
    return [flag.sign.value for flag in find_flags(answers, thresholds)]


def test_careful_answers_raise_nothing() -> None:
    assert signs(careful()) == []


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (20.0, []),
        (19.9, ["fast_ratings"]),
        (10.0, ["fast_ratings"]),
        (9.9, ["very_fast_ratings"]),
        (0.0, ["very_fast_ratings"]),
        (None, []),
    ],
)
def test_haste_is_one_flag_in_two_degrees(seconds: float | None, expected: list[str]) -> None:
    ratings = list(careful().measures[0].ratings.values())

    assert signs(careful(measures=[measure(ratings, seconds), measure(ratings)])) == expected


def test_a_break_in_one_measure_does_not_hide_haste_in_the_other() -> None:
    ratings = list(careful().measures[0].ratings.values())
    answers = careful(measures=[measure(ratings, 3600), measure(ratings, 8)])

    (flag,) = find_flags(answers, STUDY)

    assert flag == Flag(
        Sign.VERY_FAST_RATINGS, "0.40 seconds an item in the fastest measure, below 0.5"
    )


@pytest.mark.parametrize(
    ("seconds", "expected"), [(4.0, []), (3.9, ["fast_reading"]), (0.0, ["fast_reading"])]
)
def test_reading_faster_than_anybody_can_is_flagged(seconds: float, expected: list[str]) -> None:
    situations = [ReadSituation(40, seconds), ReadSituation(40, 30), ReadSituation(40, None)]

    assert signs(careful(situations=situations)) == expected


def test_instructed_items_and_synonyms_have_a_flag_each() -> None:
    ratings = dict.fromkeys(ITEMS, 3)
    for one, other in PANAS:
        ratings |= {one: 5, other: 1}
    far_apart = [RatedMeasure(ratings, 60), RatedMeasure(ratings, 60)]

    flags = find_flags(careful(measures=far_apart, checks=Checks(2, 1)), STUDY)

    assert flags == (
        Flag(Sign.INSTRUCTED_ITEM, "1 of 2 instructed items answered otherwise"),
        Flag(Sign.SYNONYMS_APART, "near-synonyms 4.00 points apart on average, above 2"),
    )
    assert signs(careful(measures=far_apart, synonyms=())) == []


@pytest.mark.parametrize("times", [(60, 60), (None, None)])
def test_a_numb_person_who_answers_flat_is_not_excluded(times) -> None:
    flat = [measure([1] * 20, seconds) for seconds in times]

    flags = find_flags(careful(measures=flat), STUDY)

    assert [flag.sign for flag in flags] == [Sign.ALL_EQUAL]
    assert exclusion_reason(flags, limit=2) == ""


def test_one_flat_measure_alone_says_nothing() -> None:
    flat, varied = measure([1] * 20), careful().measures[0]

    assert signs(careful(measures=[varied, flat])) == []
    assert signs(careful(measures=[flat])) == []


@given(first=RATINGS, second=RATINGS, seconds=st.tuples(SECONDS, SECONDS, SECONDS))
def test_there_is_at_most_one_flag_a_class_and_every_one_has_a_reason(
    first, second, seconds
) -> None:
    answers = careful(
        measures=[measure(first, seconds[0]), measure(second, seconds[1])],
        situations=[ReadSituation(40, seconds[2])],
        checks=Checks(2, 2),
    )

    flags = find_flags(answers, STUDY)

    assert len(flags) == len({flag.sign for flag in flags}) <= 5
    assert not {Sign.FAST_RATINGS, Sign.VERY_FAST_RATINGS} <= {flag.sign for flag in flags}
    assert all(flag.reason for flag in flags)


@given(ratings=RATINGS, order=st.randoms(use_true_random=False))
def test_flags_do_not_depend_on_the_order_in_which_items_were_shown(
    ratings: list[int], order: random.Random
) -> None:
    pairs = list(zip(ITEMS, ratings, strict=True))
    shuffled = order.sample(pairs, len(pairs))
    one, other = (careful(measures=[RatedMeasure(dict(p), 9), measure([2] * 20)])
                  for p in (pairs, shuffled))  # fmt: skip

    assert find_flags(one, STUDY) == find_flags(other, STUDY)


@given(ratings=st.lists(st.integers(1, 5)))
def test_long_strings_and_variance_are_measured(ratings: list[int]) -> None:
    assert longest_string(ratings) == longest_string(ratings[::-1]) <= len(ratings)
    deviation = within_person_sd(ratings)
    if len(ratings) < 2:
        assert deviation is None
    else:
        assert (deviation == 0) == (longest_string(ratings) == len(ratings))


def test_known_string_and_variance() -> None:
    assert longest_string([1, 2, 2, 2, 1, 1]) == 3
    assert within_person_sd([1, 2, 3, 4, 5]) == pytest.approx(1.5811388)


@pytest.mark.parametrize(
    ("checks", "minutes", "expected"),
    [
        (Checks(2, 0), 8, Outcome.COMPLETED),
        (Checks(2, 1), 8, Outcome.COMPLETED),
        (Checks(2, 2), 8, Outcome.FAILED_ATTENTION),
        (Checks(1, 1), 8, Outcome.COMPLETED),
        (Checks(1, 1), 5, Outcome.COMPLETED),
        (Checks(1, 1), 4, Outcome.FAILED_ATTENTION),
        (Checks(2, 1), 4, Outcome.COMPLETED),
        (Checks(0, 0), 4, Outcome.COMPLETED),
    ],
)
def test_the_outcome_holds_no_more_against_people_than_prolific_allows(
    checks: Checks, minutes: int, expected: Outcome
) -> None:
    assert outcome_of(checks, planned_minutes=minutes) is expected


def test_exclusion_needs_a_rule_and_as_many_flags() -> None:
    flags = (Flag(Sign.FAST_READING, "x"), Flag(Sign.ALL_EQUAL, "y"))

    assert exclusion_reason(flags, limit=None) == ""
    assert exclusion_reason(flags, limit=3) == ""
    assert exclusion_reason(flags, limit=2) == "2 flags: fast reading, all equal"


def test_synonyms_are_items_of_one_subscale() -> None:
    subscales = [set(s["items"]) for s in definition("panas")["subscales"]]
    for one, other in SYNONYMS["PANAS"]:
        assert any({one, other} <= items for items in subscales)
