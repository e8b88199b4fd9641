"""Whole imports of small releases with invented words: situations and questionnaires."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark.models import PromptTemplate, Trial
from surveys.models import (
    Collection,
    InstrumentVersion,
    Participation,
    SituationVersion,
)
from tests.benchmark.importing.small_release import counts, run_import, write_questionnaires
from tests.surveys.importing.files import (
    mjs_questionnaire,
    questionnaire,
    situation_rows,
    situation_tree,
    situations_csv,
)

pytestmark = pytest.mark.django_db


def test_a_release_comes_whole_and_a_second_time_changes_nothing(release: Path) -> None:
    first = run_import(release)
    assert {name: counts(outcome) for name, outcome in first.items()} == {
        "situations/situations.csv": (6, 0, 0, 0),
        "situations.json": (0, 0, 6, 0),
        "new.jsonl": (0, 0, 6, 0),
        "situations/situations.xlsx": (0, 4, 2, 0),
        "questionnaires.json": (2, 1, 1, 0),
        "results/crowd.xlsx": (2, 0, 0, 0),
        "results/m-1-PANAS-testing.csv": (4, 0, 0, 0),
    }
    second = run_import(release)
    assert all(outcome.created == outcome.updated == 0 for outcome in second.values())
    assert {name: outcome.unchanged for name, outcome in second.items()} == {
        "situations/situations.csv": 6,
        "situations.json": 6,
        "new.jsonl": 6,
        "situations/situations.xlsx": 6,
        "questionnaires.json": 4,
        "results/crowd.xlsx": 2,
        "results/m-1-PANAS-testing.csv": 4,
    }
    assert (Trial.objects.count(), Participation.objects.count()) == (4, 2)
    assert PromptTemplate.objects.filter(preset="paper").count() == 2


def test_situations_stand_in_a_collection_with_its_licence(release: Path) -> None:
    run_import(release)
    collection = Collection.objects.get(slug="emotionbench")
    assert "GPL-3.0" in collection.licence
    assert "Huang" in collection.citation
    version = SituationVersion.objects.get(text="The train leaves early.")
    assert version.source == "Paper of trains"
    situation = version.situation
    assert (situation.kind, situation.position, situation.state) == ("standard", 0, "published")
    # "Loud neighbours" is the file's name of a factor that the starter catalogue names otherwise.
    assert situation.factor.emotion.name == "Anger"
    assert situation.factor.position == 1


def test_factor_names_that_differ_are_reported_and_stay(release: Path) -> None:
    warnings = run_import(release)["situations/situations.csv"].warnings
    assert (
        "Anger-0 is named 'Loud neighbours' here and 'Facing Self-Opinioned People' in the "
        "catalogue, which stays"
    ) in warnings


def test_texts_that_differ_are_reported_and_not_merged(tmp_path: Path) -> None:
    situations_csv(tmp_path)
    rows = situation_rows()
    rows[3][1] = "Somebody else has the seat."
    (tmp_path / "situations.json").write_text(json.dumps(situation_tree(rows)))
    outcome = run_import(tmp_path)["situations.json"]
    assert (
        "field emotions[0].factors[1].scenarios[1]: the text differs from the stored one of "
        "Anger-1_scenario-1, which stays"
    ) in outcome.warnings
    assert counts(outcome) == (0, 0, 6, 0)
    assert not SituationVersion.objects.filter(text="Somebody else has the seat.").exists()


def test_item_texts_are_brought_once_and_other_ones_reported(tmp_path: Path) -> None:
    write_questionnaires(tmp_path, mjs_questionnaire())
    run_import(tmp_path)
    version = InstrumentVersion.objects.get(key="MJS")
    assert version.item_texts["24"] == "Invented statement 24."
    assert version.item_texts_source
    assert version.is_complete
    changed = mjs_questionnaire()
    changed["questions"]["3"] = "Another statement."
    write_questionnaires(tmp_path, changed)
    outcome = run_import(tmp_path)["questionnaires.json"]
    assert "MJS: the texts of items 3 differ from the stored ones, which stay" in outcome.warnings
    version.refresh_from_db()
    assert version.item_texts["3"] == "Invented statement 3."


@pytest.mark.parametrize(
    ("change", "warning"),
    [
        (
            {"reverse": [2, 7]},
            "PANAS: reverse-keyed items 2, 7 in the file, none here",
        ),
        ({"scale": 7}, "PANAS: reversed ratings are taken from 7 in the file, from 6 here"),
        (
            {"compute_mode": "SUM*2"},
            "PANAS: scored by doubled_sum in the file, by sum here",
        ),
        (
            {"questions": {"1": "Calm"}, "categories": [{"cat_name": "a", "cat_questions": [1]}]},
            "PANAS: 1 items in the file, 20 here; its item texts were not brought",
        ),
        (
            {"categories": [{"cat_name": "Odd", "cat_questions": [1, 2]}]},
            "PANAS: the file's subscale Odd (1, 2) is not here",
        ),
        ({"name": "XYZ"}, "XYZ is not one of the instruments here"),
    ],
)
def test_definitions_that_differ_are_reported(
    tmp_path: Path, change: dict[str, Any], warning: str
) -> None:
    write_questionnaires(tmp_path, questionnaire(**change))
    assert warning in run_import(tmp_path)["questionnaires.json"].warnings


def test_another_wording_of_a_prompt_is_a_new_version(tmp_path: Path) -> None:
    write_questionnaires(tmp_path, questionnaire())
    run_import(tmp_path)
    write_questionnaires(tmp_path, questionnaire(prompt="Now. SCENARIO Rate:"))
    run_import(tmp_path)
    run_import(tmp_path)
    texts = PromptTemplate.objects.filter(preset="paper").order_by("version")
    assert [text.version for text in texts] == [1, 2]
    assert texts[1].default_text == "Prompt: Now.   Rate:\n{items}"
    assert texts[0].system_text == "You only say {{numbers}}."
    assert "EmotionBench" in texts[0].source
