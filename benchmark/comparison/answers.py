"""Answers of a source as rows of scores and as cells: one query for each source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from benchmark.comparison.published import published_sources
from benchmark.domain.cells import Kind, Level, Origin, Place, Source, SourceCells
from benchmark.domain.grouping import Rows, group, moments_of
from benchmark.models import ModelAdministration
from surveys.models import Administration

Scores = Sequence[float]


def cells_of(
    source: Source,
    *,
    places: Mapping[int, Place],
    subscales: Sequence[str],
    level: Level,
) -> SourceCells:
    """Default phase and cells of a source, down to `level`.

    `places` are the catalogue's, by situation. Answers to situations that are not among them, the
    controls, are left out.
    """
    if source.origin is Origin.PUBLISHED:
        return _published(source)
    if source.kind is Kind.PEOPLE:
        default, rows = _people_rows(source, places, subscales)
    else:
        default, rows = _model_rows(source, places, subscales)
    moments = {key: moments_of([row[i] for row in default]) for i, key in enumerate(subscales)}
    return SourceCells(source, moments, group(rows, subscales, level=level))


def _published(source: Source) -> SourceCells:
    tables = published_sources(source.instrument)
    cells = next(table for table in tables if table.source.key == source.key)
    return SourceCells(source, cells.default, cells.cells)


def administrations_of_people(source: Source) -> QuerySet[Administration]:
    """The counted answers of a study."""
    return Administration.objects.counted().filter(
        participation__study__slug=source.key, instrument__key=source.instrument
    )


def administrations_of_model(source: Source) -> QuerySet[ModelAdministration]:
    """The answers of a run's valid trials."""
    return ModelAdministration.objects.filter(
        trial__run__code=source.key, trial__state="valid", instrument__key=source.instrument
    )


def _people_rows(
    source: Source, places: Mapping[int, Place], subscales: Sequence[str]
) -> tuple[list[Scores], Rows]:
    """Everybody's default scores, and each evoked answer beside its person's own default."""
    stored = administrations_of_people(source).order_by("participation_id", "position")
    default: dict[int, Scores] = {}
    evoked: list[tuple[int, int, Scores]] = []
    answers: Any = stored.values_list(
        "participation_id", "situation_version__situation_id", "scores"
    )
    for person, situation, scores in answers:
        if situation is None:
            default[person] = _in_order(scores, subscales)
        elif situation in places:
            evoked.append((person, situation, _in_order(scores, subscales)))
    # Without a default there is no change within person; such a study has none for anybody.
    evoked = [row for row in evoked if row[0] in default]
    numbers: dict[int, int] = {}
    respondents = [numbers.setdefault(person, len(numbers)) for person, _, _ in evoked]
    own_default = [default[person] for person, _, _ in evoked]
    rows = _rows([(s, scores) for _, s, scores in evoked], places, own_default, respondents)
    return list(default.values()), rows


def _model_rows(
    source: Source, places: Mapping[int, Place], subscales: Sequence[str]
) -> tuple[list[Scores], Rows]:
    by_situation: dict[int | None, list[Scores]] = defaultdict(list)
    answers: Any = administrations_of_model(source).values_list(
        "situation_version__situation_id", "scores"
    )
    for situation, scores in answers:
        by_situation[situation].append(_in_order(scores, subscales))
    default = by_situation.pop(None, [])
    evoked = [
        (situation, scores)
        for situation, many in by_situation.items()
        if situation in places
        for scores in many
        if situation is not None
    ]
    return default, _rows(evoked, places)


def _rows(
    evoked: Sequence[tuple[int, Scores]],
    places: Mapping[int, Place],
    default: Sequence[Scores] | None = None,
    respondents: Sequence[int] | None = None,
) -> Rows:
    index: dict[int, int] = {}
    situation_of = [index.setdefault(situation, len(index)) for situation, _ in evoked]
    return Rows(
        situations=[places[situation] for situation in index],
        situation_of=situation_of,
        evoked=[scores for _, scores in evoked],
        default=default,
        respondents=respondents,
    )


def _in_order(scores: Mapping[str, float], subscales: Sequence[str]) -> Scores:
    return [float(scores[key]) for key in subscales]
