"""Each format is read back by the program that people read it with."""

from __future__ import annotations

import csv
import json
import tempfile
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow.parquet as pq
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.exporting import workbooks
from surveys.exporting.cells import formula_safe, shorten
from surveys.exporting.codebook import codebook_of
from surveys.exporting.formats import Format, write_table
from surveys.exporting.table import Kind, Table, Variable, variable_name
from surveys.services.errors import SurveyError

LATE = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
IN_TOKYO = LATE.astimezone(timezone(timedelta(hours=9)))
WORDS = 'Grüße, 你好 😀\n"zwei; Zeilen"'
VARIABLES = (
    Variable("words", "What was said, ä 你 😀", Kind.TEXT),
    Variable("rating", "How much", Kind.INTEGER, "points", {1: "a little", 2: "sehr – 你"}),
    Variable("share", "A share", Kind.NUMBER, "seconds"),
    Variable("is_flat", "Whether flat", Kind.YES_NO),
    Variable("seen_at", "When", Kind.TIME, "UTC"),
)
ROWS = [
    (WORDS, 2, 0.1, True, LATE),
    ('=HYPERLINK("http://x")', -1, -2.5, False, IN_TOKYO),
    (None, None, None, None, None),
]


def written(tmp_path: Path, form: Format, rows=ROWS, variables=VARIABLES) -> Path:
    path = tmp_path / f"file.{form.extension}"
    write_table(Table("data", variables, iter(rows)), path, form)
    return path


@pytest.mark.parametrize(
    ("form", "options"),
    [
        (Format.CSV, {}),
        (Format.EXCEL_CSV, {"encoding": "utf-8-sig"}),
        (Format.EXCEL_CSV_COMMA, {"encoding": "utf-8-sig", "sep": ";", "decimal": ","}),
    ],
)
def test_csv_comes_back_through_pandas(tmp_path: Path, form: Format, options) -> None:
    frame = pd.read_csv(written(tmp_path, form), lineterminator=None, **options)

    assert list(frame) == ["words", "rating", "share", "is_flat", "seen_at"]
    assert frame.words[0] == WORDS
    assert frame.words[1] == '\'=HYPERLINK("http://x")'
    assert frame.rating[:2].tolist() == [2, -1]
    assert frame.share[:2].tolist() == [0.1, -2.5]
    assert frame.is_flat[:2].tolist() == [1, 0]
    assert frame.seen_at[:2].tolist() == ["2026-03-01T23:30:00.000+00:00"] * 2
    assert frame.iloc[2].isna().all()


def test_only_the_files_for_excel_begin_with_a_mark(tmp_path: Path) -> None:
    starts = {form: written(tmp_path, form).read_bytes()[:3] for form in list(Format)[:3]}

    assert starts == {
        Format.CSV: b"wor",
        Format.EXCEL_CSV: b"\xef\xbb\xbf",
        Format.EXCEL_CSV_COMMA: b"\xef\xbb\xbf",
    }


def test_a_workbook_comes_back_through_openpyxl(tmp_path: Path) -> None:
    sheet = openpyxl.load_workbook(written(tmp_path, Format.XLSX)).active

    header, first, second = sheet.iter_rows(values_only=True)
    assert header == ("words", "rating", "share", "is_flat", "seen_at")
    assert first == (WORDS, 2, 0.1, 1, "2026-03-01T23:30:00.000+00:00")
    assert second[:3] == ('\'=HYPERLINK("http://x")', -1, -2.5)
    assert [cell.data_type for cell in sheet[3]] == ["s", "n", "n", "n", "s"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("#N/A", "#N/A"), ("a\x00b\x1fc", "a�b�c"), ("007", "007"), ("1e5", "1e5")],
)
def test_a_workbook_keeps_text_as_text(tmp_path: Path, text: str, expected: str) -> None:
    path = written(tmp_path, Format.XLSX, [(text,)], VARIABLES[:1])

    cell = openpyxl.load_workbook(path).active["A2"]

    assert (cell.value, cell.data_type) == (expected, "s")


def test_text_too_long_for_a_cell_says_so(tmp_path: Path) -> None:
    long = "ä" * 40_000
    book = written(tmp_path, Format.XLSX, [(long,)], VARIABLES[:1])
    text = openpyxl.load_workbook(book).active["A2"].value
    assert (len(text), text[-4:]) == (32_767, " […]"[-4:])

    frame, _ = pyreadstat.read_sav(written(tmp_path, Format.SPSS, [(long,)], VARIABLES[:1]))
    assert len(frame.words[0].encode()) <= 32_767
    assert frame.words[0].endswith(" […]")

    assert pd.read_csv(written(tmp_path, Format.CSV, [(long,)], VARIABLES[:1])).words[0] == long


def test_a_sheet_too_small_for_the_rows_is_refused_and_leaves_no_file(
    tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(workbooks, "MAX_ROWS", 3)

    with pytest.raises(SurveyError) as caught:
        written(tmp_path, Format.XLSX)

    assert caught.value.code == "export_too_large"
    assert list(tmp_path.iterdir()) == []


def test_json_lines_come_back_as_they_were(tmp_path: Path) -> None:
    lines = written(tmp_path, Format.JSON_LINES).read_text(encoding="utf-8").split("\n")

    first, second, empty = (json.loads(line) for line in lines[:3])
    assert lines[3:] == [""]
    assert first == {
        "words": WORDS, "rating": 2, "share": 0.1, "is_flat": True,
        "seen_at": "2026-03-01T23:30:00.000+00:00",
    }  # fmt: skip
    assert second["words"] == '=HYPERLINK("http://x")'
    assert set(empty.values()) == {None}


def test_parquet_comes_back_typed(tmp_path: Path) -> None:
    table = pq.read_table(written(tmp_path, Format.PARQUET))

    assert [str(field.type) for field in table.schema] == [
        "string", "int64", "double", "bool", "timestamp[us, tz=UTC]",
    ]  # fmt: skip
    rows = table.to_pylist()
    assert tuple(rows[0].values()) == ROWS[0]
    assert rows[1]["seen_at"] == rows[0]["seen_at"] == LATE
    assert set(rows[2].values()) == {None}
    metadata = table.schema.field("rating").metadata
    assert metadata[b"label"] == b"How much"
    assert json.loads(metadata[b"value_labels"])["2"] == "sehr – 你"


def test_spss_comes_back_with_labels(tmp_path: Path) -> None:
    frame, meta = pyreadstat.read_sav(written(tmp_path, Format.SPSS))

    assert frame.words.tolist() == [WORDS, '=HYPERLINK("http://x")', ""]
    assert frame.rating[:2].tolist() == [2, -1]
    assert frame.rating.isna().tolist() == [False, False, True]
    assert frame.share[:2].tolist() == [0.1, -2.5]
    assert frame.seen_at[0] == frame.seen_at[1] == "2026-03-01T23:30:00.000+00:00"
    assert meta.column_names_to_labels["words"] == "What was said, ä 你 😀"
    assert meta.variable_value_labels["rating"] == {1.0: "a little", 2.0: "sehr – 你"}
    assert meta.variable_measure["rating"] == "ordinal"


@pytest.mark.parametrize("form", list(Format))
def test_a_table_without_rows_is_a_file_with_its_columns(tmp_path: Path, form: Format) -> None:
    path = written(tmp_path, form, rows=[])
    names = [variable.name for variable in VARIABLES]

    match form:
        case Format.JSON_LINES:
            assert path.read_text() == ""
        case Format.PARQUET:
            assert pq.read_table(path).column_names == names
        case Format.SPSS:
            assert pyreadstat.read_sav(path)[1].column_names == names
        case Format.XLSX:
            assert [c.value for c in openpyxl.load_workbook(path).active[1]] == names
        case _:
            assert path.read_text(encoding="utf-8-sig").count(",".join(names)) or ";" in (
                path.read_text()
            )


def test_headers_are_safe_too(tmp_path: Path) -> None:
    table = codebook_of(
        Table("data", (Variable("a", "=SUM(1)", Kind.INTEGER, value_labels={1: "@x"}),), ())
    )
    path = tmp_path / "codebook.csv"
    write_table(table, path, Format.CSV)

    with path.open(newline="") as file:
        (row,) = csv.DictReader(file)

    assert row["label"] == "'=SUM(1)"
    assert row["value_labels"] == "1 = @x"


@pytest.mark.parametrize(
    "text", ["=1", "+1", "-1", "@x", "\tx", "\rx", "\nx", " =1", "＝1", "　@x", "﻿=1"]
)
def test_what_a_spreadsheet_would_run_is_led_by_an_apostrophe(text: str) -> None:
    assert formula_safe(text) == f"'{text}"


@given(st.text())
def test_safe_text_never_begins_like_a_formula_and_is_otherwise_unchanged(text: str) -> None:
    safe = formula_safe(text)

    assert safe in (text, f"'{text}")
    assert safe.strip()[:1] not in set("=+-@")
    assert formula_safe(safe) == safe


@given(st.text(), st.integers(12, 60))
def test_shortened_text_fits(text: str, limit: int) -> None:
    result = shorten(text, limit)

    assert len(result.encode()) <= limit
    assert result == text or result.endswith(" […]")


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)))
def test_any_text_comes_back_from_csv_and_json(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        variables, rows = VARIABLES[:1], [(text,) for text in texts]
        as_csv = written(Path(folder), Format.CSV, rows, variables)
        with as_csv.open(newline="", encoding="utf-8") as file:
            back = [row[0] if row else "" for row in csv.reader(file)][1:]
        assert back == [formula_safe(text) for text in texts]
        lines = written(Path(folder), Format.JSON_LINES, rows, variables).read_text("utf-8")
        assert [json.loads(line)["words"] for line in lines.split("\n")[:-1]] == texts


def test_names_are_fit_for_every_format() -> None:
    assert variable_name("default", "Äh! 2-b") == "default_h_2_b"
    with pytest.raises(ValueError, match="twice: a"):
        Table("t", (Variable("a", "", Kind.TEXT),) * 2, ())
    for name in ("1a", "with", "a" * 65, "a-b", ""):
        with pytest.raises(ValueError, match="no names"):
            Table("t", (Variable(name, "", Kind.TEXT),), ())
