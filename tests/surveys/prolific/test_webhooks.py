"""Deliveries over the real address: forged, stale, doubled, late, strange."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from surveys.models import ProlificStudy, Submission, WebhookDelivery
from surveys.prolific import hook_view
from surveys.prolific.client import ProlificClient
from surveys.prolific.reconciling import list_cases
from surveys.prolific.records import normalise_status
from surveys.prolific.sync import note_status, sync_study
from surveys.prolific.webhooks import read_timestamp
from tests.surveys.prolific.hooks import SECRET, deliver, deliver_status, post, signed
from tests.surveys.prolific.rows import connected_study, somebody
from tests.surveys.prolific.stand_in import ProlificStandIn

pytestmark = pytest.mark.django_db
BODY = b'{"event_type": "study.progress.change", "resource_id": "st1"}'


@pytest.fixture(autouse=True)
def asked(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Stands where a worker is asked to read a submission."""
    settings.PROLIFIC_WEBHOOK_SECRET = SECRET
    mock = Mock()
    monkeypatch.setattr(hook_view, "enqueue_submission", mock)
    return mock


def status_of(row: Submission) -> str:
    row.refresh_from_db()
    return row.status


def test_a_signed_event_changes_the_submission(prolific: ProlificStandIn, asked: Mock) -> None:
    row = somebody(connected_study(prolific), "se1", state="active")

    response = deliver_status("se1", "AWAITING REVIEW")

    assert response.status_code == 200
    assert status_of(row) == "AWAITING_REVIEW"
    assert row.is_proven
    assert WebhookDelivery.objects.get().outcome == "now AWAITING_REVIEW"
    # The event does not tell the code that was entered.
    asked.assert_called_once_with("se1")


def test_what_was_told_and_not_read_yet_needs_no_action(prolific: ProlificStandIn) -> None:
    study = connected_study(prolific)
    somebody(study, "se1")
    deliver_status("se1", "AWAITING REVIEW")

    assert list_cases(study=study, now=datetime.now(UTC)) == ()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        signed(BODY, secret="another"),
        signed(BODY + b" "),
        {**signed(BODY), "X-Prolific-Request-Signature": ""},
        {**signed(BODY), "X-Prolific-Request-Signature": "söme"},
        {**signed(BODY), "X-Prolific-Request-Timestamp": "1"},
    ],
)
def test_what_prolific_did_not_sign_is_refused(headers: dict[str, str]) -> None:
    response = post(BODY, headers)

    assert (response.status_code, response.content) == (403, b"hook_unsigned")
    assert not WebhookDelivery.objects.exists()


@pytest.mark.parametrize("age", [-400, 400])
def test_stale_deliveries_are_refused(age: int) -> None:
    response = post(BODY, signed(BODY, at=time.time() - age))

    assert (response.status_code, response.content) == (403, b"hook_stale")
    assert not WebhookDelivery.objects.exists()


def test_without_a_secret_nothing_is_believed(settings: Any) -> None:
    settings.PROLIFIC_WEBHOOK_SECRET = ""

    assert post(BODY, signed(BODY, secret="")).status_code == 503


@pytest.mark.parametrize("body", [b"", b"[]", b"nothing", b"\xff\xfe", b'"x"', b"3"])
def test_a_signed_body_that_is_no_event_is_refused(body: bytes) -> None:
    assert post(body, signed(body)).status_code == 400
    assert not WebhookDelivery.objects.exists()


def test_only_posts_are_events() -> None:
    assert Client().get("/hooks/prolific/").status_code == 405


def test_the_same_event_again_changes_nothing(prolific: ProlificStandIn, asked: Mock) -> None:
    row = somebody(connected_study(prolific), "se1", state="active")
    deliver_status("se1", "RETURNED", event_id="e-1")
    Submission.objects.filter(pk=row.pk).update(status="ACTIVE", status_at=None)

    response = deliver_status("se1", "RETURNED", event_id="e-1")

    assert (response.status_code, response.content) == (200, b"known")
    assert status_of(row) == "ACTIVE"
    assert WebhookDelivery.objects.count() == 1
    assert asked.call_count == 1


def test_a_late_event_does_not_undo_a_newer_one(prolific: ProlificStandIn) -> None:
    row = somebody(connected_study(prolific), "se1", state="active")
    deliver_status("se1", "APPROVED", sent_at=time.time() - 10)

    deliver_status("se1", "AWAITING REVIEW", sent_at=time.time() - 3600)

    assert status_of(row) == "APPROVED"
    outcomes = WebhookDelivery.objects.order_by("id").values_list("outcome", flat=True)
    assert list(outcomes) == ["now APPROVED", "AWAITING_REVIEW is older than what is known"]


@given(st.permutations(["RESERVED", "ACTIVE", "AWAITING REVIEW", "APPROVED"]))
def test_in_any_order_the_last_state_stays(order: list[str]) -> None:

    life = ["RESERVED", "ACTIVE", "AWAITING REVIEW", "APPROVED"]
    row = Submission()
    for status in order:
        at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=life.index(status))
        note_status(row, normalise_status(status), at)

    assert row.status == "APPROVED"


def test_an_unknown_submission_is_read_from_prolific(
    prolific: ProlificStandIn, asked: Mock
) -> None:
    connected_study(prolific)

    assert deliver_status("new", "ACTIVE").status_code == 200

    asked.assert_called_once_with("new")
    assert not Submission.objects.exists()


def test_an_event_about_another_persons_session_is_not_believed(
    prolific: ProlificStandIn, asked: Mock
) -> None:
    row = somebody(connected_study(prolific), "se1", "mistyped")

    deliver_status("se1", "AWAITING REVIEW", participant="right")

    assert status_of(row) == ""
    asked.assert_called_once_with("se1")


def test_events_keep_no_id_of_a_person(prolific: ProlificStandIn) -> None:
    somebody(connected_study(prolific), "se1-secret", "person-secret", state="active")

    deliver_status("se1-secret", "RETURNED", participant="person-secret")
    deliver("participant.invented", "se1-secret", deep=[{"participant_id": "person-secret"}])

    assert WebhookDelivery.objects.count() == 2
    assert "secret" not in str(list(WebhookDelivery.objects.values()))


def test_an_unknown_type_is_kept_and_changes_nothing(prolific: ProlificStandIn) -> None:
    response = deliver("study.new_fashion", "st1", colour="blue")

    row = WebhookDelivery.objects.get()
    assert response.status_code == 200
    assert row.body == {"event_type": "study.new_fashion", "resource_id": "st1", "colour": "blue"}
    assert row.handled_at is None


def test_states_of_the_study_are_taken_in_order(prolific: ProlificStandIn) -> None:
    study = connected_study(prolific)
    now = time.time()

    deliver("study.status.change", "st1", status="AWAITING REVIEW", sent_at=now - 10)
    deliver("study.status.change", "st1", status="ACTIVE", sent_at=now - 20)
    deliver("study.status.change", "unknown", status="PAUSED")

    assert ProlificStudy.objects.get(study=study).status == "AWAITING_REVIEW"


def test_a_high_return_rate_is_noted_with_the_study(prolific: ProlificStandIn) -> None:
    study = connected_study(prolific)

    deliver("study.has_high_return_rate", "st1", event_id="once")
    deliver("study.has_high_return_rate", "st1", event_id="once")

    assert study.events.filter(kind="prolific high return rate").count() == 1


def test_a_lost_event_is_made_good_by_reading(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    row = somebody(study, "se1", state="active")
    prolific.add_submission("se1", "p-se1", "st1", status="TIMED-OUT")

    sync_study(
        row=ProlificStudy.objects.get(study=study),
        client=client_of_prolific,
        now=datetime.now(UTC),
    )
    late = deliver_status("se1", "TIMED-OUT", sent_at=time.time() - 60)

    assert status_of(row) == "TIMED_OUT"
    assert late.status_code == 200


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("1790000000", datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)),
        ("1790000000.0", datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)),
        ("1790000000000", datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)),
        ("2026-09-21T14:13:20Z", datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("1e999", None),
    ],
)
def test_times_of_events(text: str, at: datetime | None) -> None:
    assert read_timestamp(text) == at
