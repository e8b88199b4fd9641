"""Leaving a study that is done: the comment, the time, and the code for Prolific."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from urllib.parse import quote

from django.conf import settings
from django.db import transaction

from surveys.domain.outcomes import Outcome
from surveys.models import Participation, Study
from surveys.services.errors import SurveyError
from surveys.services.journey import find_by_code

LONGEST_COMMENT = 2000


@dataclass(frozen=True, slots=True)
class CodeOffer:
    """A completion code, and the address on Prolific that takes it without typing."""

    code: str
    address: str


def offer_code(*, study: Study, outcome: Outcome) -> CodeOffer | None:
    """The study's code for this outcome, or None where the researcher set none."""
    code = study.code_for(outcome)
    if not code:
        return None
    return CodeOffer(code, f"{settings.PROLIFIC_COMPLETION_URL}?cc={quote(code, safe='')}")


def completion_offer(*, participation: Participation) -> CodeOffer | None:
    """The code of whoever has answered everything: of their outcome, or else of completing."""
    study = participation.study
    if participation.completed_at is None:
        return None
    outcome = Outcome(participation.outcome or Outcome.COMPLETED)
    return offer_code(study=study, outcome=outcome) or offer_code(
        study=study, outcome=Outcome.COMPLETED
    )


def last_day_to_withdraw(*, participation: Participation) -> date | None:
    """The day (UTC) up to whose end the answers can be withdrawn; None while unfinished."""
    if participation.completed_at is None:
        return None
    days = timedelta(days=participation.study.withdrawal_days)
    return (participation.completed_at + days).date()


@transaction.atomic
def leave_study(*, slug: str, code: str, comment: str, now: datetime) -> Participation:
    """Keep the comment and the time of leaving, the first time only; safe to repeat.

    An empty comment never deletes one that was kept. Changes nothing unless the participation is
    completed. Raises SurveyError `participation_unknown` or `comment_too_long`.
    """
    text = _clean(comment)
    if len(text) > LONGEST_COMMENT:
        raise SurveyError(code="comment_too_long", detail=f"{len(text)} characters")
    participation = find_by_code(slug=slug, code=code, is_locked=True)
    if participation.state != Participation.State.COMPLETED:
        return participation
    participation.comment = participation.comment or text
    participation.left_at = participation.left_at or now
    participation.save(update_fields=["comment", "left_at"])
    return participation


def _clean(comment: str) -> str:
    """Line ends as one character, as the browser counts them, and none that PostgreSQL refuses."""
    return comment.replace("\r\n", "\n").replace("\x00", "").strip()
