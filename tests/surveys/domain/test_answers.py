from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.answers import read_ratings
from surveys.domain.demographics import DECLINED, OLDEST, QUESTIONS, YOUNGEST, read_demographics
from surveys.domain.entry_ids import EntryIds, names_ids, read_ids
from tests.surveys.domain.instruments import instrument

COUNTRIES = ("Chad", "Chile")
ALL_GIVEN = {
    "gender": "Female",
    "year_of_birth": "1990",
    "country": "Chile",
    "employment": "Student",
    "education": "Primary school",
}


@given(sent=st.dictionaries(st.sampled_from("12345x"), st.text(max_size=3) | st.sampled_from("15")))
def test_a_rating_is_what_was_sent_or_missing(sent: dict[str, str]) -> None:
    spec = instrument(n_items=4)

    answers = read_ratings(spec, spec.items[:3], sent)

    assert {key: str(rating) for key, rating in answers.given.items()}.items() <= sent.items()
    assert all(1 <= rating <= 5 for rating in answers.given.values())
    assert set(answers.given) | set(answers.missing) == {"1", "2", "3"}
    assert set(answers.given) & set(answers.missing) == set()


@pytest.mark.parametrize("text", ["", "0", "6", "3.0", " 3", "03", "+3", "three", "３"])
def test_anything_but_the_value_of_an_option_is_missing(text: str) -> None:
    spec = instrument(n_items=1)

    assert read_ratings(spec, spec.items, {"1": text}).missing == ("1",)


def read(**changes: str):
    return read_demographics(ALL_GIVEN | changes, countries=COUNTRIES, this_year=2026)


def test_complete_demographics_have_no_fault() -> None:
    answers = read()

    assert answers.faults == {}
    assert answers.given == ALL_GIVEN | {"year_of_birth": 1990}


def test_every_question_can_be_declined() -> None:
    sent = dict.fromkeys(QUESTIONS, DECLINED) | {"year_of_birth": "", "year_of_birth_declined": "y"}

    answers = read_demographics(sent, countries=COUNTRIES, this_year=2026)

    assert answers.declined == QUESTIONS
    assert answers.given == answers.faults == {}


def test_questions_that_are_not_asked_are_neither_read_nor_missed() -> None:
    answers = read_demographics(
        {"gender": "Male", "country": "Atlantis"},
        countries=COUNTRIES,
        this_year=2026,
        questions=("gender",),
    )

    assert (answers.given, answers.faults) == ({"gender": "Male"}, {})


def test_nothing_sent_is_missing_everywhere() -> None:
    answers = read_demographics({}, countries=COUNTRIES, this_year=2026)

    assert answers.faults == dict.fromkeys(QUESTIONS, "missing")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (str(2026 - YOUNGEST), None),
        (str(2026 - YOUNGEST + 1), "too_young"),
        (str(2026 - OLDEST), None),
        (str(2026 - OLDEST - 1), "too_old"),
        ("2030", "not_a_year"),
        ("90", "not_a_year"),
        ("-199", "not_a_year"),
        ("19.5", "not_a_year"),
        ("²²²²", "not_a_year"),
        (DECLINED, "not_a_year"),
    ],
)
def test_the_year_of_birth_is_that_of_an_adult_alive(text: str, fault: str | None) -> None:
    assert read(year_of_birth=text).faults.get("year_of_birth") == fault


def test_a_year_and_a_refusal_contradict_each_other() -> None:
    assert read(year_of_birth_declined="yes").faults == {"year_of_birth": "both"}


def test_a_country_that_was_not_offered_is_refused() -> None:
    assert read(country="Atlantis").faults == {"country": "not_offered"}


def link(pid: str = "p1", study: str = "s1", session: str = "x1") -> dict[str, list[str]]:
    return {"PROLIFIC_PID": [pid], "STUDY_ID": [study], "SESSION_ID": [session]}


def test_ids_are_read_in_any_letter_case_and_kept_to_the_byte() -> None:
    lower = {name.lower(): values for name, values in link("AbC-9_z").items()}

    assert read_ids(lower) == read_ids(link("AbC-9_z")) == EntryIds("AbC-9_z", "s1", "x1")


@pytest.mark.parametrize(
    "text",
    ["", "undefined", "null", "NULL", "{{%PROLIFIC_PID%}}", "a" * 65, "é", "a b", "a\n", "../a"],
)
def test_what_is_no_id_is_not_believed(text: str) -> None:
    for name in link():
        parameters = link() | {name: [text]}
        assert read_ids(parameters) is None
        assert names_ids(parameters)


def test_an_id_that_is_given_twice_must_be_the_same() -> None:
    assert read_ids(link() | {"prolific_pid": ["p2"]}) is None
    assert read_ids(link() | {"prolific_pid": ["p1"]}) == EntryIds("p1", "s1", "x1")
    assert read_ids({"PROLIFIC_PID": ["p1"]}) is None
    assert not names_ids({"utm_source": ["x"]})
