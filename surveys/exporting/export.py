"""Exporting the answers of a study into a folder: table, codebook, situations and a read-me."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from django.contrib.auth.models import User

from surveys.exporting.codebook import codebook_of
from surveys.exporting.formats import Format, write_table
from surveys.exporting.items import item_table
from surveys.exporting.participants import participant_table
from surveys.exporting.people import Selection
from surveys.exporting.readme import readme_of
from surveys.exporting.situations import situation_table
from surveys.exporting.table import Row, Table
from surveys.models import Study
from surveys.services.studies import record_event


class Rows(StrEnum):
    """What one row of the table is."""

    PARTICIPANT = "participant"
    ITEM = "item"


@dataclass(frozen=True, slots=True)
class Export:
    """What was written: the files, the table first, and how many rows it has."""

    files: tuple[Path, ...]
    row_count: int


def export_study(
    *,
    study: Study,
    form: Format,
    rows: Rows,
    selection: Selection,
    folder: Path,
    now: datetime,
    actor: User | None = None,
) -> Export:
    """Write the answers of a study, and note that it was done. Files of the same name are replaced.

    No transaction holds everything together: on SQLite it would keep participants from saving.
    All formats but SPSS keep a few hundred people in memory. Raises SurveyError
    `export_too_large` where the format cannot hold the rows.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tables = {Rows.PARTICIPANT: participant_table, Rows.ITEM: item_table}
    counter = _Counter()
    table = counter.counting(tables[rows](study, selection))
    stem, beside = f"{study.slug}-{table.name}", form.beside
    data = folder / f"{stem}.{form.extension}"
    codebook = folder / f"{stem}-codebook.{beside.extension}"
    situations = folder / f"{study.slug}-situations.{beside.extension}"
    readme = folder / f"{study.slug}-readme.txt"
    write_table(table, data, form)
    write_table(codebook_of(table), codebook, beside)
    write_table(situation_table(study, selection), situations, beside)
    contents = [
        (data.name, f"{counter.count} rows, one {rows.value} a row"),
        (codebook.name, "every column of it: label, type, unit, values, instrument and version"),
        (situations.name, "the situations in the words that were shown"),
    ]
    readme.write_text(readme_of(study, selection, contents, now=now), encoding="utf-8")
    detail = f"{counter.count} rows, one {rows.value} a row, as {form.value}: {selection.label}"
    record_event(study=study, kind="exported", detail=detail, actor=actor)
    return Export((data, codebook, situations, readme), counter.count)


class _Counter:
    """Counts the rows of a table while something else reads them."""

    def __init__(self) -> None:
        self.count = 0

    def counting(self, table: Table) -> Table:
        return replace(table, rows=self._pass_on(table))

    def _pass_on(self, table: Table) -> Iterator[Row]:
        for row in table.rows:
            self.count += 1
            yield row
