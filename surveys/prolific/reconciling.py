"""Bringing both sides into line, and listing what only a person can decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Sum

from surveys.domain.outcomes import Outcome
from surveys.models import BonusPayment, ProlificStudy, Study, Submission
from surveys.prolific.client import ProlificClient
from surveys.prolific.findings import LOOK, Finding, Limits, Standing, judge
from surveys.prolific.sync import SyncReport, sync_study
from surveys.services.studies import record_event

# Decoding these for thousands of people takes longer than everything that is asked here.
_UNREAD = tuple(
    f"participation__{name}" for name in ("item_order", "flags", "declined_questions", "comment")
)


@dataclass(frozen=True, slots=True)
class Case:
    """A submission and what does not fit about it."""

    submission: Submission
    finding: Finding


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """What was read and repaired, and what is left for a person."""

    sync: SyncReport
    cases: tuple[Case, ...]


def reconcile(
    *, row: ProlificStudy, client: ProlificClient, now: datetime, actor: User | None = None
) -> Reconciliation:
    """Read everything from Prolific, take over what differs, and list what is left.

    Run again with nothing new on Prolific it changes nothing. Raises ProlificError.
    """
    report = sync_study(row=row, client=client, now=now)
    if report.n_repairs:
        detail = f"{report.created} submissions added, {report.changed} changed"
        record_event(study=row.study, kind="prolific reconciled", detail=detail, actor=actor)
    cases = list_cases(study=row.study, now=now)
    unseen = _unseen_bonuses(row.study, report.bonuses_minor)
    return Reconciliation(report, cases + unseen)


def list_cases(*, study: Study, now: datetime) -> tuple[Case, ...]:
    """What needs somebody's action, by what is known here; asks Prolific nothing."""
    rows = list(
        study.submissions.filter(purged_at__isnull=True)
        .exclude(participation__is_test=True)
        .select_related("participation")
        .defer(*_UNREAD)
        .order_by("id")
    )
    limits = Limits(now=now, auto_approval_days=settings.PROLIFIC_AUTO_APPROVAL_DAYS)
    outcomes = {code.code: Outcome(code.outcome) for code in study.completion_codes.all()}
    listed = {r.prolific_session_id for r in rows if r.is_proven}
    prolific = ProlificStudy.objects.filter(study=study).first()
    read_at = prolific.synced_at if prolific else None
    cases = []
    for row in rows:
        if _is_told_but_not_read(row):
            continue
        finding = judge(_standing(row, outcomes, listed, read_at), limits)
        if finding is not None:
            cases.append(Case(row, finding))
    return tuple(cases)


def _is_told_but_not_read(row: Submission) -> bool:
    """Whether a webhook told the state, which comes without the code that was entered."""
    return row.status_at is not None and (row.synced_at is None or row.synced_at < row.status_at)


def _standing(
    row: Submission,
    outcomes: Mapping[str, Outcome],
    listed: set[str],
    read_at: datetime | None,
) -> Standing:
    participation = row.participation
    came_at = participation.consented_at if participation else None
    # Whoever came after the last reading could not be in it.
    could_be_listed = came_at is not None and read_at is not None and came_at < read_at
    return Standing(
        state=participation.state if participation else "",
        status=row.status,
        code_of=outcomes.get(row.entered_code),
        is_listed=row.is_proven or row.synced_at is not None or not could_be_listed,
        is_claimed_twice=not row.is_proven and row.prolific_session_id in listed,
        completed_at=participation.completed_at if participation else None,
        approved_at=row.approved_at,
        return_requested_at=row.return_requested_at,
        handed_in_at=row.completed_at,
    )


def _unseen_bonuses(study: Study, seen_minor: Mapping[str, int]) -> tuple[Case, ...]:
    """Submissions whose bonuses were asked for and that Prolific does not show, or not in full."""
    asked: Iterable[tuple[int, str, int]] = (
        BonusPayment.objects.filter(submission__study=study, state=BonusPayment.State.PAID)
        .values_list("submission_id", "submission__prolific_session_id")
        .annotate(total=Sum("amount_minor"))
        .order_by("submission_id")
    )
    lacking = {
        key: total - seen_minor.get(session, 0)
        for key, session, total in asked
        if session and seen_minor.get(session, 0) < total
    }
    rows = study.submissions.filter(pk__in=lacking).order_by("id")
    return tuple(Case(row, _unseen(lacking[row.pk])) for row in rows)


def _unseen(minor: int) -> Finding:
    sentence = (
        f"Bonuses of {minor} (minor units) were asked for and are not on Prolific yet. If they "
        "do not appear within a day, look there before paying again."
    )
    return Finding("bonus_not_seen", sentence, LOOK)
