"""CSV files: for programs, for Excel, and for an Excel that writes commas in its numbers."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from surveys.exporting.cells import formula_safe, plain
from surveys.exporting.table import Table, Value


@dataclass(frozen=True, slots=True)
class Dialect:
    """`has_bom` tells Excel that the file is UTF-8, and disturbs most other programs."""

    delimiter: str = ","
    decimal: str = "."
    has_bom: bool = False


PLAIN = Dialect()
EXCEL = Dialect(has_bom=True)
EXCEL_DECIMAL_COMMA = Dialect(delimiter=";", decimal=",", has_bom=True)


def write_delimited(table: Table, path: Path, dialect: Dialect) -> None:
    """UTF-8, lines ended by CR LF, quoted where needed (RFC 4180); missing is empty."""
    encoding = "utf-8-sig" if dialect.has_bom else "utf-8"
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.writer(file, delimiter=dialect.delimiter)
        writer.writerow(formula_safe(variable.name) for variable in table.variables)
        for row in table.rows:
            writer.writerow(_cell(value, dialect) for value in row)


def _cell(value: Value, dialect: Dialect) -> str | int | None:
    match plain(value):
        case str() as text:
            return formula_safe(text)
        case float() as number:
            return repr(number).replace(".", dialect.decimal)
        case other:
            return other
