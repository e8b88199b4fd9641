"""Coming back under a new submission: somebody returned theirs on Prolific and began again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from surveys.domain.entry_ids import EntryIds
from surveys.models import Participation, Submission
from surveys.services.errors import SurveyError

# While Prolific has not decided about a submission, a newer one of the same person replaces it.
_REPLACEABLE = frozenset({"", "ACTIVE", "RESERVED", "RETURNED", "TIMED_OUT"})


def has_begun_again(*, participation: Participation, ids: EntryIds | None) -> bool:
    """Whether these ids bring a new submission for a participation that goes by an older one."""
    submission = Submission.objects.filter(participation=participation).first()
    return (
        ids is not None
        and submission is not None
        and participation.state != Participation.State.WITHDRAWN
        and submission.prolific_session_id not in {"", ids.session}
        and submission.status in _REPLACEABLE
    )


@transaction.atomic
def rejoin_study(*, slug: str, ids: EntryIds | None, now: datetime) -> Participation:
    """Go on with the earlier participation, paid through the new submission; safe to repeat.

    What Prolific said about the old submission is forgotten: it says nothing about the new one.
    Raises SurveyError `participation_unknown` where these ids lead nowhere.
    """
    submissions = Submission.objects.select_related("participation__study").select_for_update(
        of=("self",)
    )
    submission: Submission | None = submissions.filter(
        study__slug=slug,
        prolific_participant_id=ids.participant if ids else None,
        participation__isnull=False,
    ).first()
    if ids is None or submission is None or submission.participation is None:
        raise SurveyError(code="participation_unknown")
    participation = submission.participation
    if has_begun_again(participation=participation, ids=ids):
        _replace(submission, ids)
        participation.last_seen_at = now
        participation.save(update_fields=["last_seen_at"])
    return participation


def _replace(submission: Submission, ids: EntryIds) -> None:
    submission.prolific_study_id = ids.study
    submission.prolific_session_id = ids.session
    submission.is_proven = ids.is_proven
    submission.status = submission.entered_code = ""
    submission.status_at = submission.started_at = submission.completed_at = None
    submission.return_requested_at = submission.synced_at = None
    submission.save()
