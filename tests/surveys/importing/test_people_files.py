from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from surveys.importing.faults import ReleaseFileError
from surveys.importing.people_files import read_people
from surveys.importing.places import Place
from tests.surveys.importing.files import crowd_rows, panas, write_xlsx


def test_a_column_is_a_person(tmp_path: Path) -> None:
    rows = crowd_rows(rate=lambda person, item, phase: 1.0 if phase == "default" else 2 + person)
    first, second = read_people(write_xlsx(tmp_path / "crowd.xlsx", rows), panas())
    assert (first.column, first.place) == ("C", Place("Anger", 0, 0))
    assert (second.column, second.place) == ("D", Place("Jealousy", 0, 1))
    assert (first.gender, first.year_of_birth, first.country) == ("Female", 1980, "Chile")
    assert (first.employment, first.education) == ("Student", "Primary school")
    assert first.default == (1,) * 20
    assert second.evoked == (3,) * 20


def test_ratings_are_joined_by_the_words_beside_the_rows(tmp_path: Path) -> None:
    rows = crowd_rows(["Angry_F1S1"])
    rows[6], rows[9] = rows[9], rows[6]
    (person,) = read_people(write_xlsx(tmp_path / "crowd.xlsx", rows), panas())
    assert person.default == tuple(1 + item % 5 for item in range(1, 21))


def test_a_year_in_words_is_none(tmp_path: Path) -> None:
    rows = crowd_rows()
    rows[2][2] = "Prefer not to say"
    first, second = read_people(write_xlsx(tmp_path / "crowd.xlsx", rows), panas())
    assert (first.year_of_birth, second.year_of_birth) == (None, 1981)


@pytest.mark.parametrize(
    ("row", "column", "value", "message"),
    [
        (
            8,
            3,
            9,
            "sheet Raw, column Jealous_F1S2 (D), row 9: the rating 9 is not one of 1..5",
        ),
        (
            30,
            2,
            3.5,
            "sheet Raw, column Angry_F1S1 (C), row 31: the rating 3.5 is not an integer",
        ),
        (
            30,
            2,
            "often",
            "sheet Raw, column Angry_F1S1 (C), row 31: the rating 'often' is not an integer",
        ),
        (
            0,
            3,
            "Jealous",
            "sheet Raw, column D, row 1: 'Jealous' is not a cell code such as Angry_F1S1",
        ),
        (1, 1, "Sex", "sheet Raw, column B, row 2: no row is labelled with 'gender'"),
        (
            7,
            1,
            "How: - Sad",
            "sheet Raw, column B, row 28: 1 rows are labelled 'Distressed', "
            "expected one in each phase",
        ),
        (
            3,
            2,
            "x" * 81,
            "sheet Raw, column Angry_F1S1 (C), row 4: the answer is longer than 80 characters",
        ),
    ],
)
def test_a_broken_sheet_says_where(
    tmp_path: Path, row: int, column: int, value: Any, message: str
) -> None:
    rows = crowd_rows()
    rows[row][column] = value
    with pytest.raises(ReleaseFileError) as error:
        read_people(write_xlsx(tmp_path / "crowd.xlsx", rows), panas())
    assert str(error.value) == message


def test_a_sheet_without_people(tmp_path: Path) -> None:
    with pytest.raises(ReleaseFileError) as error:
        read_people(write_xlsx(tmp_path / "crowd.xlsx", crowd_rows([])), panas())
    assert str(error.value) == "sheet Raw, column C, row 1: the sheet has no participant"
