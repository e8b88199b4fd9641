"""One row an item: every answer with where, when and how it was given."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any

from surveys.domain.instrument import Instrument
from surveys.domain.scoring import keyed
from surveys.exporting.measures import situation_emotion, situation_factor
from surveys.exporting.people import Person, Selection, load_people
from surveys.exporting.table import Kind, Row, Table, Variable
from surveys.models import Administration, SituationVersion, Study


def item_table(study: Study, selection: Selection) -> Table:
    """Rows of one person follow each other, measure by measure, in the order shown."""
    rows = (row for person in load_people(study, selection) for row in _rows(person))
    return Table("items", _variables(study.instrument.spec), rows)


def _variables(instrument: Instrument) -> list[Variable]:
    has_one_scale = all(item.options is None for item in instrument.items)
    labels = {option.value: option.label for option in instrument.options if has_one_scale}
    of = partial(Variable, instrument=instrument.key, version=instrument.version)
    return [
        Variable("participant", "Pseudonym of the person, the same in every study", Kind.TEXT),
        Variable("study", "Address of the study", Kind.TEXT),
        Variable("state", "completed, or active: not (yet) finished", Kind.TEXT),
        Variable("is_excluded", "Whether the person is left out of the norms", Kind.YES_NO),
        Variable("measure", "0 before any situation, k after situation k", Kind.INTEGER),
        Variable("phase", "default: before any situation; evoked: after one", Kind.TEXT),
        Variable("situation_code", "Code of the situation in the catalogue", Kind.TEXT),
        Variable("situation_version", "Version of its words", Kind.INTEGER),
        Variable("emotion", "Emotion that it is meant to evoke", Kind.TEXT),
        Variable("factor", "Factor of that emotion", Kind.TEXT),
        of("item", "Key of the item", Kind.TEXT),
        of("item_text", "The item's words", Kind.TEXT),
        Variable("place", "Where it was shown, counted from 1", Kind.INTEGER),
        of("rating", "The answer", Kind.INTEGER, "scale points", labels),
        of(
            "keyed_rating",
            "The answer, mirrored on reverse-keyed items",
            Kind.INTEGER,
            "scale points",
        ),
        Variable("shown_at", "When its page was first shown, server's clock", Kind.TIME, "UTC"),
        Variable("answered_at", "When it was first saved, server's clock", Kind.TIME, "UTC"),
        Variable("changes", "Saved answers that replaced another", Kind.INTEGER, "times"),
        Variable("client_shown_at", "When it was shown, browser's clock", Kind.TIME, "UTC"),
        Variable(
            "client_answered_at", "When it was first answered, browser's clock", Kind.TIME, "UTC"
        ),
        Variable("client_changes", "Answers changed in the browser", Kind.INTEGER, "times"),
    ]


def _rows(person: Person) -> Iterator[Row]:
    participation = person.participation
    who = (
        person.pseudonym,
        participation.study.slug,
        participation.state,
        bool(participation.excluded_because),
    )
    versions = {version.pk: version for version in person.situations}
    for position, measure in sorted(person.measures.items()):
        version = versions.get(measure.situation_version_id or 0)
        where = (position, measure.phase, *_situation(version))
        for place, index in enumerate(measure.item_order, start=1):
            yield (*who, *where, *_answer(person.instrument, measure, index, place))


def _situation(version: SituationVersion | None) -> Row:
    if version is None:
        return (None, None, None, None)
    return (
        version.situation.code,
        version.number,
        situation_emotion(version),
        situation_factor(version),
    )


def _answer(instrument: Instrument, measure: Administration, index: int, place: int) -> Row:
    item = instrument.items[index]
    rating: int | None = measure.ratings[index]
    seen: dict[str, Any] = measure.paradata.get(item.key, {})
    return (
        item.key,
        item.text or None,
        place,
        rating,
        None if rating is None else keyed(instrument, item.key, rating),
        _time(seen.get("shown_at")),
        _time(seen.get("answered_at")),
        seen.get("changes"),
        _time(seen.get("client_shown_at")),
        _time(seen.get("client_answered_at")),
        seen.get("client_changes"),
    )


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
