from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from surveys.importing.faults import ReleaseFileError
from surveys.importing.places import Place, parse_cell_code
from surveys.importing.situation_files import read_situations
from surveys.importing.situation_sources import read_situation_sources, trace_paper
from tests.surveys.importing.files import (
    situation_lines,
    situation_rows,
    situation_tree,
    write_csv,
    write_xlsx,
)


def read(path: Path) -> list[tuple[Place, str, str]]:
    return [(s.place, s.factor_name, s.text) for s in read_situations(path).situations]


def fault(path: Path) -> str:
    with pytest.raises(ReleaseFileError) as error:
        read_situations(path)
    return str(error.value)


def test_the_three_forms_say_the_same(tmp_path: Path) -> None:
    table = write_csv(tmp_path / "s.csv", situation_rows())
    tree = tmp_path / "s.json"
    tree.write_text(json.dumps(situation_tree()))
    lines = tmp_path / "s.jsonl"
    lines.write_text(situation_lines())
    assert read(table) == read(tree) == read(lines)
    assert len(read(table)) == 6
    assert read(table)[3] == (
        Place("Anger", 1, 1),
        "Late trains",
        "The seat you booked is gone.",
    )


def test_a_situation_listed_twice_keeps_both_places(tmp_path: Path) -> None:
    rows = situation_rows()
    rows[3][2] = rows[2][0]
    listed = read_situations(write_csv(tmp_path / "s.csv", rows))
    assert len(listed.situations) == 6
    assert listed.warnings == (
        "column Jealousy-0 (C), row 4: Jealousy-0_scenario-1 has the words of "
        "Anger-0_scenario-0 too",
    )


def test_a_blank_between_situations_is_reported(tmp_path: Path) -> None:
    rows = [*situation_rows(), ["They sing.", "", ""], ["They laugh.", "", ""]]
    rows[3][0] = ""
    listed = read_situations(write_csv(tmp_path / "s.csv", rows))
    assert listed.warnings == (
        "column Anger-0 (A), row 4: blank, so the situations below move up by one",
    )
    assert [s.place.situation for s in listed.situations if s.place.factor_code == "Anger-0"] == [
        0,
        1,
        2,
    ]


def test_a_header_that_is_no_factor(tmp_path: Path) -> None:
    rows = situation_rows()
    rows[0][1] = "Anger"
    assert fault(write_csv(tmp_path / "s.csv", rows)) == (
        "column Anger (B), row 1: the header is not an emotion and a factor, such as Anger-0"
    )


def test_a_lost_column_is_named(tmp_path: Path) -> None:
    rows = [row[1:] for row in situation_rows()]
    assert fault(write_csv(tmp_path / "s.csv", rows)) == (
        "column Anger-1 (A), row 1: the column Anger-0 is missing before this one"
    )


@pytest.mark.parametrize(("row", "missing"), [(1, "name of its factor"), (2, "situation")])
def test_a_column_without_name_or_situation(tmp_path: Path, row: int, missing: str) -> None:
    rows = situation_rows()
    rows[row][1] = ""
    assert fault(write_csv(tmp_path / "s.csv", rows)) == (
        f"column Anger-1 (B), row {row + 1}: the column has no {missing}"
    )


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("emotions",), {}, "field emotions: expected a list"),
        (("emotions", 0, "name"), "", "field emotions[0].name: expected a text"),
        (
            ("emotions", 0, "factors", 1, "scenarios", 0),
            7,
            "field emotions[0].factors[1].scenarios[0]: a situation is a text",
        ),
    ],
)
def test_a_broken_tree_names_its_field(
    tmp_path: Path, path: tuple[Any, ...], value: Any, message: str
) -> None:
    tree = situation_tree()
    parent: Any = tree
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = value
    file = tmp_path / "s.json"
    file.write_text(json.dumps(tree))
    assert fault(file) == message


def test_json_cut_off_names_row_and_character(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    file.write_text(json.dumps(situation_tree(), indent=1)[:60])
    assert fault(file).startswith("row 6: not JSON at character ")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": " "}, "field text, row 2: expected a text"),
        (
            {"situation_id": "anger/0"},
            "field situation_id, row 2: 'anger/0' is not an identifier such as "
            "anger-0/scenario-0 of the line's emotion",
        ),
        (
            {"emotion": "Fear"},
            "field situation_id, row 2: 'anger-0/scenario-1' is not an identifier such as "
            "anger-0/scenario-0 of the line's emotion",
        ),
        (
            {"situation_id": "anger-0/scenario-0"},
            "field situation_id, row 2: anger-0/scenario-0 stands in row 1 too",
        ),
        ({"factor": "Other"}, "field factor, row 2: Anger-0 has another factor name above"),
    ],
)
def test_a_broken_line_names_field_and_row(
    tmp_path: Path, change: dict[str, str], message: str
) -> None:
    lines = situation_lines().splitlines()
    lines[1] = json.dumps(json.loads(lines[1]) | change)
    file = tmp_path / "s.jsonl"
    file.write_text("\n".join(lines))
    assert fault(file) == message


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("Angry_F1S1", Place("Anger", 0, 0)),
        ("Jealous_F4S3", Place("Jealousy", 3, 2)),
        ("Anxiety_F2S5", Place("Anxiety", 1, 4)),
        ("anxious_f2s5", Place("Anxiety", 1, 4)),
        ("Guilty F10S12", Place("Guilt", 9, 11)),
        ("Angry_F0S1", None),
        ("Angry", None),
        ("Bored_F1S1", None),
    ],
)
def test_cell_codes_count_from_one(code: str, place: Place | None) -> None:
    assert parse_cell_code(code) == place


def sources(tmp_path: Path) -> Path:
    return write_xlsx(
        tmp_path / "situations.xlsx",
        [
            ["Emotion", "Anger", "Anger", "Guilt", None],
            ["Reference", "Paper of noise", "Paper of trains", "Paper of guilt", None],
            ["Context", "1. A drum starts next door at night", "2. The train leaves early", "x"],
            [None, "3. They sing badly in the hall", None, None, "4. I broke the red vase"],
        ],
    )


def test_situations_are_traced_by_the_words_they_share(tmp_path: Path) -> None:
    papers = read_situation_sources(sources(tmp_path))
    assert trace_paper(papers, "Anger", "The drum next door starts at night") == "Paper of noise"
    assert trace_paper(papers, "Anger", "The train leaves too early.") == "Paper of trains"
    assert trace_paper(papers, "Anger", "Something else altogether happens here") == ""
    assert trace_paper(papers, "Fear", "The train leaves early") == ""


def test_the_only_paper_of_an_emotion_is_the_source(tmp_path: Path) -> None:
    papers = read_situation_sources(sources(tmp_path))
    assert trace_paper(papers, "Guilt", "Words that nobody wrote") == "Paper of guilt"
    assert len(papers[2].situations) == 2  # its own and that of the column that continues it


@pytest.mark.parametrize(
    ("row", "column", "value", "message"),
    [
        (0, 0, "Feeling", "sheet Raw, column A, row 1: expected 'Emotion'"),
        (1, 0, None, "sheet Raw, column A, row 2: expected 'Reference'"),
        (1, 2, None, "sheet Raw, column C, row 2: the column needs an emotion and a reference"),
    ],
)
def test_a_workbook_in_another_layout(
    tmp_path: Path, row: int, column: int, value: Any, message: str
) -> None:
    rows: list[list[Any]] = [["Emotion", "Anger", "Anger"], ["Reference", "One", "Two"]]
    rows[row][column] = value
    with pytest.raises(ReleaseFileError) as error:
        read_situation_sources(write_xlsx(tmp_path / "situations.xlsx", rows))
    assert str(error.value) == message
