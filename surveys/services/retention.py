"""Deleting Prolific's ids when their time is over and everybody is paid.

A study keeps them for `identity_retention_days` after it was closed. What is left afterwards is
the answers under a pseudonym, which nobody can lead back to a person on Prolific.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from surveys.models import BonusPayment, ProlificStudy, Study, StudyEvent, Submission
from surveys.prolific import records
from surveys.services.studies import lock_study, record_event

_log = logging.getLogger(__name__)
PURGED, KEPT = "identities purged", "identities kept"
# A state that Prolific may add stays unsettled until somebody has looked at it.
SETTLED = (
    records.APPROVED,
    records.PARTIALLY_APPROVED,
    records.REJECTED,
    records.RETURNED,
    records.SCREENED_OUT,
    records.TIMED_OUT,
)


@dataclass(frozen=True, slots=True)
class Purge:
    """What was, or in a dry run would be, done with the ids of one study.

    `due_at` is None for a study that is not closed. `unpaid` submissions keep their ids although
    the time is over, because somebody's pay depends on them.
    """

    study: Study
    due_at: datetime | None
    is_due: bool = False
    purged: int = 0
    unpaid: int = 0


def due_at(study: Study) -> datetime | None:
    """When the ids of a study are to be deleted; None while it is not closed."""
    is_over = study.state in (Study.State.CLOSED, Study.State.ARCHIVED)
    if not is_over or study.closed_at is None:
        return None
    return study.closed_at + timedelta(days=study.identity_retention_days)


def overdue_studies(*, now: datetime) -> list[Study]:
    """Closed studies that still hold ids although their time is over, oldest first."""
    holding = Study.objects.filter(submissions__in=_with_ids()).distinct().order_by("closed_at")
    return [study for study in holding if (due := due_at(study)) is not None and due <= now]


@transaction.atomic
def purge_identities(*, study: Study, now: datetime, is_dry_run: bool = False) -> Purge:
    """Empty the ids of every settled submission of a study whose time is over.

    Safe to repeat. Where submissions are kept because of pay, a warning is logged and noted with
    the study, once for each number of them.
    """
    # Reading submissions from Prolific takes the same lock and brings no purged id back.
    locked = lock_study(study)
    due = due_at(locked)
    if due is None or due > now:
        return Purge(locked, due)
    holding = Submission.objects.filter(pk__in=_with_ids().filter(study=locked).values("pk"))
    settled = holding.filter(_settled(locked)).exclude(bonus_payments__in=_unpaid_bonuses())
    n_held, n_settled = holding.count(), settled.count()
    purge = Purge(locked, due, is_due=True, purged=n_settled, unpaid=n_held - n_settled)
    if not is_dry_run:
        Submission.objects.filter(pk__in=list(settled.values_list("pk", flat=True))).update(
            prolific_participant_id="",
            prolific_study_id="",
            prolific_session_id="",
            purged_at=now,
        )
        _note(purge)
    return purge


def _with_ids() -> QuerySet[Submission]:
    return Submission.objects.exclude(prolific_participant_id="", prolific_session_id="")


def _settled(study: Study) -> Q:
    """Nobody's pay is open. Without Prolific's API no status is ever known, and time decides."""
    is_connected = ProlificStudy.objects.filter(study=study).exists()
    return Q(status__in=SETTLED if is_connected else (*SETTLED, ""))


def _unpaid_bonuses() -> QuerySet[BonusPayment]:
    return BonusPayment.objects.exclude(state=BonusPayment.State.PAID)


def _note(purge: Purge) -> None:
    study = purge.study
    if purge.purged:
        detail = f"{purge.purged} submissions lost Prolific's ids"
        record_event(study=study, kind=PURGED, detail=detail)
    if not purge.unpaid:
        return
    detail = f"{purge.unpaid} submissions keep Prolific's ids beyond their time: pay is open"
    _log.warning("%s: %s", study.slug, detail)
    last = StudyEvent.objects.filter(study=study, kind=KEPT).first()
    if last is None or last.detail != detail:
        record_event(study=study, kind=KEPT, detail=detail)
