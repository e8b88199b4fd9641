"""Excel workbooks, written row by row."""

from __future__ import annotations

from pathlib import Path

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ERROR_CODES
from openpyxl.worksheet.worksheet import Worksheet

from surveys.exporting.cells import formula_safe, plain, xml_safe
from surveys.exporting.table import Table, Value
from surveys.services.errors import SurveyError

MAX_ROWS = 1_048_576
MAX_CELL = 32_767
CUT = " […]"


def write_workbook(table: Table, path: Path) -> None:
    """One sheet with a header row that stays in view.

    A cell holds 32,767 characters; longer text ends in […]. Raises SurveyError
    `export_too_large` beyond the rows of a sheet.
    """
    book = Workbook(write_only=True)
    sheet = book.create_sheet(table.name[:31])
    sheet.freeze_panes = "B2"
    try:
        _fill(sheet, table)
    finally:
        # Else the sheet's temporary file outlives an export that failed.
        sheet.close()
    book.save(path)


def _fill(sheet: Worksheet, table: Table) -> None:
    sheet.append([_cell(sheet, variable.name) for variable in table.variables])
    for number, row in enumerate(table.rows, start=2):
        if number > MAX_ROWS:
            raise SurveyError(code="export_too_large", detail=f"more than {MAX_ROWS - 1} rows")
        sheet.append([_cell(sheet, value) for value in row])


def _cell(sheet: Worksheet, value: Value) -> object:
    content = plain(value)
    if not isinstance(content, str):
        return content
    text = _text(content)
    if text not in ERROR_CODES:
        return text
    # openpyxl takes these words for errors of a formula. Cells for all text would be slow.
    cell = WriteOnlyCell(sheet, text)
    cell.data_type = "s"
    return cell


def _text(text: str) -> str:
    safe = formula_safe(xml_safe(text))
    return safe if len(safe) <= MAX_CELL else safe[: MAX_CELL - len(CUT)] + CUT
