"""Withdrawing: on every page and until the stated date; what is told about a person is gone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from surveys.models import (
    Administration,
    AttentionCheck,
    PageVisit,
    Participation,
    Submission,
)
from tests.factories import ParticipationFactory, StudyFactory
from tests.surveys.people.conftest import LINK, Person, at_once

pytestmark = pytest.mark.django_db
TOLD = {
    "gender": "Female",
    "year_of_birth": 1985,
    "country": "Chile",
    "employment": "Student",
    "education": "Primary school",
    "declined_questions": ["gender"],
    "comment": "My name is Ada",
    "flags": [{"code": "fast", "reason": "0.4 s an item"}],
    "excluded_because": "Quality rule: 2 flags",
    "viewport_class": "small",
    "layout": "stacked",
    "is_translated": True,
}


def html_of(response) -> str:
    return response.content.decode()


def done(days_ago: float = 0, **fields) -> Participation:
    completed_at = timezone.now() - timedelta(days=days_ago)
    return ParticipationFactory(state="completed", completed_at=completed_at, **fields)


def address_of(participation: Participation) -> str:
    return f"/s/{participation.study.slug}/p/{participation.code}/"


def withdraw(participation: Participation):
    return Client().post(address_of(participation) + "withdraw/", follow=True)


def test_every_page_leads_to_withdrawing(person) -> None:
    one = person(StudyFactory())
    own = one.consent(LINK)
    way = f'action="{own}withdraw/"'
    for _ in range(11):
        assert way in html_of(one.client.get(own, follow=True))
        one.walk(own, pages=1)
    assert way in one.finish(own)
    assert way in html_of(one.client.get(own))


@pytest.mark.parametrize("is_complete", [False, True])
def test_everything_that_tells_about_the_person_is_gone(person, is_complete: bool) -> None:
    one = person(StudyFactory())
    own = one.consent(LINK)
    one.walk(own, pages=1000 if is_complete else 3)
    Participation.objects.update(**TOLD)
    participation = Participation.objects.get()
    AttentionCheck.objects.create(
        participation=participation, measure_position=0, place=3, asked_value=2, text="Choose 2"
    )
    PageVisit.objects.get_or_create(
        participation=participation,
        number=1,
        defaults={"first_shown_at": timezone.now(), "last_shown_at": timezone.now()},
    )

    html = html_of(withdraw(participation))

    assert "You have withdrawn" in html
    for model in (Administration, AttentionCheck, PageVisit):
        assert not model.objects.exists()
    stone = Participation.objects.get()
    empty = Participation()
    assert {name: getattr(stone, name) for name in TOLD} == {
        name: getattr(empty, name) for name in TOLD
    }
    assert stone.state == "withdrawn"
    assert not Participation.objects.counted().exists()
    assert "Ada" not in html_of(one.client.get(own))


def test_the_outcome_and_its_code_become_those_of_withdrawing() -> None:
    study = StudyFactory()
    study.completion_codes.create(outcome="withdrawn", code="LEFTEARLY")
    participation = ParticipationFactory(study=study, prolific_id="person1")

    html = html_of(withdraw(participation))

    participation.refresh_from_db()
    assert participation.outcome == "withdrawn"
    assert "complete?cc=LEFTEARLY" in html
    assert "Stop without completing" in html
    assert "CODE1234" not in html


def test_without_a_code_for_it_the_submission_is_returned_by_hand() -> None:
    html = html_of(withdraw(ParticipationFactory(prolific_id="person1")))

    assert "Stop without completing" in html
    assert "cc=" not in html


def test_who_did_not_come_from_prolific_is_not_sent_there() -> None:
    study = StudyFactory()
    study.completion_codes.create(outcome="withdrawn", code="LEFTEARLY")

    html = html_of(withdraw(ParticipationFactory(study=study)))

    assert "LEFTEARLY" not in html
    assert "Prolific" not in html


@pytest.mark.parametrize("outcome", ["", "completed", "failed_attention"])
def test_who_had_finished_keeps_the_code_of_their_outcome(outcome: str) -> None:
    study = StudyFactory()
    study.completion_codes.create(outcome="withdrawn", code="LEFTEARLY")
    study.completion_codes.create(outcome="failed_attention", code="FAILED")
    participation = done(study=study, outcome=outcome, prolific_id="person1")

    html = html_of(withdraw(participation))

    code = "FAILED" if outcome == "failed_attention" else "CODE1234"
    assert f"complete?cc={code}" in html
    assert "LEFTEARLY" not in html
    assert "Stop without completing" not in html
    assert Submission.objects.filter(participation=participation).exists()


@pytest.mark.parametrize(("days_ago", "is_open"), [(0, True), (2.9, True), (4.1, False)])
def test_after_the_stated_date_answers_stay_and_a_page_says_whom_to_write_to(
    days_ago: float, is_open: bool
) -> None:
    study = StudyFactory(withdrawal_days=3, contact="lab@example.org")
    participation = done(days_ago, study=study, left_at=timezone.now(), gender="Male")
    asked = Client().get(address_of(participation) + "withdraw/")
    answer = withdraw(participation)

    participation.refresh_from_db()
    assert (participation.state == "withdrawn") is is_open
    assert (participation.gender == "") is is_open
    if not is_open:
        for page in (asked, answer):
            assert page.status_code == 410
            assert "time for withdrawing is over" in html_of(page)
            assert "Write to lab@example.org" in html_of(page)
        assert "withdraw/" not in html_of(Client().get(address_of(participation)))


def test_the_stated_day_lasts_until_its_end(monkeypatch) -> None:
    participation = done(study=StudyFactory(withdrawal_days=1))
    last = (participation.completed_at + timedelta(days=1)).replace(hour=23, minute=59)
    monkeypatch.setattr("surveys.views.ends.timezone.now", lambda: last)
    assert Client().get(address_of(participation) + "withdraw/").status_code == 200

    after = last + timedelta(minutes=1)
    monkeypatch.setattr("surveys.views.ends.timezone.now", lambda: after)
    assert Client().get(address_of(participation) + "withdraw/").status_code == 410


def test_who_has_not_finished_may_withdraw_at_any_time() -> None:
    long_ago = timezone.now() - timedelta(days=400)
    participation = ParticipationFactory(consented_at=long_ago, gender="Male")

    withdraw(participation)

    participation.refresh_from_db()
    assert (participation.state, participation.gender) == ("withdrawn", "")


def test_a_tombstone_keeps_withdrawing_after_the_date_harmless() -> None:
    participation = done(2)
    withdraw(participation)
    Participation.objects.update(completed_at=timezone.now() - timedelta(days=99))

    assert "You have withdrawn" in html_of(withdraw(participation))


@pytest.mark.django_db(transaction=True)
def test_withdrawing_while_a_page_is_saved_leaves_no_answer() -> None:
    one = Person(StudyFactory())
    own = one.consent()
    here = one.walk(own, pages=2)
    answers = one.page_answers(here)

    saves = [lambda: Person(one.study).client.post(here, answers)] * 4
    at_once([*saves, lambda: Person(one.study).client.post(own + "withdraw/"), *saves])

    assert Participation.objects.get().state == "withdrawn"
    assert not Administration.objects.exists()
