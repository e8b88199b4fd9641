"""How many people each situation of a study has, or is about to have."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count

from surveys.models import Assignment, Participation, Situation, Study


def count_places(*, study: Study, now: datetime) -> dict[int, int]:
    """Taken places by id of the situation version, for those that may be given to somebody new.

    Completed and active participations take places; a silent one frees them again after
    PARTICIPATION_TIMEOUT_MINUTES, a returned one at once. Places are counted anew each time and
    kept nowhere, so none can be freed twice or lost. True for as long as the caller holds the
    lock on the study.
    """
    given = study.study_situations.filter(
        is_closed=False, situation_version__situation__state=Situation.State.PUBLISHED
    ).order_by("id")
    active_since = now - timedelta(minutes=settings.PARTICIPATION_TIMEOUT_MINUTES)
    holding = Participation.objects.filter(study=study).holding_places(active_since=active_since)
    taken = dict(
        Assignment.objects.filter(participation__in=holding.values("pk"))
        .order_by()
        .values_list("situation_version_id")
        .annotate(Count("pk"))
    )
    return {pk: taken.get(pk, 0) for pk in given.values_list("situation_version_id", flat=True)}


def has_room(*, study: Study, now: datetime) -> bool:
    """Whether one more participant would get all of their situations."""
    target = study.target_per_situation
    places = count_places(study=study, now=now).values()
    n_open = sum(target is None or n < target for n in places)
    return n_open >= study.situations_per_person
