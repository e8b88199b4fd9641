"""Studies and submissions on both sides, as the tests of this room need them."""

from __future__ import annotations

from typing import Any

from surveys.domain.outcomes import Outcome
from surveys.models import CompletionCode, Participation, ProlificStudy, Study, Submission
from tests.factories import ParticipationFactory, StudyFactory
from tests.surveys.prolific.stand_in import ProlificStandIn

ACTION = CompletionCode.Action


def paid_study(**fields: Any) -> Study:
    """An open study with all outcome codes, a reward and places."""
    study = StudyFactory(reward_minor=120, n_places=10, planned_minutes=8, **fields)
    for outcome, action in (
        (Outcome.NO_CONSENT, ACTION.REQUEST_RETURN),
        (Outcome.WITHDRAWN, ACTION.MANUALLY_REVIEW),
        (Outcome.FAILED_ATTENTION, ACTION.MANUALLY_REVIEW),
        (Outcome.STUDY_FULL, ACTION.AUTOMATICALLY_APPROVE),
    ):
        code = f"{study.slug}-{outcome}".upper()[:40]
        study.completion_codes.create(outcome=outcome, code=code, action=action)
    return study


def connected_study(prolific: ProlificStandIn, prolific_id: str = "st1", **fields: Any) -> Study:
    """A study that is running on both sides."""
    study = paid_study(**fields)
    prolific.add_study(prolific_id, total_available_places=10)
    ProlificStudy.objects.create(study=study, prolific_id=prolific_id, status="ACTIVE")
    return study


def somebody(
    study: Study,
    session: str,
    participant: str = "",
    *,
    state: str = Participation.State.COMPLETED,
    prolific_study: str = "st1",
    **fields: Any,
) -> Submission:
    """A person here with their submission; `fields` are the submission's."""
    participation = ParticipationFactory(study=study, state=state)
    return Submission.objects.create(
        study=study,
        participation=participation,
        prolific_participant_id=participant or f"p-{session}",
        prolific_study_id=prolific_study,
        prolific_session_id=session,
        **fields,
    )
