"""Submissions as Prolific describes them, in one shape.

Lists and single calls name the same facts differently, states are spelled with spaces, hyphens
or underscores, and lists carry addresses and dates of birth, which are dropped here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from surveys.prolific.transport import nonsense

AWAITING_REVIEW, APPROVED = "AWAITING_REVIEW", "APPROVED"
RESERVED, ACTIVE = "RESERVED", "ACTIVE"
RETURNED, TIMED_OUT, REJECTED = "RETURNED", "TIMED_OUT", "REJECTED"
PARTIALLY_APPROVED, SCREENED_OUT = "PARTIALLY_APPROVED", "SCREENED_OUT"
KNOWN_STATUSES = frozenset(
    {
        AWAITING_REVIEW, APPROVED, RESERVED, ACTIVE, RETURNED, TIMED_OUT, REJECTED,
        PARTIALLY_APPROVED, SCREENED_OUT,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SubmissionRecord:
    """One submission; times are aware, amounts in minor units, "" and None where not told."""

    session: str
    participant: str
    study: str
    status: str
    entered_code: str
    started_at: datetime | None
    completed_at: datetime | None
    is_return_requested: bool
    return_requested_at: datetime | None
    bonus_payments_minor: tuple[int, ...]


def normalise_status(text: object) -> str:
    """Upper case with underscores: "TIMED-OUT" is TIMED_OUT; unknown words stay themselves."""
    words = text if isinstance(text, str) else ""
    return re.sub(r"[^A-Z0-9]+", "_", words.upper()).lstrip("_")[:40].rstrip("_")


def read_submission(raw: object, *, study: str = "") -> SubmissionRecord:
    """One submission of a list or of a single call; `study` where the form does not name it."""
    if not isinstance(raw, Mapping) or not raw.get("id"):
        raise nonsense("a submission without an id")
    asked = raw.get("return_requested")
    return SubmissionRecord(
        session=_text(raw, "id"),
        participant=_text(raw, "participant_id", "participant"),
        study=_text(raw, "study_id", "study") or study,
        status=normalise_status(raw.get("status")),
        entered_code=_text(raw, "study_code", "entered_code"),
        started_at=read_time(raw.get("started_at")),
        completed_at=read_time(raw.get("completed_at")),
        is_return_requested=bool(asked),
        return_requested_at=read_time(asked),
        bonus_payments_minor=_amounts(raw.get("bonus_payments")),
    )


def read_time(value: object) -> datetime | None:
    """An ISO 8601 time, UTC where it names no zone; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _text(raw: Mapping[str, Any], *names: str) -> str:
    """The first of these that is there, no longer than its column."""
    found = (raw.get(name) for name in names)
    return next((text.strip()[:64] for text in found if isinstance(text, str) and text), "")


def _amounts(value: object) -> tuple[int, ...]:
    items = value if isinstance(value, list) else []
    return tuple(a for a in items if isinstance(a, int) and not isinstance(a, bool))
