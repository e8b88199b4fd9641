"""Rows of CSV files and sheets, or one fault that says where.

Nothing is repaired here: ragged rows, doubled headers and foreign encodings are faults. A byte
order mark, which spreadsheets write, is not.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from surveys.importing.faults import ReleaseFileError, column_letter

Cell = object
WHOLE = re.compile(r"[+-]?\d+(?:\.0+)?")
MARKUP = ("<!doctype", "<html", "<head", "<body", "<?xml")


@dataclass(frozen=True, slots=True)
class Table:
    """A CSV file: `rows[0]` is row 2 of the file, and every row is as long as the header."""

    header: list[str]
    rows: list[list[str]]


def read_text(path: Path) -> str:
    """A UTF-8 text, with or without byte order mark; ReleaseFileError says what it is instead."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ReleaseFileError(f"cannot be read: {error.strerror}") from error
    if not raw.strip():
        raise ReleaseFileError("the file is empty", column=0, row=1)
    if raw.startswith(b"PK\x03\x04"):
        raise ReleaseFileError("the file is a workbook or archive, not text", column=0, row=1)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(raw, error.start) from error
    if "\0" in text:
        raise ReleaseFileError("the file holds zero bytes and is no text", column=0, row=1)
    if text.lstrip()[:20].lower().startswith(MARKUP):
        raise ReleaseFileError("the file is a web page, not data", column=0, row=1)
    return text


def _not_utf8(raw: bytes, offset: int) -> ReleaseFileError:
    before = list(csv.reader(io.StringIO(raw[:offset].decode("utf-8-sig"), newline=""))) or [[""]]
    if raw[:offset].endswith((b"\n", b"\r")):
        before.append([""])
    column = max(len(before[-1]) - 1, 0)
    header = before[0][column] if len(before) > 1 and column < len(before[0]) else ""
    return ReleaseFileError(
        f"byte 0x{raw[offset]:02X} is not UTF-8; save the file as UTF-8",
        column=column,
        header=header,
        row=len(before),
    )


def read_csv_table(path: Path) -> Table:
    """A rectangular CSV table with named, different columns."""
    text = read_text(path)
    rows = _csv_rows(text)
    header = [cell.strip() for cell in rows[0]]
    seen: dict[str, int] = {}
    for column, name in enumerate(header):
        if not name:
            raise ReleaseFileError("the column has no name", column=column, row=1)
        if name in seen:
            raise ReleaseFileError(
                f"the column's name is that of column {column_letter(seen[name])} too",
                column=column,
                header=name,
                row=1,
            )
        seen[name] = column
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(header):
            raise _ragged(header, row, number, is_last=number == len(rows))
    return Table(header, rows[1:])


def _csv_rows(text: str) -> list[list[str]]:
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), strict=True):
            rows.append(row)
    except csv.Error as error:
        number = len(rows) + 1
        if "field limit" in str(error):
            raise ReleaseFileError(
                "a cell is far too long: perhaps no commas stand between the columns",
                column=0,
                row=number,
            ) from error
        loose = list(csv.reader(io.StringIO(text, newline="")))
        cells = loose[number - 1] if number <= len(loose) else [""]
        cut_off = "unexpected end" in str(error)
        column = len(cells) - 1 if cut_off else 0
        raise ReleaseFileError(
            "a quoted cell never ends: the file seems to be cut off"
            if cut_off
            else f"the row is not well-formed CSV ({error})",
            column=column,
            header=_name(rows[0], column) if rows else "",
            row=number,
        ) from error
    while rows and not any(cell.strip() for cell in rows[-1]):
        rows.pop()
    return rows


def _name(header: Sequence[str], column: int) -> str:
    return header[column].strip() if column < len(header) else ""


def _ragged(header: list[str], row: list[str], number: int, *, is_last: bool) -> ReleaseFileError:
    column = min(len(row), len(header))
    fault = f"the row has {len(row)} cells, the header has {len(header)}"
    if is_last and len(row) < len(header):
        fault += ": the file seems to be cut off"
    return ReleaseFileError(fault, column=column, header=_name(header, column), row=number)


def read_sheet(path: Path, sheet: str) -> list[tuple[Cell, ...]]:
    """The rows of one sheet, all as long as the longest; formulas as their stored values."""
    import openpyxl

    if path.stat().st_size == 0:
        raise ReleaseFileError("the file is empty", sheet=sheet, column=0, row=1)
    try:
        workbook = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # a damaged workbook fails anywhere inside zip, XML or openpyxl
        raise ReleaseFileError("the file is not an XLSX workbook", sheet=sheet) from error
    try:
        names = {name.casefold(): name for name in workbook.sheetnames}
        if sheet.casefold() not in names:
            has = ", ".join(workbook.sheetnames)
            raise ReleaseFileError(f"the sheet is missing; the workbook has {has}", sheet=sheet)
        worksheet = workbook[names[sheet.casefold()]]
        # Some writers store wrong dimensions; without them every row is read to its end.
        worksheet.reset_dimensions()
        rows = list(worksheet.iter_rows(values_only=True))
    except ReleaseFileError:
        raise
    except Exception as error:
        raise ReleaseFileError("the sheet cannot be read", sheet=sheet) from error
    finally:
        workbook.close()
    if not any(cell is not None for row in rows for cell in row):
        raise ReleaseFileError("the sheet is empty", sheet=sheet, column=0, row=1)
    width = max(len(row) for row in rows)
    return [row + (None,) * (width - len(row)) for row in rows]


def whole_number(cell: Cell) -> int | None:
    """The integer in a cell, None where the cell is blank; ValueError on anything else.

    Spreadsheets write integers as 3.0; white space around a number means nothing.
    """
    if cell is None:
        return None
    if isinstance(cell, str):
        text = cell.strip()
        if not text:
            return None
        if not WHOLE.fullmatch(text):
            raise ValueError(f"{text!r} is not an integer")
        return int(text.partition(".")[0])
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    if type(cell) is not int:
        raise ValueError(f"{cell!r} is not an integer")
    return cell


def rating(cell: Cell, lowest: int, highest: int) -> int | None:
    """A rating on the scale, None where the cell is blank; ValueError says what it is instead."""
    try:
        value = whole_number(cell)
    except ValueError as error:
        raise ValueError(f"the rating {error}") from error
    if value is not None and not lowest <= value <= highest:
        raise ValueError(f"the rating {value} is not one of {lowest}..{highest}")
    return value


def label(cell: Cell) -> str:
    """A cell's text, stripped; "" where it is blank."""
    return "" if cell is None else str(cell).strip()


def first_names(names: Iterable[str], count: int = 3) -> str:
    """The first few names, and how many more there are."""
    listed = list(names)
    shown = ", ".join(listed[:count])
    return shown if len(listed) <= count else f"{shown} and {len(listed) - count} more"
