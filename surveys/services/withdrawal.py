"""Withdrawing: the answers go, a tombstone stays so that the link cannot start anew."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import transaction

from surveys.domain.outcomes import Outcome
from surveys.models import Participation
from surveys.services.errors import SurveyError
from surveys.services.journey import find_by_code
from surveys.services.leaving import last_day_to_withdraw


def may_withdraw(*, participation: Participation, now: datetime) -> bool:
    """Whether the answers can still be withdrawn: always before the end, then for some days."""
    last_day = last_day_to_withdraw(participation=participation)
    return last_day is None or now.astimezone(UTC).date() <= last_day


@transaction.atomic
def withdraw(*, slug: str, code: str, now: datetime) -> Participation:
    """Delete everything that this person answered or that tells about them, for good.

    Which situations were given stays, as do the times, the study's record of the consent, and the
    submission, by which somebody who had finished is paid: none of it says what was answered.
    Somebody who had finished keeps their outcome, and with it their code; everybody else's becomes
    `withdrawn`. Safe to repeat. Raises SurveyError `participation_unknown`, or `withdrawal_over`
    where the time for it has passed.
    """
    participation = find_by_code(slug=slug, code=code, is_locked=True)
    if participation.state == Participation.State.WITHDRAWN:
        return participation
    if not may_withdraw(participation=participation, now=now):
        raise SurveyError(code="withdrawal_over")
    participation.administrations.all().delete()
    participation.attention_checks.all().delete()
    participation.page_visits.all().delete()
    _forget(participation)
    participation.state = Participation.State.WITHDRAWN
    if participation.completed_at is None:
        participation.outcome = Outcome.WITHDRAWN
    participation.save()
    return participation


def _forget(participation: Participation) -> None:
    participation.gender = participation.country = ""
    participation.employment = participation.education = ""
    participation.year_of_birth = None
    participation.declined_questions = []
    participation.comment = ""
    participation.flags = []
    participation.excluded_because = ""
    participation.viewport_class = participation.layout = ""
    participation.is_translated = False
