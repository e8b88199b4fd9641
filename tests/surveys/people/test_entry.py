from __future__ import annotations

import random

import pytest
from django.utils import timezone

from surveys.domain.entry_ids import EntryIds
from surveys.models import (
    Administration,
    Assignment,
    Participant,
    Participation,
    Situation,
    Study,
    Submission,
)
from surveys.models.participation import new_code
from surveys.services.entry import enter_study
from surveys.services.errors import SurveyError
from tests.factories import StudyFactory, complete_instrument
from tests.surveys.people.conftest import LINK, Person, at_once

pytestmark = pytest.mark.django_db
IDS = EntryIds("person1", "study1", "session1")


def enter(study: Study, ids: EntryIds | None = None, code: str = "", seed: int = 1):
    return enter_study(
        slug=study.slug,
        ids=ids,
        code=code or new_code(),
        now=timezone.now(),
        rng=random.Random(seed),
    )


def rows() -> list[int]:
    models = (Participant, Participation, Submission, Assignment, Administration)
    return [model.objects.count() for model in models]


def test_consent_gives_a_person_everything_they_need() -> None:
    study = StudyFactory(n_situations=3, situations_per_person=2, consent_version="7")

    participation = enter(study, IDS)

    assert participation.consent_version == "7"
    assert participation.consented_at is not None
    assert sorted(participation.item_order) == sorted(study.instrument.spec.item_keys)
    assert [a.position for a in participation.assignments.all()] == [0, 1]
    submission = participation.submission
    assert submission.prolific_participant_id == "person1"
    assert submission.prolific_study_id == "study1"
    assert submission.prolific_session_id == "session1"


def test_the_same_person_enters_once_whatever_the_session() -> None:
    study = StudyFactory()

    first = enter(study, IDS)
    again = enter(study, EntryIds("person1", "study1", "another"))

    assert again == first
    assert rows() == [1, 1, 1, 1, 0]


def test_the_same_form_without_ids_enters_once() -> None:
    study = StudyFactory()

    assert enter(study, code="one-form") == enter(study, code="one-form")
    assert enter(study, code="other-form") != enter(study, code="one-form")


def test_one_person_has_one_pseudonym_in_several_studies() -> None:
    first, second = enter(StudyFactory(), IDS), enter(StudyFactory(), IDS)

    assert first != second
    assert first.participant == second.participant


def test_a_row_that_appeared_past_the_lock_is_the_answer(monkeypatch) -> None:
    study = StudyFactory()
    first = enter(study, IDS)
    find = "surveys.services.entry.find_participation"
    from surveys.services import entry

    real, calls = entry.find_participation, []

    def blind_once(**kwargs):
        calls.append(kwargs)
        return None if len(calls) == 1 else real(**kwargs)

    monkeypatch.setattr(find, blind_once)

    assert enter(study, IDS) == first
    assert rows() == [1, 1, 1, 1, 0]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"state": "draft"}, "study_draft"),
        ({"state": "paused"}, "study_paused"),
        ({"state": "closed"}, "study_closed"),
        ({"state": "archived"}, "study_closed"),
        ({"origin": "imported", "state": "closed"}, "study_imported"),
        ({"admits_without_ids": False}, "ids_missing"),
        ({"n_situations": 0}, "study_full"),
        ({"situations_per_person": 2}, "study_full"),
        ({"target_per_situation": 0}, "study_full"),
    ],
)
def test_who_may_not_enter_leaves_no_row(fields: dict, code: str) -> None:
    study = StudyFactory(**fields)

    with pytest.raises(SurveyError) as refused:
        enter(study)

    assert refused.value.code == code
    assert rows() == [0, 0, 0, 0, 0]


def test_an_instrument_without_its_words_lets_nobody_in() -> None:
    instrument = complete_instrument("mjs")
    study = StudyFactory(instrument=instrument)
    instrument.item_texts = {}
    instrument.save()

    with pytest.raises(SurveyError) as refused:
        enter(study)

    assert refused.value.code == "instrument_incomplete"


@pytest.mark.parametrize("state", ["paused", "closed", "archived"])
def test_who_entered_before_the_study_stopped_comes_back(state: str) -> None:
    study = StudyFactory()
    first = enter(study, IDS)
    Study.objects.update(state=state)

    assert enter(study, IDS) == first


def test_closed_and_retired_situations_are_given_to_nobody_new() -> None:
    study = StudyFactory(n_situations=3)
    closed, retired, left = study.study_situations.order_by("id")
    study.study_situations.filter(pk=closed.pk).update(is_closed=True)
    Situation.objects.filter(pk=retired.situation_version.situation_id).update(state="retired")

    given = {enter(study, seed=n).assignments.get().situation_version_id for n in range(5)}

    assert given == {left.situation_version_id}


@pytest.mark.django_db(transaction=True)
def test_twenty_consents_of_one_person_are_one_participation() -> None:
    study = StudyFactory(n_situations=3)
    token = Person(study).entry_token(LINK)

    answers = at_once([lambda: Person(study).decide(token, "agree")] * 20)

    assert {answer.status_code for answer in answers} == {302}
    assert len({answer["location"] for answer in answers}) == 1
    assert rows() == [1, 1, 1, 1, 0]


def test_the_version_of_the_text_that_was_read_is_kept() -> None:
    study = StudyFactory(consent_version="1")
    one = Person(study)
    token = one.entry_token()
    Study.objects.update(consent_text="Other words.", consent_version="2")

    one.decide(token, "agree")
    Person(study).consent()

    versions = Participation.objects.order_by("pk").values_list("consent_version", flat=True)
    assert list(versions) == ["1", "2"]
