"""Whoever cannot enter learns why, before consenting where possible, and how to go back."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from surveys.models import (
    Assignment,
    Participant,
    Participation,
    ProlificStudy,
    Study,
    Submission,
)
from tests.factories import ParticipationFactory, StudyFactory
from tests.surveys.people.conftest import LINK, Person

pytestmark = pytest.mark.django_db
FULL = "https://app.prolific.com/submissions/complete?cc=SORRY1"
BY_HAND = "Stop without completing"


def html_of(response) -> str:
    return response.content.decode()


def visit(study: Study, link: dict[str, str] | None = None):
    return Client().get(f"/s/{study.slug}/", link, follow=True)


def study_with_code(**fields) -> Study:
    study = StudyFactory(**{"admits_without_ids": False, **fields})
    study.completion_codes.create(outcome="study_full", code="SORRY1")
    return study


REFUSALS = [
    ({"target_per_situation": 0}, 409, "all the participants it needs"),
    ({"state": "paused"}, 409, "takes a break"),
    ({"state": "closed"}, 410, "This study has ended</h1>"),
    ({"state": "archived"}, 410, "ended for good"),
]


@pytest.mark.parametrize(("fields", "status", "words"), REFUSALS)
def test_who_comes_too_late_gets_both_ways_back(fields: dict, status: int, words: str) -> None:
    response = visit(study_with_code(**fields), LINK)

    html = html_of(response)
    assert response.status_code == status
    assert words in html
    assert f'href="{FULL}"' in html
    assert BY_HAND in html
    assert 'name="decision"' not in html
    assert Participant.objects.count() == Submission.objects.count() == 0


@pytest.mark.parametrize(("fields", "status", "words"), REFUSALS)
def test_without_a_code_or_ids_no_button_leads_to_prolific(
    fields: dict, status: int, words: str
) -> None:
    study = StudyFactory(admits_without_ids=True, **fields)
    assert "cc=" not in html_of(visit(study, LINK))
    assert BY_HAND in html_of(visit(study, LINK))

    study.completion_codes.create(outcome="study_full", code="SORRY1")

    html = html_of(visit(study))
    assert words in html
    assert "SORRY1" not in html
    assert BY_HAND not in html


def test_a_study_not_yet_open_says_so_and_how_to_go_back() -> None:
    response = visit(study_with_code(state="draft"), LINK)

    assert response.status_code == 403
    assert "has not opened yet" in html_of(response)
    assert BY_HAND in html_of(response)


def test_the_last_place_taken_between_reading_and_agreeing(person) -> None:
    study = study_with_code(target_per_situation=1)
    one, other = person(study), person(study)
    token = one.entry_token(LINK)
    other.consent(LINK | {"PROLIFIC_PID": "person2"})
    one.client.cookies.clear()

    response = one.decide(token, "agree")

    assert response.status_code == 409
    assert f'href="{FULL}"' in html_of(response)
    assert Participation.objects.count() == 1


def test_with_one_situation_full_the_next_person_gets_another(person) -> None:
    study = StudyFactory(n_situations=2, target_per_situation=1)
    for _ in range(2):
        person(study).consent()

    given = Assignment.objects.values_list("situation_version_id", flat=True)
    assert len(set(given)) == 2
    assert visit(study).status_code == 409


def test_whom_to_ask_is_said_where_it_is_known() -> None:
    study = StudyFactory(state="closed", contact="lab@example.org")

    assert "Write to lab@example.org" in html_of(visit(study))


@pytest.mark.parametrize("state", ["paused", "closed", "archived"])
def test_who_has_begun_goes_on_whatever_became_of_the_study(person, state: str) -> None:
    study = StudyFactory()
    one = person(study)
    own = one.consent(LINK)
    Study.objects.update(state=state)

    assert visit(study, LINK).status_code == 200
    assert one.walk(own) == own


@pytest.mark.parametrize(
    "broken",
    [
        {"PROLIFIC_PID": ""},
        {"PROLIFIC_PID": "undefined"},
        {"PROLIFIC_PID": "NULL"},
        {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"},
        {"SESSION_ID": "x" * 1024},
        {"STUDY_ID": "идентификатор"},
        {"SESSION_ID": "a b"},
        {"SESSION_ID": "\x00"},
    ],
)
def test_a_link_without_real_ids_is_refused_kindly_and_makes_no_row(broken: dict) -> None:
    response = visit(StudyFactory(admits_without_ids=False), LINK | broken)

    assert response.status_code == 400
    assert "come in through your link from Prolific" in html_of(response)
    assert BY_HAND in html_of(response)
    assert Participant.objects.count() == 0


@pytest.mark.parametrize("missing", list(LINK))
def test_a_link_that_lacks_an_id_is_refused(missing: str) -> None:
    link = {name: value for name, value in LINK.items() if name != missing}

    assert visit(StudyFactory(admits_without_ids=False), link).status_code == 400


@pytest.mark.parametrize("change", [str.lower, str.title, str.swapcase])
def test_ids_arrive_unchanged_whatever_the_case_of_their_names(person, change) -> None:
    values = {"PROLIFIC_PID": "5fA-9_x", "STUDY_ID": "aB" * 32, "SESSION_ID": "0"}
    study = StudyFactory(admits_without_ids=False)

    person(study).consent({change(name): value for name, value in values.items()})

    submission = Submission.objects.get()
    assert submission.prolific_participant_id == values["PROLIFIC_PID"]
    assert submission.prolific_study_id == values["STUDY_ID"]
    assert submission.prolific_session_id == values["SESSION_ID"]


def test_a_link_of_another_study_on_prolific_is_refused() -> None:
    study = StudyFactory(admits_without_ids=False)
    ProlificStudy.objects.create(study=study, prolific_id="study1")
    assert visit(study, LINK).status_code == 200

    response = visit(study, LINK | {"STUDY_ID": "study2"})

    assert response.status_code == 400
    assert "belongs to another study" in html_of(response)
    assert Participant.objects.count() == 0


def test_an_old_link_never_leads_into_another_study(person) -> None:
    first, second = StudyFactory(), StudyFactory(state="closed")
    own = person(first).consent(LINK)

    assert visit(second, LINK).status_code == 410
    code = own.rstrip("/").rsplit("/", 1)[1]
    assert Client().get(f"/s/{second.slug}/p/{code}/").status_code == 404


@pytest.mark.parametrize(
    "agent",
    ["Slackbot-LinkExpanding 1.0", "Mozilla/5.0 SafeLinks", "WhatsApp/2", "Twitterbot/1.0"],
)
def test_previewers_of_links_take_no_place(agent: str) -> None:
    study = StudyFactory(target_per_situation=1)
    for headers in ({"user-agent": agent}, {"purpose": "prefetch", "sec-purpose": "prefetch"}):
        browser = Client(headers=headers)
        for look in (browser.get, browser.head):
            look(f"/s/{study.slug}/", LINK, follow=True)

    assert Participant.objects.count() == Participation.objects.count() == 0
    assert Assignment.objects.count() == Submission.objects.count() == 0
    assert visit(study, LINK).status_code == 200


AGAIN = LINK | {"SESSION_ID": "session2"}


def rejoin(person: Person) -> str:
    return person.decide(person.entry_token(AGAIN), "rejoin")["location"]


@pytest.mark.parametrize("status", ["", "RETURNED", "TIMED_OUT", "ACTIVE"])
def test_who_returned_and_begins_again_goes_on_and_is_paid_through_the_new_submission(
    person, status: str
) -> None:
    study = StudyFactory()
    own = person(study).consent(LINK)
    here = person(study).walk(own, pages=3)
    Submission.objects.update(status=status, entered_code="NOCODE", synced_at=timezone.now())
    one = person(study)

    assert "You have been here before" in html_of(one.client.get(one.address, AGAIN, follow=True))
    assert Submission.objects.get().prolific_session_id == "session1"
    assert rejoin(one) == own

    assert one.current(own) == here
    submission = Submission.objects.get()
    assert (submission.prolific_session_id, submission.status) == ("session2", "")
    assert (submission.entered_code, submission.synced_at) == ("", None)
    assert Participation.objects.count() == 1
    assert one.client.get(one.address, AGAIN, follow=True).request["PATH_INFO"] == here


def test_who_finished_and_begins_again_gets_to_the_end(person) -> None:
    study = StudyFactory()
    own = person(study).consent(LINK)
    person(study).walk(own)
    one = person(study)

    assert "nothing more to answer" in html_of(one.client.get(one.address, AGAIN, follow=True))
    assert rejoin(one) == own
    assert one.current(own) == own
    assert Submission.objects.get().prolific_session_id == "session2"


@pytest.mark.parametrize("status", ["APPROVED", "AWAITING_REVIEW", "REJECTED"])
def test_a_submission_that_prolific_has_is_never_replaced(person, status: str) -> None:
    study = StudyFactory()
    own = person(study).consent(LINK)
    Submission.objects.update(status=status)
    one = person(study)

    response = one.client.get(one.address, AGAIN, follow=True)

    assert response.request["PATH_INFO"].startswith(own)
    assert Submission.objects.get().prolific_session_id == "session1"


def test_who_withdrew_does_not_begin_again(person) -> None:
    study = StudyFactory()
    gone = ParticipationFactory(study=study, state="withdrawn", prolific_id="person1")

    response = visit(study, AGAIN)

    assert response.request["PATH_INFO"].endswith(f"/p/{gone.code}/")
    assert "You have withdrawn" in html_of(response)
    assert Participation.objects.count() == 1


def test_rejoining_without_an_earlier_participation_is_refused(person) -> None:
    one = person(StudyFactory())

    assert one.decide(one.entry_token(LINK), "rejoin").status_code == 404
    assert one.decide(one.entry_token(), "rejoin").status_code == 404
    assert Participant.objects.count() == 0
