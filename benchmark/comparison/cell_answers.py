"""The raw answers behind a number: every respondent's ratings at one place, in one phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from benchmark.comparison.answers import administrations_of_model, administrations_of_people
from benchmark.domain.cells import Kind, Origin, Place, Source
from surveys.domain.protocol import Phase


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One administration: what identifies it, its situation, ratings in the instrument's order."""

    label: str
    situation: str
    ratings: Sequence[int]
    scores: Sequence[float]


@dataclass(frozen=True, slots=True)
class RatingCounts:
    """How often each response option was chosen for one item."""

    item: str
    counts: Sequence[int]


def answers_at(
    source: Source, *, place: Place, phase: Phase, places: Mapping[int, Place]
) -> QuerySet[Any]:
    """The administrations that a cell pools, in a stable order.

    `places` are those of all situations; the default phase has none and is the same everywhere.
    """
    answers = _administrations(source).filter(phase=phase.value)
    if phase is Phase.DEFAULT:
        return answers.order_by("pk")
    depth = place.level.depth
    inside = [pk for pk, other in places.items() if other[:depth] == place[:depth]]
    return answers.filter(situation_version__situation__in=inside).order_by("pk")


def _administrations(source: Source) -> QuerySet[Any]:
    if source.kind is Kind.PEOPLE:
        return administrations_of_people(source)
    return administrations_of_model(source)


def shows_rows_to_all(source: Source) -> bool:
    """Whether individual answers are public: those of models and of published people are.

    The answers of one's own participants are for staff.
    """
    return source.kind is not Kind.PEOPLE or source.origin is Origin.IMPORTED


def read_rows(
    answers: Any,
    source: Source,
    *,
    places: Mapping[int, Place],
    subscales: Sequence[str],
) -> list[AnswerRow]:
    """The rows of `answers`, a query or a part of one; participants' codes are not among them."""
    holder = "participation" if source.kind is Kind.PEOPLE else "trial"
    number = "pk" if source.kind is Kind.PEOPLE else "trial__number"
    rows = answers.values_list(
        f"{holder}__source_key", number, "situation_version__situation_id", "ratings", "scores"
    )
    noun = "column" if source.origin is Origin.IMPORTED else "trial"
    return [
        AnswerRow(
            label=f"{noun} {key}" if key else _own_label(source, row_number),
            situation=(places[situation].situation or "") if situation in places else "",
            ratings=ratings,
            scores=[scores[subscale] for subscale in subscales],
        )
        for key, row_number, situation, ratings, scores in rows
    ]


def _own_label(source: Source, number: int) -> str:
    return "a participant" if source.kind is Kind.PEOPLE else f"trial {number}"


def count_ratings(
    answers: QuerySet[Any], *, items: Sequence[str], options: Iterable[int]
) -> list[RatingCounts]:
    """The distribution of ratings of each item over all answers, in the instrument's order."""
    counters: list[Counter[int]] = [Counter() for _ in items]
    for (ratings,) in answers.values_list("ratings"):
        for counter, rating in zip(counters, ratings, strict=True):
            counter[rating] += 1
    values = list(options)
    return [
        RatingCounts(item, [counter[value] for value in values])
        for item, counter in zip(items, counters, strict=True)
    ]
