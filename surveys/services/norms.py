"""The norms of a study, with and without the people whom its rule excludes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from surveys.domain.norms import ScoredPerson, SubscaleNorms, norms_of
from surveys.domain.protocol import Phase
from surveys.models import Administration, Participation, Study


@dataclass(frozen=True, slots=True)
class NormsBothWays:
    """Norms of one subscale: of those who count, and of them and the excluded together."""

    name: str
    counted: SubscaleNorms
    with_excluded: SubscaleNorms


def norms(*, study: Study) -> dict[str, NormsBothWays]:
    """By subscale, in the instrument's order; two queries, whatever the number of people.

    Someone excluded for an unanswered measure has no score there and is in neither.
    """
    people = study.participations.all()
    counted = _scored(people.counted())
    everybody = _scored(people.counted_before_exclusion())
    return {
        subscale.key: NormsBothWays(
            name=subscale.name,
            counted=norms_of(counted, subscale.key),
            with_excluded=norms_of(everybody, subscale.key),
        )
        for subscale in study.instrument.spec.subscales
    }


def _scored(people: QuerySet[Participation]) -> list[ScoredPerson]:
    measures = Administration.objects.filter(
        participation__in=people.order_by().values("pk"), scores__isnull=False
    ).order_by("participation_id", "position")
    default: dict[int, Mapping[str, float]] = {}
    evoked: dict[int, list[Mapping[str, float]]] = {}
    for person, phase, scores in measures.values_list("participation_id", "phase", "scores"):
        if phase == Phase.DEFAULT:
            default[person] = scores
        else:
            evoked.setdefault(person, []).append(scores)
    return [ScoredPerson(scores, evoked.get(person, ())) for person, scores in default.items()]
