from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.importing.faults import ReleaseFileError, column_letter
from surveys.importing.tables import rating, read_csv_table, read_sheet, whole_number
from tests.surveys.importing.files import write_csv, write_xlsx


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "column A, row 1: the file is empty"),
        (b" \r\n\n", "column A, row 1: the file is empty"),
        (b"<!DOCTYPE html>\n<html></html>", "column A, row 1: the file is a web page, not data"),
        (b"\n <html><body>", "column A, row 1: the file is a web page, not data"),
        (b"PK\x03\x04rest", "column A, row 1: the file is a workbook or archive, not text"),
        (b"a,b\n1\0,2\n", "column A, row 1: the file holds zero bytes and is no text"),
        (
            b"a,caf\xe9\n1,2\n",
            "column B, row 1: byte 0xE9 is not UTF-8; save the file as UTF-8",
        ),
        (
            b"a,b\n1,2\n3,na\xefve\n",
            "column b (B), row 3: byte 0xEF is not UTF-8; save the file as UTF-8",
        ),
        (
            b"a,b\n1,2\n\xe9,4\n",
            "column a (A), row 3: byte 0xE9 is not UTF-8; save the file as UTF-8",
        ),
        (b"a,b,a\n1,2,3\n", "column a (C), row 1: the column's name is that of column A too"),
        (b"a,,c\n1,2,3\n", "column B, row 1: the column has no name"),
        (b"a,b\n1,2\n3\n4,5\n", "column b (B), row 3: the row has 1 cells, the header has 2"),
        (b"a,b\n1,2,3\n4,5\n", "column C, row 2: the row has 3 cells, the header has 2"),
        (
            b"a,b,c\n1,2,3\n4,5",
            "column c (C), row 3: the row has 2 cells, the header has 3: "
            "the file seems to be cut off",
        ),
        (
            b'a,b\n1,2\n3,"four and',
            "column b (B), row 3: a quoted cell never ends: the file seems to be cut off",
        ),
    ],
)
def test_a_broken_csv_says_where(tmp_path: Path, raw: bytes, message: str) -> None:
    path = tmp_path / "broken.csv"
    path.write_bytes(raw)
    with pytest.raises(ReleaseFileError) as error:
        read_csv_table(path)
    assert str(error.value) == message


def test_a_byte_order_mark_and_blank_last_lines_mean_nothing(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "t.csv", [["é", "b"], ["1", "2"], ["", ""]], "utf-8-sig")
    table = read_csv_table(path)
    assert (table.header, table.rows) == (["é", "b"], [["1", "2"]])


def test_rows_count_as_a_spreadsheet_counts_them(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,b\n"two\nlines",2\n3\n4,5\n')
    with pytest.raises(ReleaseFileError, match="row 3"):
        read_csv_table(path)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "sheet Raw, column A, row 1: the file is empty"),
        (b"a,b\n1,2\n", "sheet Raw: the file is not an XLSX workbook"),
        (b"PK\x03\x04 not a zip after all", "sheet Raw: the file is not an XLSX workbook"),
    ],
)
def test_what_is_no_workbook_says_so(tmp_path: Path, raw: bytes, message: str) -> None:
    path = tmp_path / "crowd.xlsx"
    path.write_bytes(raw)
    with pytest.raises(ReleaseFileError) as error:
        read_sheet(path, "Raw")
    assert str(error.value) == message


def test_a_workbook_cut_off_is_no_workbook(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "crowd.xlsx", [["a", "b"]])
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ReleaseFileError, match="sheet Raw: the file is not an XLSX workbook"):
        read_sheet(path, "Raw")


def test_a_missing_sheet_is_named_with_those_there_are(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "crowd.xlsx", [["a"]], sheet="Sheet1")
    with pytest.raises(ReleaseFileError) as error:
        read_sheet(path, "Raw")
    assert str(error.value) == "sheet Raw: the sheet is missing; the workbook has Sheet1"


def test_an_empty_sheet_says_so(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "crowd.xlsx", [])
    with pytest.raises(ReleaseFileError) as error:
        read_sheet(path, "Raw")
    assert str(error.value) == "sheet Raw, column A, row 1: the sheet is empty"


def test_rows_of_a_sheet_are_equally_long(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "crowd.xlsx", [[1], [1, 2, 3]], sheet="raw")
    assert read_sheet(path, "Raw") == [(1, None, None), (1, 2, 3)]


@pytest.mark.parametrize(
    ("cell", "value"),
    [(3, 3), (3.0, 3), ("3", 3), (" 3 ", 3), ("3.0", 3), ("-1", -1), ("", None), (" ", None)],
)
def test_whole_numbers_as_spreadsheets_write_them(cell: object, value: int | None) -> None:
    assert whole_number(cell) == value


@pytest.mark.parametrize("cell", [3.5, "3.5", "three", "3 4", True, "1e1", "nan", "#REF!"])
def test_what_is_no_whole_number_is_refused(cell: object) -> None:
    with pytest.raises(ValueError, match="is not an integer"):
        whole_number(cell)


@given(st.one_of(st.text(), st.integers(), st.floats(), st.none(), st.booleans()))
def test_a_rating_is_on_the_scale_or_blank_or_refused(cell: object) -> None:
    try:
        value = rating(cell, 1, 5)
    except ValueError as error:
        assert str(error).startswith("the rating ")  # noqa: PT017
    else:
        assert value is None or 1 <= value <= 5


@given(st.integers(0, 18_277))
def test_column_letters_are_those_of_openpyxl(index: int) -> None:
    from openpyxl.utils import get_column_letter

    assert column_letter(index) == get_column_letter(index + 1)
