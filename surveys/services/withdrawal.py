"""Withdrawing: the answers go, a tombstone stays so that the link cannot start anew."""

from __future__ import annotations

from django.db import transaction

from surveys.models import Participation
from surveys.services.journey import find_by_code


@transaction.atomic
def withdraw(*, slug: str, code: str) -> Participation:
    """Delete the answers and the demographics of this participation, at any time, for good.

    Which situations were given stays, as do the times: neither says anything about the person.
    Safe to repeat. Raises SurveyError `participation_unknown`.
    """
    participation = find_by_code(slug=slug, code=code, is_locked=True)
    participation.administrations.all().delete()
    participation.state = Participation.State.WITHDRAWN
    participation.gender = participation.country = ""
    participation.employment = participation.education = ""
    participation.year_of_birth = None
    participation.declined_questions = []
    participation.save()
    return participation
