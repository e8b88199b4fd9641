"""Deciding not to take part: one more in a counter, no trace, and a way back to Prolific."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.core.cache import cache
from django.test import Client
from redis.exceptions import ConnectionError as RedisGone

from surveys.models import Participation, Study
from tests.factories import StudyFactory
from tests.surveys.people.conftest import LINK, Person, at_once

pytestmark = pytest.mark.django_db
NO_CONSENT = "https://app.prolific.com/submissions/complete?cc=NOTHANKS"


def rows() -> dict[str, int]:
    return {m.__name__: m._default_manager.count() for m in apps.get_models()}


def n_declined(study: Study) -> int:
    study.refresh_from_db()
    return study.n_declined


def decline(person: Person, link: dict[str, str] | None = None) -> str:
    response = person.decide(person.entry_token(link), "decline")
    return person.client.get(response["location"]).content.decode()


def test_declining_leaves_nothing_but_a_counter(person) -> None:
    study = StudyFactory(admits_without_ids=False)
    before = rows()

    html = decline(person(study), LINK)

    assert "You are not taking part" in html
    assert n_declined(study) == 1
    assert rows() == before


def test_who_agreed_in_another_window_is_led_to_withdrawing(person) -> None:
    study = StudyFactory()
    one = person(study)
    token = one.entry_token()
    own = one.decide(token, "agree")["location"]

    assert one.decide(token, "decline")["location"] == f"{own}withdraw/"
    assert n_declined(study) == 0
    assert Participation.objects.get().state == "active"


def test_a_double_click_counts_once(person) -> None:
    study = StudyFactory()
    one = person(study)
    token = one.entry_token()

    answers = [one.decide(token, "decline") for _ in range(3)]

    assert {answer["location"] for answer in answers} == {f"/s/{study.slug}/declined/"}
    assert n_declined(study) == 1


@pytest.mark.django_db(transaction=True)
def test_twenty_clicks_at_once_count_once_and_two_people_twice() -> None:
    study = StudyFactory()
    tokens = [Person(study).entry_token() for _ in range(2)]

    at_once([lambda t=t: Person(study).decide(t, "decline") for t in tokens * 10])

    assert n_declined(study) == 2


def test_one_person_of_prolific_counts_once_however_often_they_decline(person) -> None:
    study = StudyFactory()
    for session in ("first", "second"):
        decline(person(study), LINK | {"SESSION_ID": session})
    assert n_declined(study) == 1

    decline(person(study), LINK | {"PROLIFIC_PID": "person2"})
    assert n_declined(study) == 2


def test_who_declines_and_thinks_again_may_take_part(person) -> None:
    one = person(StudyFactory())
    html = decline(one, LINK)
    assert f'href="{one.address}"' in html

    own = one.consent()

    assert Participation.objects.get().submission.prolific_participant_id == LINK["PROLIFIC_PID"]
    assert one.walk(own) == own
    assert n_declined(one.study) == 1


def test_the_pilot_counts_nobody(person) -> None:
    study = StudyFactory(state="pilot")

    decline(person(study))

    assert n_declined(study) == 0


def test_both_ways_back_are_offered(person) -> None:
    study = StudyFactory(admits_without_ids=False)
    study.completion_codes.create(outcome="no_consent", code="NOTHANKS")

    html = decline(person(study), LINK)

    assert f'href="{NO_CONSENT}"' in html
    assert "Stop without completing" in html
    assert "CODE1234" not in html


def test_without_a_code_the_submission_is_returned_by_hand(person) -> None:
    html = decline(person(StudyFactory(admits_without_ids=False)), LINK)

    assert "Stop without completing" in html
    assert "cc=" not in html


def test_who_did_not_come_from_prolific_is_not_sent_there(person) -> None:
    study = StudyFactory()
    study.completion_codes.create(outcome="no_consent", code="NOTHANKS")

    html = decline(person(study))

    assert "NOTHANKS" not in html
    assert "Stop without completing" not in html


def test_a_browser_without_cookies_learns_the_ways_back_too(person) -> None:
    study = StudyFactory(admits_without_ids=False)
    study.completion_codes.create(outcome="no_consent", code="NOTHANKS")

    html = Client().get(f"/s/{study.slug}/declined/").content.decode()

    assert f'href="{NO_CONSENT}"' in html


def test_a_forged_form_counts_nothing(person) -> None:
    study = StudyFactory()

    assert person(study).decide("forged", "decline").status_code == 400
    assert n_declined(study) == 0


def test_declining_works_while_the_cache_is_gone(person, monkeypatch) -> None:
    study = StudyFactory()
    one = person(study)
    token = one.entry_token()

    def gone(*args: object, **kwargs: object) -> None:
        raise RedisGone

    monkeypatch.setattr(cache, "add", gone)

    assert one.decide(token, "decline").status_code == 302
    assert n_declined(study) == 1


def test_nobody_declines_a_study_that_is_not_there(client) -> None:
    response = client.get("/s/nowhere/declined/")

    assert response.status_code == 404
    assert "There is no such study" in response.content.decode()
