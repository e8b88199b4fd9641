"""The situations of an export in the words that were shown."""

from __future__ import annotations

from typing import Any

from django.db.models import Count

from surveys.exporting.measures import SITUATION
from surveys.exporting.people import Selection, select_people
from surveys.exporting.table import Kind, Table, Value, Variable
from surveys.models import SituationVersion, Study


def situation_table(study: Study, selection: Selection) -> Table:
    """Every version that somebody selected was given, with how many of them were."""
    people = select_people(study, selection).order_by().values("pk")
    versions = (
        SituationVersion.objects.filter(assignments__participation__in=people)
        .annotate(participants=Count("assignments"))
        .select_related("situation__collection", "situation__factor__emotion")
        .order_by("situation__factor__emotion__position", "situation__factor__position", "pk")
    )
    variables = [
        *(Variable(name, label.capitalize(), kind) for name, label, kind, _ in SITUATION),
        Variable("participants", "How many people of the export were given it", Kind.INTEGER),
        Variable("words", "Its words as they were shown", Kind.TEXT),
        Variable("source", "What the words come from", Kind.TEXT),
    ]
    return Table("situations", variables, (_row(version) for version in versions))


def _row(version: Any) -> list[Value]:
    known = [read(version) for _, _, _, read in SITUATION]
    return [*known, version.participants, version.text, version.source or None]
