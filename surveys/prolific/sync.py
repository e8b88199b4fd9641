"""Reading Prolific's submissions into ours. Safe to repeat, in any order, at any time.

Prolific's list says nothing about when a state changed, so a state counts as known at the time
at which the list was asked for; webhooks bring their own times. What is older than what is known
changes nothing. Our own state of a participation is never changed by Prolific's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.db import transaction

from surveys.models import ProlificStudy, Study, Submission
from surveys.prolific import records
from surveys.prolific.client import ProlificClient
from surveys.prolific.drafts import note_description
from surveys.prolific.errors import ProlificError
from surveys.prolific.records import SubmissionRecord
from surveys.services.studies import lock_study

CHUNK = 200
_NEVER = datetime.min.replace(tzinfo=UTC)
_LEFT = {records.RETURNED, records.TIMED_OUT}


@dataclass
class SyncReport:
    """How many submissions a reading added, changed and confirmed.

    `bonuses_minor` is what Prolific says it has paid as bonuses, by submission id.
    """

    created: int = 0
    changed: int = 0
    unchanged: int = 0
    bonuses_minor: dict[str, int] = field(default_factory=dict)

    @property
    def n_repairs(self) -> int:
        return self.created + self.changed


def sync_study(*, row: ProlificStudy, client: ProlificClient, now: datetime) -> SyncReport:
    """Read the study and all its submissions. Raises ProlificError, which is also noted."""
    try:
        described = client.get_study(row.prolific_id)
        found = client.list_submissions(row.prolific_id)
    except ProlificError as error:
        ProlificStudy.objects.filter(pk=row.pk).update(sync_error=str(error)[:300])
        raise
    report = store_records(study=row.study, found=found, asked_at=now)
    note_description(row, described)
    row.synced_at = now
    row.save()
    return report


def sync_submission(*, session: str, client: ProlificClient, now: datetime) -> Submission | None:
    """Read one submission; None where its study is not one of ours. Raises ProlificError."""
    record = client.get_submission(session)
    row = ProlificStudy.objects.select_related("study").filter(prolific_id=record.study).first()
    if row is None:
        return None
    store_records(study=row.study, found=[record], asked_at=now)
    return Submission.objects.filter(study=row.study, prolific_session_id=record.session).first()


def store_records(
    *, study: Study, found: Sequence[SubmissionRecord], asked_at: datetime
) -> SyncReport:
    """Store what Prolific said at `asked_at`, each chunk in one transaction."""
    report = SyncReport()
    report.bonuses_minor = {r.session: sum(r.bonus_payments_minor) for r in found}
    newest = _newest_of_each_person(found)
    known = {record.session for record in found}
    for start in range(0, len(newest), CHUNK):
        _store_chunk(study, newest[start : start + CHUNK], known, asked_at, report)
    return report


def _newest_of_each_person(found: Iterable[SubmissionRecord]) -> list[SubmissionRecord]:
    """Somebody who returned a submission and began again has two; the later one is theirs."""
    newest: dict[str, SubmissionRecord] = {}
    for record in sorted(found, key=lambda r: (r.started_at or _NEVER, r.status not in _LEFT)):
        newest[record.participant or record.session] = record
    return list(newest.values())


@transaction.atomic
def _store_chunk(
    study: Study,
    chunk: Sequence[SubmissionRecord],
    known: set[str],
    asked_at: datetime,
    report: SyncReport,
) -> None:
    # Entering a study takes the same lock, so nobody makes a row of the same person meanwhile.
    lock_study(study)
    by_session = _rows_by(study, "prolific_session_id", [r.session for r in chunk])
    by_person = _rows_by(study, "prolific_participant_id", [r.participant for r in chunk])
    # After a purge Prolific's ids must not come back by themselves.
    may_create = not study.submissions.filter(purged_at__isnull=False).exists()
    confirmed = []
    for record in chunk:
        row = _match(record, by_session, by_person)
        if row is None:
            report.created += may_create and _create(study, record, asked_at)
        elif _is_outdated(row, record, known, asked_at):
            report.unchanged += 1
        elif _apply(row, record, asked_at):
            row.save()
            report.changed += 1
        else:
            confirmed.append(row.pk)
    Submission.objects.filter(pk__in=confirmed).update(synced_at=asked_at)
    report.unchanged += len(confirmed)


def _rows_by(study: Study, name: str, values: list[str]) -> dict[str, list[Submission]]:
    wanted = {value for value in values if value}
    rows: dict[str, list[Submission]] = {}
    for row in study.submissions.select_for_update().filter(**{f"{name}__in": wanted}):
        rows.setdefault(getattr(row, name), []).append(row)
    return rows


def _match(
    record: SubmissionRecord,
    by_session: Mapping[str, list[Submission]],
    by_person: Mapping[str, list[Submission]],
) -> Submission | None:
    """The row of this record: of the same session and person, else of the same person.

    A session under somebody else's id stays as it is, unproven: whose answers they are is for a
    person to decide.
    """
    for row in by_session.get(record.session, []):
        if row.prolific_participant_id == record.participant:
            return row
    rows = by_person.get(record.participant, [])
    return rows[0] if rows else None


def _is_outdated(
    row: Submission, record: SubmissionRecord, known: set[str], asked_at: datetime
) -> bool:
    """Whether the row holds something newer: a later reading, or a submission begun since."""
    if row.synced_at is not None and row.synced_at > asked_at:
        return True
    has_moved_on = row.prolific_session_id not in known | {"", record.session}
    return has_moved_on and record.status in _LEFT


def _create(study: Study, record: SubmissionRecord, asked_at: datetime) -> bool:
    """A row for somebody whom Prolific knows and who has not been here."""
    row = Submission(
        study=study,
        prolific_participant_id=record.participant,
        prolific_study_id=record.study,
        prolific_session_id=record.session,
    )
    _apply(row, record, asked_at)
    row.save()
    return True


def _apply(row: Submission, record: SubmissionRecord, asked_at: datetime) -> bool:
    """Take over what Prolific says; whether anything but the time of reading changed."""
    before = _facts(row)
    if row.prolific_session_id != record.session:
        _begin_again(row, record)
    row.prolific_study_id = record.study or row.prolific_study_id
    row.is_proven = row.is_proven or bool(record.participant)
    note_status(row, record.status, asked_at)
    row.entered_code = record.entered_code or row.entered_code
    row.started_at = record.started_at or row.started_at
    row.completed_at = record.completed_at or row.completed_at
    if record.is_return_requested and row.return_requested_at is None:
        row.return_requested_at = record.return_requested_at or asked_at
    row.synced_at = asked_at
    return _facts(row) != before


def _facts(row: Submission) -> tuple[object, ...]:
    return (
        row.prolific_session_id, row.prolific_study_id, row.is_proven, row.status,
        row.entered_code, row.started_at, row.completed_at, row.return_requested_at,
    )  # fmt: skip


def _begin_again(row: Submission, record: SubmissionRecord) -> None:
    """The person's row goes on under the submission that Prolific now lists as theirs."""
    row.prolific_session_id = record.session
    row.is_proven = False
    row.status = row.entered_code = ""
    row.status_at = row.started_at = row.completed_at = None
    row.return_requested_at = row.approved_at = None


def note_status(row: Submission, status: str, at: datetime) -> bool:
    """Take over a state that was true at `at`, unless a newer one is known; the caller saves.

    `status_at` is when the state was first known. Of two states at the same moment the one that
    comes later in a submission's life is the newer.
    """
    known_at = max(row.status_at or _NEVER, row.synced_at or _NEVER)
    if not status or status == row.status or at < known_at:
        return False
    if at == known_at and _rank(status) < _rank(row.status):
        return False
    row.status, row.status_at = status, at
    return True


def _rank(status: str) -> int:
    early = ("", records.RESERVED, records.ACTIVE, records.AWAITING_REVIEW)
    return early.index(status) if status in early else len(early)
