"""Who holds a place, and that places stay true when many come at once."""

from __future__ import annotations

import random
import time
from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from surveys.domain.entry_ids import EntryIds
from surveys.entry_tokens import ConsentForm, sign_form
from surveys.models import Assignment, Participation, Study, Submission
from surveys.models.participation import new_code
from surveys.services import entry
from surveys.services.entry import enter_study
from surveys.services.errors import SurveyError
from surveys.services.places import count_places
from tests.factories import ParticipationFactory, StudyFactory
from tests.surveys.people.conftest import LINK, Person, at_once

pytestmark = pytest.mark.django_db
LONG_AGO = timezone.now() - timedelta(days=9)
IDS = EntryIds("person1", "study1", "session1")


def enter(study: Study, ids: EntryIds | None = None, seed: int = 1) -> Participation:
    return enter_study(
        slug=study.slug, ids=ids, code=new_code(), now=timezone.now(), rng=random.Random(seed)
    )


def places(study: Study) -> list[int]:
    return list(count_places(study=study, now=timezone.now()).values())


@pytest.mark.parametrize(
    "fields",
    [
        {"state": "withdrawn"},
        {"is_test": True},
        {"excluded_because": "a bot"},
        {"is_test": True, "state": "completed"},
        {"excluded_because": "a bot", "state": "completed"},
        {"last_seen_at": LONG_AGO},
    ],
)
def test_who_does_not_count_holds_no_place(fields: dict) -> None:
    study = StudyFactory(target_per_situation=1)
    ParticipationFactory(study=study, **fields)

    assert places(study) == [0]
    assert enter(study)


@pytest.mark.parametrize("fields", [{}, {"state": "completed", "last_seen_at": LONG_AGO}])
@pytest.mark.parametrize("submission", ["", "person1"])
def test_who_is_active_or_done_holds_a_place(fields: dict, submission: str) -> None:
    study = StudyFactory(target_per_situation=1)
    ParticipationFactory(study=study, prolific_id=submission, **fields)

    assert places(study) == [1]
    with pytest.raises(SurveyError) as refused:
        enter(study)
    assert refused.value.code == "study_full"


@pytest.mark.parametrize(
    ("status", "state", "held"),
    [
        ("", "active", 1),
        ("ACTIVE", "active", 1),
        ("A_STATE_NOBODY_KNOWS", "active", 1),
        ("RETURNED", "active", 0),
        ("TIMED_OUT", "active", 0),
        ("REJECTED", "active", 0),
        ("RETURNED", "completed", 1),
        ("TIMED_OUT", "completed", 1),
        ("APPROVED", "completed", 1),
        ("REJECTED", "completed", 0),
    ],
)
def test_prolifics_word_about_a_submission_frees_its_place(status, state, held) -> None:
    study = StudyFactory()
    ParticipationFactory(study=study, state=state, prolific_id="person1")
    Submission.objects.update(status=status)

    assert places(study) == [held]


def test_a_place_is_freed_once_however_often_it_is_told() -> None:
    study = StudyFactory(n_situations=1, target_per_situation=2)
    for name in ("person1", "person2"):
        ParticipationFactory(study=study, prolific_id=name)
    gone = Submission.objects.get(prolific_participant_id="person1")
    for status in ("RETURNED", "RETURNED", "TIMED_OUT"):
        gone.status = status
        gone.save()
    # The time-out of a silent participant frees nothing a second time.
    Participation.objects.filter(pk=gone.participation_id).update(last_seen_at=LONG_AGO)

    enter(study)

    with pytest.raises(SurveyError):
        enter(study)


def test_a_late_finisher_is_welcome_counted_and_given_the_code() -> None:
    study = StudyFactory(target_per_situation=1, admits_without_ids=False)
    late = Person(study)
    own = late.consent(LINK)
    late.walk(own, pages=3)
    Submission.objects.update(status="TIMED_OUT")
    other = Person(study)
    other.walk(other.consent(LINK | {"PROLIFIC_PID": "person2"}))

    assert late.walk(own) == own

    assert "CODE1234" in late.finish(own)
    assert Participation.objects.counted().count() == 2
    assert places(study) == [2]


def test_who_returned_and_begins_again_comes_back_to_the_same_participation() -> None:
    study = StudyFactory(n_situations=3)
    first = enter(study, IDS)
    Submission.objects.update(status="RETURNED")

    again = enter(study, EntryIds("person1", "study1", "session2"))

    assert again == first
    assert Assignment.objects.count() == 1


def test_a_situation_that_is_closed_under_way_goes_to_nobody_new() -> None:
    study = StudyFactory(n_situations=2)
    closed, left = study.study_situations.order_by("id")
    begun = ParticipationFactory(study=study, assigned=[closed.situation_version])
    study.study_situations.filter(pk=closed.pk).update(is_closed=True)

    given = [enter(study, seed=n).assignments.get().situation_version_id for n in range(4)]

    assert set(given) == {left.situation_version_id}
    one = Person(study)
    own = f"/s/{study.slug}/p/{begun.code}/"
    assert one.walk(own) == own
    assert Participation.objects.counted().get() == begun


def test_a_full_situation_sends_people_to_another() -> None:
    study = StudyFactory(n_situations=2, target_per_situation=1)
    full, left = study.study_situations.order_by("id")
    ParticipationFactory(study=study, assigned=[full.situation_version])

    assert enter(study).assignments.get().situation_version_id == left.situation_version_id
    # Told before consent, and before reading.
    response = Person(study).client.get(f"/s/{study.slug}/", LINK, follow=True)
    assert response.status_code == 409


def spread(study: Study) -> int:
    given = Counter(Assignment.objects.values_list("situation_version_id", flat=True))
    counts = [given[pk] for pk in study.situations.values_list("pk", flat=True)]
    return max(counts) - min(counts)


@pytest.mark.django_db(transaction=True)
def test_people_who_come_at_once_are_spread_evenly() -> None:
    study = StudyFactory(n_situations=4)

    entered = at_once([lambda n=n: enter(study, seed=n) for n in range(22)])

    assert len({p.pk for p in entered}) == Assignment.objects.count() == 22
    assert spread(study) <= 1


@pytest.mark.needs_postgresql
@pytest.mark.django_db(transaction=True)
def test_two_hundred_consents_at_once_are_spread_evenly() -> None:
    study = StudyFactory(n_situations=36, admits_without_ids=False)
    forms = [ConsentForm(EntryIds(f"p{n}", "study1", f"s{n}"), new_code()) for n in range(200)]
    tokens = [sign_form(study.slug, form) for form in forms]

    answers = at_once(
        [lambda token=token: Person(study).decide(token, "agree") for token in tokens], threads=40
    )

    assert {answer.status_code for answer in answers} == {302}
    assert len({answer["location"] for answer in answers}) == 200
    given = Assignment.objects.values_list("participation", flat=True)
    assert len(given) == len(set(given)) == 200
    assert spread(study) == 1


@pytest.mark.needs_postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("is_locked", "even"), [(True, True), (False, False)])
def test_only_the_lock_keeps_places_even(monkeypatch, is_locked: bool, even: bool) -> None:
    study = StudyFactory(n_situations=4)
    count, find = entry.count_places, entry._study

    def count_slowly(**kwargs):
        counts = count(**kwargs)
        time.sleep(0.2)
        return counts

    monkeypatch.setattr(entry, "count_places", count_slowly)
    monkeypatch.setattr(entry, "_study", lambda slug, **_: find(slug, is_locked=is_locked))

    at_once([lambda: enter(study, seed=7)] * 8)

    assert (spread(study) <= 1) is even


@pytest.mark.django_db(transaction=True)
def test_the_last_place_is_given_once() -> None:
    study = StudyFactory(target_per_situation=1)

    def try_to_enter():
        try:
            return enter(study)
        except SurveyError as error:
            return error.code

    results = at_once([try_to_enter] * 8)

    assert results.count("study_full") == 7
    assert Participation.objects.count() == 1
