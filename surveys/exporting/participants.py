"""One row a participant: fixed columns, whatever was shown in which order."""

from __future__ import annotations

from django.db.models import Count

from surveys.exporting.columns import (
    COMMENT,
    DEVICE,
    EXCLUSION,
    FLAGS,
    ORDER,
    PERSON,
    TIMES,
    WHO,
    Column,
    read_row,
)
from surveys.exporting.measures import change_columns, measure_columns, situation_columns
from surveys.exporting.people import Selection, load_people, select_people
from surveys.exporting.table import Kind, Table, Variable
from surveys.models import AttentionCheck, Study

SOURCE = Column(
    Variable("source_key", "Column of the imported file that the person came from", Kind.TEXT),
    lambda person: person.participation.source_key or None,
)


def participant_table(study: Study, selection: Selection) -> Table:
    """A row for everybody selected, made while it is read."""
    columns = _columns(study, _situation_count(study, selection))
    people = load_people(study, selection)
    return Table(
        "participants",
        [column.variable for column in columns],
        (read_row(columns, person) for person in people),
    )


def _situation_count(study: Study, selection: Selection) -> int:
    """How many blocks of an evoked measure the table needs; at least the study's setting."""
    counted = select_people(study, selection).annotate(n=Count("assignments"))
    most = counted.order_by("-n").values_list("n", flat=True).first()
    return max(most or 0, study.situations_per_person)


def _columns(study: Study, n_situations: int) -> list[Column]:
    instrument = study.instrument.spec
    checked = set(
        AttentionCheck.objects.filter(participation__study=study)
        .order_by()
        .values_list("measure_position", flat=True)
        .distinct()
    )
    columns = [*WHO, *([SOURCE] if study.origin == Study.Origin.IMPORTED else []), *EXCLUSION]
    columns += [*TIMES, *PERSON, *DEVICE, *ORDER]
    columns += measure_columns(
        instrument, 0, "default", "before any situation", has_check=0 in checked
    )
    for ordinal in range(1, n_situations + 1):
        suffix = str(ordinal) if n_situations > 1 else ""
        when = f"after situation {suffix}" if suffix else "after the situation"
        columns += situation_columns(ordinal, suffix)
        columns += measure_columns(
            instrument, ordinal, f"evoked{suffix}", when, has_check=ordinal in checked
        )
        columns += change_columns(instrument, ordinal, suffix)
    return [*columns, *FLAGS, *COMMENT]
