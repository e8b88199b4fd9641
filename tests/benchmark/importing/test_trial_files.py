from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.importing.trial_files import TrialFile, read_trials
from benchmark.importing.trial_tables import read_trial_table
from surveys.importing.faults import ReleaseFileError
from surveys.importing.places import Place
from tests.surveys.importing.files import panas, trial_headers, trial_rows, write_csv

IDENTITY = list(range(1, 21))
REVERSED = IDENTITY[::-1]


def read(path: Path) -> TrialFile:
    return read_trials(read_trial_table(path), panas())


def read_rows(tmp_path: Path, rows: list[list[object]]) -> TrialFile:
    return read(write_csv(tmp_path / "m-PANAS-testing.csv", rows))


def fault(tmp_path: Path, rows: list[list[object]]) -> str:
    with pytest.raises(ReleaseFileError) as error:
        read_rows(tmp_path, rows)
    return str(error.value)


def test_a_column_is_a_trial(tmp_path: Path) -> None:
    default, evoked = read_rows(tmp_path, trial_rows(trial_headers(tests=1))).trials
    assert (default.place, default.header) == (None, "General_test-0_order-0")
    assert evoked.place == Place("Anger", 0, 0)
    assert evoked.shown == "The drum next door starts at night."
    assert evoked.ratings == tuple(1 + item % 5 for item in IDENTITY)
    assert evoked.item_order == tuple(range(20))


def test_ratings_follow_the_order_column_that_the_header_names(tmp_path: Path) -> None:
    headers = ["General_test-0_order-0", "General_test-0_order-1"]
    rows = trial_rows(headers, orders={0: IDENTITY, 1: REVERSED})
    first, second = read_rows(tmp_path, rows).trials
    assert first.ratings == second.ratings == tuple(1 + item % 5 for item in IDENTITY)
    assert second.item_order == tuple(range(19, -1, -1))
    assert rows[2][-1] != rows[2][-2]


@given(
    order=st.permutations(IDENTITY), ratings=st.lists(st.integers(1, 5), min_size=20, max_size=20)
)
def test_any_order_gives_the_same_ratings(
    tmp_path_factory: pytest.TempPathFactory, order: list[int], ratings: list[int]
) -> None:
    rows = trial_rows(
        ["General_test-0_order-3"],
        orders={3: order},
        rate=lambda header, item: ratings[item - 1],
    )
    path = write_csv(tmp_path_factory.mktemp("orders") / "m-PANAS-testing.csv", rows)
    assert read(path).trials[0].ratings == tuple(ratings)


def test_the_headers_of_older_releases(tmp_path: Path) -> None:
    headers = [
        "General_order-0",
        "General_order-1",
        "General_1_order-0",
        "General_1_order-1",
        "Anger-0_scenario-1_order-0",
        "Anger-0_scenario-1_order-1",
        "Anger-0_scenario-0_order-0",
        "Anger-0_scenario-0_order-1",
    ]
    file = read_rows(tmp_path, trial_rows(headers, orders={0: IDENTITY, 1: REVERSED}))
    assert [trial.repeat for trial in file.trials] == [0, 1, 2, 3, 0, 1, 0, 1]
    assert file.missing == ()


def test_an_order_that_the_question_column_contradicts_is_reported(tmp_path: Path) -> None:
    rows = trial_rows(["General_test-0_order-1"], orders={0: IDENTITY, 1: REVERSED})
    for row, item in zip(rows[2:], IDENTITY, strict=True):
        row[3] = item
    file = read_rows(tmp_path, rows)
    assert file.warnings == (
        "column question-1 (C), row 3: the item is not the one that the order column names; "
        "ratings follow the order columns (so in order-1)",
    )
    assert file.trials[0].ratings == tuple(1 + item % 5 for item in REVERSED)


@pytest.mark.parametrize("blank", ["", "  "])
def test_blank_ratings_stay_blank(tmp_path: Path, blank: str) -> None:
    headers = trial_headers(tests=1)
    rows = trial_rows(headers, rate=lambda header, n: 3 if "General" in header or n > 18 else blank)
    default, evoked = read_rows(tmp_path, rows).trials
    assert (default.blanks, evoked.blanks) == (0, 18)


@pytest.mark.parametrize("cell", [3, "3.0", 3.0, " 3 ", "3 "])
def test_integers_as_spreadsheets_write_them(tmp_path: Path, cell: object) -> None:
    rows = trial_rows(trial_headers(), rate=lambda header, item: cell)
    assert read_rows(tmp_path, rows).trials[0].ratings == (3,) * 20


def test_trials_that_the_other_situations_have_are_missed(tmp_path: Path) -> None:
    headers = trial_headers(tests=3, places=["Anger-0_scenario-0", "Anger-0_scenario-1"])
    gone = {"Anger-0_scenario-1_test-1_order-0", "General_test-0_order-0"}
    file = read_rows(tmp_path, trial_rows([h for h in headers if h not in gone]))
    assert set(file.missing) == gone
    assert file.warnings == (
        "2 trials are missing beside the other situations' repeats and orders: "
        "General_test-0_order-0, Anger-0_scenario-1_test-1_order-0",
    )


def test_a_situation_that_the_numbers_skip_is_missed_with_all_its_trials(tmp_path: Path) -> None:
    headers = trial_headers(tests=2, places=["Anger-1_scenario-1"])
    file = read_rows(tmp_path, trial_rows(headers))
    assert file.missing == (
        "Anger-1_scenario-0_test-0_order-0",
        "Anger-1_scenario-0_test-1_order-0",
    )


PRESENTED = [Place("Anger", 0, 0), Place("Anger", 0, 1), Place("Anger", 1, 0), Place("Fear", 0, 0)]


@pytest.mark.parametrize(
    ("places", "missing"),
    [
        (
            ["Anger-0_scenario-0", "Anger-0_scenario-1"],
            (),
        ),
        (["Anger-0_scenario-0"], ()),
        (
            ["Anger-0_scenario-0", "Anger-0_scenario-1", "Anger-1_scenario-0"],
            ("Fear-0_scenario-0_test-0_order-0",),
        ),
    ],
)
def test_a_file_with_most_situations_of_the_study_is_expected_to_have_all(
    tmp_path: Path, places: list[str], missing: tuple[str, ...]
) -> None:
    rows = trial_rows(trial_headers(tests=1, places=places))
    table = read_trial_table(write_csv(tmp_path / "m-PANAS-testing.csv", rows))
    assert read_trials(table, panas(), PRESENTED).missing == missing


def test_a_column_that_is_no_trial_is_left_out_and_named(tmp_path: Path) -> None:
    rows = [
        ["index", *row] if n == 0 else [n, *row]
        for n, row in enumerate(trial_rows(["General_order-0"]))
    ]
    file = read_rows(tmp_path, rows)
    assert len(file.trials) == 1
    assert file.warnings == ("columns that are no trial were left out: index",)


def put(row: int, column: int, value: object) -> Callable[[list[list[Any]]], None]:
    """A change of one cell; rows count as in a spreadsheet, columns from 0."""

    def change(rows: list[list[Any]]) -> None:
        rows[row - 1][column] = value

    return change


def cut(rows_left: int) -> Callable[[list[list[Any]]], None]:
    def change(rows: list[list[Any]]) -> None:
        del rows[rows_left:]

    return change


def drop_column(column: int) -> Callable[[list[list[Any]]], None]:
    def change(rows: list[list[Any]]) -> None:
        for row in rows:
            del row[column]

    return change


def grow(rows: list[list[Any]]) -> None:
    rows.append(rows[-1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            put(7, 2, 9),
            "column General_test-0_order-0 (C), row 7: the rating 9 is not one of 1..5",
        ),
        (
            put(22, 4, "0"),
            "column Anger-0_scenario-0_test-0_order-0 (E), row 22: the rating 0 is not one of 1..5",
        ),
        (
            put(3, 3, "3.5"),
            "column General_test-1_order-0 (D), row 3: the rating '3.5' is not an integer",
        ),
        (
            put(3, 3, "often"),
            "column General_test-1_order-0 (D), row 3: the rating 'often' is not an integer",
        ),
        (put(5, 1, 2), "column order-0 (B), row 5: item 2 stands in row 4 too"),
        (put(5, 1, 21), "column order-0 (B), row 5: 21 is not an item of 1..20"),
        (put(5, 1, ""), "column order-0 (B), row 5: the item number is missing"),
        (put(5, 1, "x"), "column order-0 (B), row 5: the item number 'x' is not an integer"),
        (
            drop_column(1),
            "column General_test-0_order-0 (B), row 1: "
            "the column order-0 that the header names is missing",
        ),
        (
            put(1, 3, "General_test-0_order-0"),
            "column General_test-0_order-0 (D), row 1: the column's name is that of column C too",
        ),
        (
            cut(15),
            "column question-0 (A), row 16: 13 rows of ratings, PANAS has 20 items: "
            "the file seems to be cut off",
        ),
        (cut(1), "column question-0 (A), row 2: the file ends before any rating"),
        (cut(2), "column question-0 (A), row 3: the file ends before any rating"),
        (grow, "column question-0 (A), row 23: 21 rows of ratings, PANAS has 20 items"),
        (
            lambda rows: rows[9].pop(),
            "column Anger-0_scenario-0_test-1_order-0 (F), row 10: "
            "the row has 5 cells, the header has 6",
        ),
    ],
)
def test_a_broken_file_says_where(
    tmp_path: Path, change: Callable[[list[list[Any]]], None], message: str
) -> None:
    rows = trial_rows(trial_headers())
    change(rows)
    assert fault(tmp_path, rows) == message


def test_a_table_without_trials(tmp_path: Path) -> None:
    assert fault(tmp_path, [["a", "b"], [1, 2], [1, 2]]) == (
        "column a (A), row 1: no column is a trial, such as General_test-0_order-0"
    )
