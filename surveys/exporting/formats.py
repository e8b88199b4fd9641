"""The formats of an export: what each is called, and what writes it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from surveys.exporting import delimited
from surveys.exporting.json_lines import write_json_lines
from surveys.exporting.table import Table


class Format(StrEnum):
    """Each with its name on the command line."""

    CSV = "csv"
    EXCEL_CSV = "excel-csv"
    EXCEL_CSV_COMMA = "excel-csv-comma"
    XLSX = "xlsx"
    JSON_LINES = "jsonl"
    PARQUET = "parquet"
    SPSS = "sav"

    @property
    def label(self) -> str:
        return {
            Format.CSV: "CSV, for R, Python and most programs",
            Format.EXCEL_CSV: "CSV for Excel",
            Format.EXCEL_CSV_COMMA: "CSV for an Excel with decimal commas (as in German)",
            Format.XLSX: "Excel workbook",
            Format.JSON_LINES: "JSON lines",
            Format.PARQUET: "Parquet",
            Format.SPSS: "SPSS",
        }[self]

    @property
    def extension(self) -> str:
        return "csv" if self.value.startswith("excel-csv") else self.value

    @property
    def beside(self) -> Format:
        """The format of the codebook beside a file of this format: one that people can read."""
        is_binary = self in (Format.JSON_LINES, Format.PARQUET, Format.SPSS)
        return Format.CSV if is_binary else self


def write_table(table: Table, path: Path, form: Format) -> None:
    """Write the table to this file, which appears only when it is whole.

    What writes the larger formats is imported when it is asked for: it takes as long to load as
    all the rest of the site.
    """
    unfinished = path.with_name(f".{path.name}.part")
    try:
        match form:
            case Format.CSV:
                delimited.write_delimited(table, unfinished, delimited.PLAIN)
            case Format.EXCEL_CSV:
                delimited.write_delimited(table, unfinished, delimited.EXCEL)
            case Format.EXCEL_CSV_COMMA:
                delimited.write_delimited(table, unfinished, delimited.EXCEL_DECIMAL_COMMA)
            case Format.XLSX:
                from surveys.exporting.workbooks import write_workbook

                write_workbook(table, unfinished)
            case Format.JSON_LINES:
                write_json_lines(table, unfinished)
            case Format.PARQUET:
                from surveys.exporting.parquet import write_parquet

                write_parquet(table, unfinished)
            case Format.SPSS:
                from surveys.exporting.spss import write_spss

                write_spss(table, unfinished)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
