from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from surveys.importing.faults import ReleaseFileError
from surveys.importing.questionnaire_files import read_questionnaires
from tests.surveys.importing.files import PROMPT, questionnaire


def write(tmp_path: Path, *entries: Any) -> Path:
    path = tmp_path / "questionnaires.json"
    path.write_text(json.dumps(entries))
    return path


def test_a_questionnaire_is_read_whole(tmp_path: Path) -> None:
    (read,) = read_questionnaires(write(tmp_path, questionnaire(reverse=[2, 7])))
    assert (read.name, read.scale, read.scoring, read.prompt) == ("PANAS", 6, "sum", PROMPT)
    assert read.items[:2] == ("Interested", "Distressed")
    assert read.reverse == {2, 7}
    assert read.subscales[0][1] == {1, 3, 5, 9, 10, 12, 14, 16, 17, 19}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prompt": ""}, "field [0] PANAS.prompt: expected a text"),
        (
            {"prompt": "Rate them"},
            "field [0] PANAS.prompt: the word SCENARIO, where the situation stands, is missing",
        ),
        ({"scale": "6"}, "field [0] PANAS.scale: expected an integer"),
        (
            {"compute_mode": "MEDIAN"},
            "field [0] PANAS.compute_mode: expected one of SUM, SUM*2, AVG, MEAN",
        ),
        (
            {"questions": {"1": "a", "3": "b"}},
            "field [0] PANAS.questions: expected texts under the keys 1, 2, … without a gap",
        ),
        ({"reverse": [21]}, "field [0] PANAS.reverse: expected numbers of items, 1 to 20"),
        (
            {"categories": []},
            "field [0] PANAS.categories: expected names and numbers of items, 1 to 20",
        ),
    ],
)
def test_a_broken_questionnaire_names_its_field(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(ReleaseFileError) as error:
        read_questionnaires(write(tmp_path, questionnaire(**change)))
    assert str(error.value) == message


def test_a_questionnaire_listed_twice(tmp_path: Path) -> None:
    with pytest.raises(ReleaseFileError, match=r"field \[1\].name: the questionnaire is there"):
        read_questionnaires(write(tmp_path, questionnaire(), questionnaire()))


def test_json_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "questionnaires.json"
    path.write_text("[\n{")
    with pytest.raises(ReleaseFileError, match=r"^row 2: not JSON at character 2: "):
        read_questionnaires(path)
