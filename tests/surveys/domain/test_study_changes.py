from __future__ import annotations

import pytest

from surveys.domain.study_changes import MEASURE_FIELDS, RULE_FIELDS, refused_changes, refused_codes
from surveys.domain.study_states import ENTERABLE, STATES, TRANSITIONS

STUDY = {
    "state": "open",
    "slug": "a",
    "title": "T",
    "consent_text": "old",
    "consent_version": "1",
    "target_per_situation": 10,
    "withdrawal_days": 14,
    "identity_retention_days": 30,
    "reward_minor": 150,
    "reward_currency": "GBP",
    **dict.fromkeys((*MEASURE_FIELDS, *RULE_FIELDS), 1),
}


def refused(has_takers: bool = True, is_known_outside: bool = False, **changes: object) -> set[str]:
    after = STUDY | changes
    found = refused_changes(STUDY, after, has_takers=has_takers, is_known_outside=is_known_outside)
    return set(found)


@pytest.mark.parametrize("field", [*MEASURE_FIELDS, *RULE_FIELDS])
def test_what_was_asked_and_the_rules_stay_once_somebody_took_part(field: str) -> None:
    assert refused(**{field: 2}) == {field}
    assert refused(has_takers=False, **{field: 2}) == set()


def test_texts_title_and_target_stay_editable() -> None:
    assert refused(title="U", target_per_situation=5) == set()


def test_a_new_consent_text_needs_a_new_version() -> None:
    assert refused(consent_text="new") == {"consent_version"}
    assert refused(consent_text="new", consent_version="2") == set()
    assert refused(has_takers=False, consent_text="new") == set()


@pytest.mark.parametrize(
    ("field", "worse", "better"),
    [
        ("withdrawal_days", 13, 15),
        ("identity_retention_days", 31, 29),
        ("reward_minor", 149, 151),
    ],
)
def test_promises_are_improved_not_broken(field: str, worse: int, better: int) -> None:
    assert refused(**{field: worse}) == {field}
    assert refused(**{field: None}) == {field}
    assert refused(**{field: better}) == set()


def test_the_currency_of_a_promised_reward_stays() -> None:
    assert refused(reward_currency="USD") == {"reward_currency"}


def test_an_address_that_is_known_outside_stays() -> None:
    assert refused(has_takers=False, is_known_outside=True, slug="b") == {"slug"}
    assert refused(has_takers=False, slug="b") == set()


def test_nothing_changes_in_the_archive() -> None:
    archived = STUDY | {"state": "archived"}
    found = refused_changes(
        archived, archived | {"title": "U"}, has_takers=False, is_known_outside=True
    )
    assert set(found) == {"title"}


def test_codes_are_added_but_neither_altered_nor_taken_away() -> None:
    before = {"completed": "A", "no_consent": "B"}
    assert refused_codes(before, before | {"withdrawn": "C"}) == ()
    assert refused_codes(before, {"completed": "X"}) == ("completed", "no_consent")


def test_no_way_leads_a_study_that_was_open_back_to_a_draft() -> None:
    reached = {"open"}
    while more := {after for state in reached for after in TRANSITIONS[state]} - reached:
        reached |= more

    assert reached == {"open", "paused", "closed", "archived"}


def test_every_state_is_left_by_some_step_and_only_two_let_people_in() -> None:
    assert all(TRANSITIONS[state] for state in STATES)
    assert {"pilot", "open"} == ENTERABLE
