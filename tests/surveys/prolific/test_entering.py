"""From Prolific's link to a submission, through the real pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from surveys import tasks
from surveys.models import ProlificStudy, Study, Submission
from surveys.prolific.client import ProlificClient
from surveys.prolific.sync import sync_study
from surveys.services.places import has_room
from tests.surveys.prolific.hooks import SECRET, deliver_status
from tests.surveys.prolific.rows import connected_study, somebody
from tests.surveys.prolific.stand_in import ProlificStandIn
from tests.surveys.prolific.test_launching import public_key, token

pytestmark = pytest.mark.django_db
LINK = "?PROLIFIC_PID=p1&STUDY_ID=st1&SESSION_ID=se1"


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mock]:
    """Stands where a worker is asked for a proof."""
    cache.clear()
    mock = Mock()
    monkeypatch.setattr(tasks, "enqueue_proof", mock)
    yield mock
    cache.clear()


def enter(study: Study, link: str) -> None:
    """Follow a link of Prolific in a new browser and consent."""
    browser = Client()
    page = browser.get(f"/s/{study.slug}/{link}", follow=True)
    assert page.status_code == 200, page.content.decode()
    assert page.request["QUERY_STRING"] == ""
    entry = re.search(r'name="entry" value="([^"]+)"', page.content.decode())
    assert entry is not None
    answer = browser.post(f"/s/{study.slug}/", {"entry": entry[1], "decision": "agree"})
    assert answer.status_code == 302


def test_a_plain_link_is_to_be_proven_after_the_commit(
    prolific: ProlificStandIn, asked: Mock, django_capture_on_commit_callbacks
) -> None:
    study = connected_study(prolific)

    with django_capture_on_commit_callbacks(execute=True):
        enter(study, LINK)

    row = Submission.objects.get()
    assert not row.is_proven
    asked.assert_called_once_with(row.pk)
    assert prolific.calls == []


@pytest.mark.parametrize("plain", ["?", LINK + "&", "?PROLIFIC_PID=forged&"])
def test_a_signed_link_is_proven_by_itself(
    plain: str, prolific: ProlificStandIn, asked: Mock, django_capture_on_commit_callbacks
) -> None:
    study = connected_study(prolific)
    prolific.keys = [public_key("k1")]

    with django_capture_on_commit_callbacks(execute=True):
        enter(study, f"{plain}prolific_token={token()}")

    row = Submission.objects.get()
    assert (row.prolific_participant_id, row.prolific_session_id) == ("p1", "se1")
    assert row.is_proven
    asked.assert_not_called()


def test_a_study_that_is_not_on_prolific_asks_nobody(
    prolific: ProlificStandIn, asked: Mock, django_capture_on_commit_callbacks
) -> None:
    study = connected_study(prolific)
    ProlificStudy.objects.all().delete()

    with django_capture_on_commit_callbacks(execute=True):
        enter(study, LINK)

    asked.assert_not_called()


def test_who_is_known_before_the_consent_enters_all_the_same(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    prolific.add_submission("se1", "p1", "st1", status="RESERVED")
    sync_study(
        row=ProlificStudy.objects.get(study=study), client=client_of_prolific, now=timezone.now()
    )

    enter(study, LINK)

    row = Submission.objects.get()
    assert row.participation is not None
    assert (row.status, row.is_proven) == ("RESERVED", True)


@pytest.mark.parametrize("way", ["webhook", "reading"])
@pytest.mark.parametrize("status", ["RETURNED", "TIMED-OUT"])
def test_a_place_is_free_again_once_prolific_says_they_left(
    status: str,
    way: str,
    prolific: ProlificStandIn,
    client_of_prolific: ProlificClient,
    settings,
) -> None:
    settings.PROLIFIC_WEBHOOK_SECRET = SECRET
    study = connected_study(prolific, target_per_situation=1)
    row = somebody(study, "se1", state="active", status="ACTIVE", status_at=timezone.now())
    prolific.add_submission("se1", "p-se1", "st1", status=status)
    assert not has_room(study=study, now=timezone.now())

    for _ in range(2):
        if way == "webhook":
            deliver_status("se1", status, event_id="e1")
        else:
            sync_study(
                row=ProlificStudy.objects.get(study=study),
                client=client_of_prolific,
                now=timezone.now() + timedelta(seconds=1),
            )
        row.refresh_from_db()
        assert row.status == status.replace("-", "_")
        assert has_room(study=study, now=timezone.now())
