"""Approving submissions and asking for their return. There is no rejecting, by intent.

Prolific accepts an approval first and does it later. So a submission carries when approval was
asked for, and counts as approved only once Prolific says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from surveys.domain.outcomes import Outcome
from surveys.models import Participation, Study, Submission
from surveys.prolific import records
from surveys.prolific.client import ProlificClient
from surveys.services.errors import SurveyError
from surveys.services.studies import record_event

BATCH = 1000
_RETURNABLE = (records.AWAITING_REVIEW, records.ACTIVE, records.RESERVED)


@dataclass(frozen=True, slots=True)
class Approval:
    """For how many submissions approval was asked for, and how many were not approvable."""

    n_asked: int
    n_skipped: int


def ready_to_approve(*, study: Study) -> QuerySet[Submission]:
    """Complete here, handed in with the code for completing, and not asked for yet."""
    return study.submissions.filter(
        participation__state=Participation.State.COMPLETED,
        participation__is_test=False,
        status=records.AWAITING_REVIEW,
        entered_code=study.code_for(Outcome.COMPLETED) or None,
        approved_at__isnull=True,
        return_requested_at__isnull=True,
    )


def approve_submissions(
    *,
    study: Study,
    submissions: Iterable[int],
    client: ProlificClient,
    now: datetime,
    actor: User | None = None,
) -> Approval:
    """Ask for the approval of these submissions (our keys), a thousand at a time, in order.

    Only those that await a review are sent, by submission id: a person's id may have another
    submission elsewhere. Where a call fails, its submissions and all later ones stay unmarked
    and the ProlificError is raised; asking again is harmless.
    """
    keys = set(submissions)
    rows = study.submissions.filter(pk__in=keys, status=records.AWAITING_REVIEW)
    approvable = dict(
        rows.exclude(prolific_session_id="").order_by("pk").values_list("pk", "prolific_session_id")
    )
    in_order = list(approvable)
    for start in range(0, len(in_order), BATCH):
        batch = in_order[start : start + BATCH]
        client.bulk_approve([approvable[pk] for pk in batch])
        with transaction.atomic():
            Submission.objects.filter(pk__in=batch).update(approved_at=now)
            detail = f"{len(batch)} submissions"
            record_event(study=study, kind="approval asked for", detail=detail, actor=actor)
    return Approval(n_asked=len(in_order), n_skipped=len(keys) - len(in_order))


def ask_for_return(
    *,
    submission: Submission,
    reason: str,
    client: ProlificClient,
    now: datetime,
    actor: User | None = None,
) -> bool:
    """Ask the person to return their submission; whether they were asked now.

    Asked once, they are not asked again. Raises SurveyError `not_returnable` for a submission
    that Prolific has decided about, `reason_missing`, or ProlificError.
    """
    if not reason.strip():
        raise SurveyError(code="reason_missing", detail="Say why the submission is to be returned.")
    submission.refresh_from_db()
    if submission.return_requested_at is not None:
        return False
    if submission.status not in _RETURNABLE or not submission.prolific_session_id:
        raise SurveyError(
            code="not_returnable",
            detail=f"A submission that is {submission.status or 'unknown'} cannot be returned.",
        )
    client.request_return(submission.prolific_session_id, reason.strip())
    with transaction.atomic():
        Submission.objects.filter(pk=submission.pk).update(return_requested_at=now)
        detail = f"submission {submission.pk}: {reason.strip()}"
        record_event(study=submission.study, kind="return asked for", detail=detail, actor=actor)
    submission.refresh_from_db()
    return True
