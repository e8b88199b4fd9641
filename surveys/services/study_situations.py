"""Which situations of the catalogue go into a study, and out of it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection as Some
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from surveys.models import Collection, Emotion, Factor, Situation, Study
from surveys.services.errors import SurveyError
from surveys.services.studies import lock_study, record_event
from surveys.services.study_rules import has_takers


def choose_situations(
    *,
    emotions: Iterable[Emotion] = (),
    factors: Iterable[Factor] = (),
    collections: Some[Collection] = (),
    kinds: Some[str] = (Situation.Kind.STANDARD,),
    per_factor: int | None = None,
) -> list[Situation]:
    """Published situations of these emotions and of these factors, in catalogue order.

    No collections means all of them. Neutral situations belong to no factor: they are chosen
    where their kind is. With `per_factor` at most so many of each kind are taken from a factor
    (and as many neutral ones).
    """
    chosen = Q(factor__in=list(factors)) | Q(factor__emotion__in=list(emotions))
    wanted = chosen & Q(kind__in=[kind for kind in kinds if kind != Situation.Kind.NEUTRAL])
    if Situation.Kind.NEUTRAL in kinds:
        wanted |= Q(kind=Situation.Kind.NEUTRAL)
    found = Situation.objects.published().in_catalogue_order().filter(wanted)
    found = found.prefetch_related("versions")
    if collections:
        found = found.filter(collection__in=collections)
    taken: Counter[tuple[int | None, str]] = Counter()
    situations = []
    for situation in (situation for situation in found if situation.current_version):
        place = (situation.factor_id, situation.kind)
        taken[place] += 1
        if per_factor is None or taken[place] <= per_factor:
            situations.append(situation)
    return situations


@transaction.atomic
def remove_situations(*, study: Study, places: Iterable[int], actor: User | None = None) -> int:
    """Take situations (ids of their rows in the study) out of it. Returns how many went.

    Raises SurveyError `study_has_takers` once somebody who is no test took part, whose answer
    would be left without a place; `study_archived` in the archive.
    """
    locked = lock_study(study)
    if locked.state == Study.State.ARCHIVED:
        raise SurveyError(code="study_archived")
    if has_takers(locked):
        raise SurveyError(code="study_has_takers")
    n_removed, _ = locked.study_situations.filter(pk__in=list(places)).delete()
    if n_removed:
        record_event(study=locked, kind="situations removed", detail=f"{n_removed}", actor=actor)
    return n_removed
