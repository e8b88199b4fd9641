"""Who is in an export, and everything about one of them that a row is made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q, QuerySet

from surveys.domain.instrument import Instrument
from surveys.domain.protocol import ImaginedSituation
from surveys.models import (
    Administration,
    AttentionCheck,
    Participant,
    Participation,
    SituationVersion,
    Study,
)
from surveys.services.quality import PREFETCHED, PageSeconds, page_seconds

CHUNK = 500
PLACE = "assignments__situation_version__situation"
RELATED = (*PREFETCHED, f"{PLACE}__factor__emotion", f"{PLACE}__collection")


@dataclass(frozen=True, slots=True)
class Selection:
    """Who is wanted beside the people who count. Tests and the withdrawn are in no export."""

    include_excluded: bool = False
    include_active: bool = False

    @property
    def label(self) -> str:
        wanted = ["people who count"]
        if self.include_excluded:
            wanted.append("people excluded")
        if self.include_active:
            wanted.append("people not finished")
        return ", ".join(wanted)


def select_people(study: Study, selection: Selection) -> QuerySet[Participation]:
    """The participations of an export, oldest first."""
    everybody = study.participations.all()
    done = everybody.counted()
    if selection.include_excluded:
        done = everybody.counted_before_exclusion()
    chosen = Q(pk__in=done.order_by().values("pk"))
    if selection.include_active:
        active = Q(state=Participation.State.ACTIVE, is_test=False)
        chosen |= active if selection.include_excluded else active & Q(excluded_because="")
    people: QuerySet[Participation] = everybody.filter(chosen).order_by("id")
    return people


def pseudonym(participant: Participant) -> str:
    """How a person is called in files.

    The same in every study of this installation, and no part of any address. The lead keeps a
    code that begins with a sign or a digit from being taken for a formula or a number.
    """
    return f"p_{participant.code}"


@dataclass(frozen=True)
class Person:
    """A participation with all that belongs to it already loaded."""

    participation: Participation

    @property
    def pseudonym(self) -> str:
        return pseudonym(self.participation.participant)

    @property
    def instrument(self) -> Instrument:
        return self.participation.study.instrument.spec

    @property
    def is_finished(self) -> bool:
        return self.participation.state == Participation.State.COMPLETED

    @cached_property
    def situations(self) -> Sequence[SituationVersion]:
        """In the order in which they were imagined."""
        assignments = sorted(self.participation.assignments.all(), key=lambda a: a.position)
        return [assignment.situation_version for assignment in assignments]

    @cached_property
    def measures(self) -> Mapping[int, Administration]:
        """By position: 0 is the default measure, k follows situation k."""
        return {a.position: a for a in self.participation.administrations.all()}

    @cached_property
    def checks(self) -> Mapping[int, AttentionCheck]:
        return {c.measure_position: c for c in self.participation.attention_checks.all()}

    @cached_property
    def seconds(self) -> PageSeconds:
        imagined = [ImaginedSituation(version.pk, version.text) for version in self.situations]
        return page_seconds(participation=self.participation, situations=imagined)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {key: place for place, key in enumerate(self.instrument.item_keys)}

    def rating(self, position: int, item: str) -> int | None:
        """The answer in the measure at this position; None where there is none."""
        measure = self.measures.get(position)
        return measure.ratings[self._places[item]] if measure else None

    def score(self, position: int, subscale: str) -> float | None:
        measure = self.measures.get(position)
        return measure.scores[subscale] if measure and measure.scores else None

    def ratings_shown(self, position: int) -> list[int]:
        """The answers of a complete measure in the order shown; none of an incomplete one."""
        measure = self.measures.get(position)
        if measure is None or measure.scores is None:
            return []
        return [measure.ratings[place] for place in measure.item_order]


def load_people(study: Study, selection: Selection) -> Iterator[Person]:
    """Everybody of an export, a few hundred in memory at a time."""
    people = select_people(study, selection).select_related("participant")
    for participation in people.prefetch_related(*RELATED).iterator(chunk_size=CHUNK):
        # One study and one parsed instrument for all, not one for each.
        participation.study = study
        person = Person(participation)
        has_withdrawn_meanwhile = person.is_finished and not person.measures
        if not has_withdrawn_meanwhile:
            yield person
