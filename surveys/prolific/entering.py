"""The submission of somebody who enters: found or made, in the transaction of entering."""

from __future__ import annotations

from django.db import transaction

from surveys.domain.entry_ids import EntryIds
from surveys.models import Participation, ProlificStudy, Submission


def keep_submission(*, participation: Participation, ids: EntryIds) -> Submission:
    """The submission of these ids, now that of this participation.

    Prolific may have told us about somebody before they consent; their row is waiting then. The
    caller holds the lock on the study, so that no reading makes the row meanwhile. Where Prolific
    recruits and has not signed the link, a worker asks it once the caller has committed.
    """
    waiting = Submission.objects.filter(
        study=participation.study,
        participation__isnull=True,
        prolific_participant_id=ids.participant,
    ).first()
    row = waiting or Submission(study=participation.study, prolific_participant_id=ids.participant)
    if row.prolific_session_id != ids.session:
        # What Prolific said about another submission says nothing about this one.
        row.status = row.entered_code = ""
        row.status_at = row.started_at = row.completed_at = row.synced_at = None
        row.return_requested_at = None
        row.is_proven = False
    row.participation = participation
    row.prolific_study_id, row.prolific_session_id = ids.study, ids.session
    row.is_proven = row.is_proven or ids.is_proven
    row.save()
    if not row.is_proven and not participation.is_test and _is_connected(participation.study_id):
        transaction.on_commit(lambda: _ask_for_proof(row.pk))
    return row


def _is_connected(study_id: int) -> bool:
    return ProlificStudy.objects.filter(study=study_id).exists()


def _ask_for_proof(submission_id: int) -> None:
    from surveys.tasks import enqueue_proof

    enqueue_proof(submission_id)
