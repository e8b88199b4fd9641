"""Events that Prolific delivers: verified on their raw bytes, kept once, taken in any order.

Handling writes to the database and calls nobody. What needs a question to Prolific is handed to
a worker; where that fails, the next regular reading finds the same.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db import transaction

from surveys.models import ProlificStudy, Submission, WebhookDelivery
from surveys.prolific.records import normalise_status, read_time
from surveys.prolific.sync import note_status
from surveys.services.errors import SurveyError
from surveys.services.studies import record_event

SUBMISSION_STATUS = "submission.status.change"
STUDY_STATUS = "study.status.change"
STUDY_PROGRESS = "study.progress.change"
HIGH_RETURN_RATE = "study.has_high_return_rate"
EVENT_TYPES = (SUBMISSION_STATUS, STUDY_STATUS, STUDY_PROGRESS, HIGH_RETURN_RATE)
# Ids of persons live in the submissions alone, and addresses nowhere.
_NOT_KEPT = {"participant_id", "participant", "submission_id", "session_id", "ip", "strata"}


@dataclass(frozen=True, slots=True)
class Delivery:
    """One verified delivery; `sent_at` orders the events."""

    event_id: str
    sent_at: datetime
    body: Mapping[str, Any]

    @property
    def event_type(self) -> str:
        return str(self.body.get("event_type", ""))[:60]

    @property
    def resource(self) -> str:
        return str(self.body.get("resource_id", ""))[:64]


@dataclass(frozen=True, slots=True)
class Taken:
    """A kept event. `needs_reading`: Prolific knows more about its submission than it told."""

    row: WebhookDelivery
    is_new: bool
    needs_reading: bool


def verify(*, body: bytes, signature: str, timestamp: str, now: datetime) -> None:
    """Raise SurveyError unless Prolific signed exactly these bytes, and lately.

    `hook_secret_missing`, `hook_unsigned`, `hook_stale`.
    """
    secret = settings.PROLIFIC_WEBHOOK_SECRET
    if not secret:
        raise SurveyError(code="hook_secret_missing", detail="Set PROLIFIC_WEBHOOK_SECRET.")
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    expected = base64.b64encode(digest)
    if not hmac.compare_digest(expected, signature.strip().encode()):
        raise SurveyError(code="hook_unsigned")
    signed_at = read_timestamp(timestamp)
    tolerance = settings.PROLIFIC_WEBHOOK_TOLERANCE_SECONDS
    if signed_at is None or abs((now - signed_at).total_seconds()) > tolerance:
        raise SurveyError(code="hook_stale")


def read_timestamp(text: str) -> datetime | None:
    """A time in seconds or milliseconds since 1970, or in ISO 8601; None for anything else."""
    try:
        seconds = float(text)
    except ValueError:
        return read_time(text.strip())
    # Seconds reach this only in the year 5138.
    seconds = seconds / 1000 if seconds > 1e11 else seconds
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None


@transaction.atomic
def take_delivery(*, delivery: Delivery, now: datetime) -> Taken:
    """Keep an event and do what it says; the same event again does nothing."""
    row, is_new = WebhookDelivery.objects.get_or_create(
        event_id=delivery.event_id,
        defaults={
            "event_type": delivery.event_type,
            "sent_at": delivery.sent_at,
            "body": _body_to_keep(delivery),
        },
    )
    needs_reading = False
    if is_new:
        if delivery.event_type == SUBMISSION_STATUS:
            row.outcome, needs_reading = _take_submission_status(delivery)
        elif delivery.event_type in EVENT_TYPES:
            row.outcome = _take_study_event(delivery)
        else:
            row.outcome = "unknown type of event: kept"
        row.handled_at = now if delivery.event_type in EVENT_TYPES else None
        row.save(update_fields=["outcome", "handled_at"])
    return Taken(row, is_new, needs_reading)


def _take_study_event(delivery: Delivery) -> str:
    """Returns what came of the event, in words."""
    studies = ProlificStudy.objects.select_for_update(of=("self",)).select_related("study")
    row = studies.filter(prolific_id=delivery.resource).first()
    if row is None:
        return "the study is not connected here"
    if delivery.event_type == STUDY_STATUS:
        return _take_study_status(row, delivery)
    if delivery.event_type == HIGH_RETURN_RATE:
        record_event(study=row.study, kind="prolific high return rate")
        return "noted with the study"
    return "noted"


def _take_submission_status(delivery: Delivery) -> tuple[str, bool]:
    """What came of the event, in words, and whether the submission is to be read as well.

    The event tells neither the study nor the code that was entered.
    """
    rows = Submission.objects.select_for_update().filter(
        prolific_session_id=delivery.resource,
        prolific_participant_id=str(delivery.body.get("participant_id", "")),
    )
    row = rows.first() if delivery.resource else None
    if row is None:
        return "not known here yet: to be read from Prolific", bool(delivery.resource)
    status = normalise_status(delivery.body.get("status"))
    if status == row.status:
        return f"already {status}", False
    if not note_status(row, status, delivery.sent_at):
        return f"{status} is older than what is known", False
    row.is_proven = True
    row.save(update_fields=["status", "status_at", "is_proven"])
    return f"now {status}", True


def _take_study_status(row: ProlificStudy, delivery: Delivery) -> str:
    later = WebhookDelivery.objects.filter(
        event_type=STUDY_STATUS, body__resource_id=row.prolific_id, sent_at__gt=delivery.sent_at
    )
    status = normalise_status(delivery.body.get("status"))
    is_read_later = row.synced_at is not None and row.synced_at > delivery.sent_at
    if is_read_later or later.exists():
        return f"{status} is older than what is known"
    row.status = status or row.status
    row.save(update_fields=["status"])
    return f"now {status}"


def _body_to_keep(delivery: Delivery) -> Any:
    """The body without ids of persons; the id of a study is none."""
    is_of_study = delivery.event_type.startswith("study.")
    return _without(delivery.body, _NOT_KEPT if is_of_study else _NOT_KEPT | {"resource_id"})


def _without(value: Any, keys: set[str]) -> Any:
    if isinstance(value, Mapping):
        return {key: _without(v, keys) for key, v in value.items() if key not in keys}
    return [_without(item, keys) for item in value] if isinstance(value, list) else value
