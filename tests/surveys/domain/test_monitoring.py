from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.money import in_words, money
from surveys.domain.monitoring import (
    Person,
    count_flags,
    count_funnel,
    durations_s,
    middle,
    returns_s,
    who_is_here,
)
from surveys.domain.needs import Standing, find_needs

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
PEOPLE = st.lists(
    st.builds(
        Person,
        code=st.just("abcdefghij"),
        state=st.sampled_from(["active", "completed", "withdrawn"]),
        pages_done=st.integers(0, 9),
        is_counted=st.booleans(),
        holds_place=st.booleans(),
        left_at=st.none() | st.just(NOW),
    ).map(lambda p: replace(p, is_counted=p.is_counted and p.state == "completed")),
    max_size=30,
)


@given(PEOPLE)
def test_everybody_who_consented_is_in_exactly_one_place(people: list[Person]) -> None:
    funnel = count_funnel(people, declined=3, n_pages=9)

    assert funnel.consented == len(people)
    assert funnel.consented == (
        funnel.under_way + funnel.left + funnel.completed + funnel.withdrawn
    )
    assert funnel.completed == funnel.counted + funnel.excluded
    assert list(funnel.reached) == sorted(funnel.reached, reverse=True)
    assert funnel.reached[0] == funnel.consented
    assert min(funnel.left, funnel.excluded, funnel.took_code) >= 0


def person(minutes: float, **fields: object) -> Person:
    values = {
        "code": f"code-{minutes}-and-more", "state": "active", "pages_done": 2,
        "is_counted": False, "holds_place": True, "last_seen_at": NOW - timedelta(minutes=minutes),
    }  # fmt: skip
    return Person(**(values | fields))


def test_who_is_silent_for_more_than_twenty_minutes_is_stuck_on_a_page() -> None:
    people = [person(1), person(20), person(20.5), person(3, holds_place=False),
              person(2, state="completed"), person(-1)]  # fmt: skip

    found = who_is_here(people, now=NOW)

    assert sorted((p.minutes_silent, p.is_stuck) for p in found) == [
        (0, False), (1, False), (20, False), (20, True),
    ]  # fmt: skip
    assert {p.page for p in found} == {3}
    assert found[-1].minutes_silent == 0
    assert all(len(p.code) == 8 for p in found)


def test_the_way_to_the_code_is_of_those_who_got_it() -> None:
    done = person(0, state="completed", completed_at=NOW, left_at=NOW + timedelta(seconds=75))
    assert returns_s([done, replace(done, left_at=None), person(1)]) == [75]


def test_durations_are_of_who_completed() -> None:
    done = person(0, state="completed", consented_at=NOW, completed_at=NOW + timedelta(minutes=7))
    assert durations_s([done, person(1, consented_at=NOW), replace(done, consented_at=None)]) == [
        420
    ]
    assert middle([1.0, 5.0, 9.0, 100.0]) == 7
    assert middle([]) is None


def test_flags_count_people_who_completed_once_each() -> None:
    people = [
        person(0, state="completed", flags=("a", "b", "a"), outcome="completed"),
        person(0, state="completed", flags=("a",), outcome="completed"),
        person(0, state="completed"),
        person(0, flags=("a",)),
    ]
    flags = count_flags(people)
    assert (flags.flagged, flags.by_code, flags.unjudged) == (2, {"a": 2, "b": 1}, 1)


@pytest.mark.parametrize(
    ("standing", "codes"),
    [
        ({}, []),
        ({"is_full": True, "has_room": False}, ["full"]),
        ({"has_room": False, "under_way": 2}, ["waiting"]),
        ({"state": "paused", "has_room": False}, ["paused"]),
        ({"faults": ("consent_text_missing",)}, ["fault"]),
        ({"faults": ("consent_text_missing",), "state": "draft"}, ["fault"]),
        ({"faults": ("consent_text_missing",), "state": "closed"}, []),
        (
            {"faults": ("situations_unpublished",), "withdrawn_situations": ((3, "x"),)},
            ["unpublished"],
        ),
        ({"short_of_minimum": 20.0, "top_up": 5}, ["pay_short"]),
        ({"short_of_minimum": 0.0}, []),
        ({"return_s": 60.0}, []),
        ({"return_s": 61.0}, ["slow_return"]),
        ({"unjudged": 1}, ["unjudged"]),
        ({"prolific_cases": 2}, ["prolific_cases"]),
        ({"prolific_status": "ACTIVE"}, []),
        ({"prolific_status": "ACTIVE", "state": "closed"}, ["prolific_sends"]),
        ({"prolific_status": "PAUSED"}, ["prolific_paused"]),
        ({"has_overdue_ids": True, "state": "closed"}, ["overdue_ids"]),
        ({"completed": 20, "excluded": 6}, ["many_excluded"]),
        ({"completed": 20, "excluded": 5}, []),
        ({"completed": 4, "excluded": 4}, []),
        ({"stuck": 2}, ["stuck"]),
        ({"tests": 2}, ["tests_kept"]),
        ({"tests": 2, "state": "pilot"}, []),
    ],
)
def test_what_needs_action(standing: dict, codes: list[str]) -> None:
    needs = find_needs(Standing(**({"state": "open"} | standing)))
    assert [need.code for need in needs] == codes


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, "–"), (0.4, "0 s"), (59.6, "1 min 0 s"), (450, "7 min 30 s"), (3660, "1 h 1 min")],
)
def test_durations_in_words(seconds: float | None, words: str) -> None:
    assert in_words(seconds) == words


def test_amounts_in_words() -> None:
    assert money(900, "GBP", "an hour") == "9.00 GBP an hour"
    assert money(None, "GBP") == "–"
