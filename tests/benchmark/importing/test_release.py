"""Whole imports of small releases with invented words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmark.importing.release import import_files
from benchmark.importing.release_files import find_release_files
from benchmark.models import LanguageModel, ModelAdministration, PromptTemplate, Run, Trial
from surveys.importing.outcome import FileOutcome
from surveys.models import (
    Administration,
    Collection,
    InstrumentVersion,
    Participation,
    Situation,
    SituationVersion,
    Study,
)
from tests.surveys.importing.files import (
    crowd_rows,
    mjs_questionnaire,
    place_words,
    questionnaire,
    quoted,
    situation_lines,
    situation_rows,
    situation_tree,
    situations_csv,
    trial_headers,
    trial_rows,
    write_csv,
    write_xlsx,
)

pytestmark = pytest.mark.django_db


def run_import(root: Path, only: str = "") -> dict[str, FileOutcome]:
    files, _ = find_release_files(root)
    return {outcome.file: outcome for outcome in import_files(files, only=only)}


def counts(outcome: FileOutcome) -> tuple[int, int, int, int]:
    return outcome.created, outcome.updated, outcome.unchanged, outcome.invalid


def write_questionnaires(root: Path, *entries: dict[str, Any]) -> Path:
    path = root / "questionnaires.json"
    path.write_text(json.dumps(entries))
    return path


def trials_csv(root: Path, rows: list[list[object]], name: str = "m-1-PANAS-testing.csv") -> Path:
    return write_csv(root / "results" / name, rows)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A folder with a file of every kind."""
    situations_csv(tmp_path)
    (tmp_path / "situations.json").write_text(json.dumps(situation_tree()))
    (tmp_path / "new.jsonl").write_text(situation_lines())
    write_xlsx(
        tmp_path / "situations" / "situations.xlsx",
        [
            ["Emotion", "Anger", "Anger", "Jealousy"],
            ["Reference", "Paper of noise", "Paper of trains", "Paper of toys"],
            ["Context", "1. The drum next door starts at night", "The train leaves early", "x"],
        ],
    )
    write_questionnaires(tmp_path, questionnaire(), mjs_questionnaire())
    write_xlsx(tmp_path / "results" / "crowd.xlsx", crowd_rows())
    trials_csv(tmp_path, trial_rows(trial_headers()))
    return tmp_path


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


def test_people_become_a_closed_imported_study(release: Path) -> None:
    run_import(release)
    study = Study.objects.get(slug="emotionbench")
    assert (study.state, study.origin, study.instrument.key) == ("closed", "imported", "PANAS")
    first, second = study.participations.order_by("pk")
    assert (first.source_key, first.gender, first.year_of_birth) == ("C", "Female", 1980)
    assert (first.state, first.completed_at) == ("completed", None)
    version = second.assignments.get().situation_version
    assert version.text == "She got the window."
    default, evoked = second.administrations.order_by("position")
    assert (default.phase, default.situation_version) == ("default", None)
    assert (evoked.phase, evoked.situation_version) == ("evoked", version)
    assert evoked.scores == {"positive_affect": 31, "negative_affect": 29}
    assert Situation.objects.filter(is_in_published_study=True).count() == 2
    assert study.situations.count() == 2


def test_sums_of_the_sheet_that_are_wrong_are_reported(release: Path) -> None:
    rows = crowd_rows()
    rows += [
        [None, "Positive Affect(General)", 31, 32],
        [None, "Negative Affect(General)", 29, 29],
        [None, "Positive Affect(After Scenario)", 31, 31],
    ]
    write_xlsx(release / "results" / "crowd.xlsx", rows)
    assert run_import(release)["results/crowd.xlsx"].warnings == [
        "sheet Raw: the sheet's own sum of positive_affect (default) is not that of its ratings "
        "in 1 columns (D); the ratings count",
        "nothing quotes what was shown at 1 places (Jealousy-0_scenario-1); the catalogue's words "
        "there are taken",
    ]


def test_a_person_with_blank_ratings_is_kept_and_does_not_count(release: Path) -> None:
    rows = crowd_rows(rate=lambda p, n, phase: None if (p, phase) == (1, "evoked") else 3)
    write_xlsx(release / "results" / "crowd.xlsx", rows)
    outcome = run_import(release)["results/crowd.xlsx"]
    assert counts(outcome) == (2, 0, 0, 1)
    participation = Participation.objects.get(source_key="D")
    assert participation.excluded_because == "20 of 20 evoked ratings blank"
    assert participation.administrations.get(phase="evoked").scores is None
    assert Participation.objects.counted().count() == 1


def test_people_changed_since_are_reported_and_left(release: Path) -> None:
    run_import(release)
    rows = crowd_rows(["Angry_F1S1", "Jealous_F1S2", "Angry_F2S1"])
    rows[10][2] = 5
    write_xlsx(release / "results" / "crowd.xlsx", rows)
    outcome = run_import(release)["results/crowd.xlsx"]
    assert counts(outcome) == (0, 0, 1, 0)
    assert outcome.warnings == [
        "sheet Raw: 1 columns differ from what was imported before (C); what is stored stays",
        "sheet Raw: 1 columns were not there before, and are not added (E); what is stored stays",
    ]
    assert Administration.objects.filter(participation__source_key="C").first().ratings[4] == 1


def test_a_models_file_becomes_a_run(release: Path) -> None:
    run_import(release)
    run = Run.objects.get()
    assert run.source_key == "m-1-PANAS-testing.csv"
    assert (run.origin, run.state, run.preset) == ("imported", "finished", "paper")
    assert run.language_model == LanguageModel.objects.get(name="m-1", identifier="m-1")
    assert run.language_model.endpoint is None
    assert run.prompt_template == PromptTemplate.objects.get(instrument__key="PANAS")
    assert (run.plan["default_repeats"], run.plan["repeats"]) == (2, 2)
    trials = list(run.trials.order_by("number"))
    assert [trial.number for trial in trials] == [0, 1, 2, 3]
    assert [trial.repeat for trial in trials] == [0, 1, 0, 1]
    assert [trial.phase for trial in trials] == ["default", "default", "evoked", "evoked"]
    last = trials[-1]
    assert last.source_key == "Anger-0_scenario-0_test-1_order-0"
    assert last.situation_version.text == "The drum next door starts at night."
    assert (last.situation_as_shown, last.state) == ("", "valid")
    assert last.administrations.get().scores == {"positive_affect": 31, "negative_affect": 29}


def test_a_run_whose_prompt_is_not_imported_has_no_template(release: Path) -> None:
    (release / "questionnaires.json").unlink()
    run_import(release)
    assert Run.objects.get().prompt_template is None


def test_the_words_that_were_shown_are_kept_where_they_differ(release: Path) -> None:
    headers = trial_headers(places=["Anger-0_scenario-0", "Anger-0_scenario-1"])
    rows = trial_rows(headers)
    rows[1][4] = rows[1][5] = quoted("Words that the list has nowhere.")
    rows[1][6] = rows[1][7] = quoted(place_words("Anger-0_scenario-0"))
    trials_csv(release, rows)
    outcome = run_import(release)["results/m-1-PANAS-testing.csv"]
    assert outcome.warnings == [
        "2 of 2 situations were shown in other words than the catalogue has at their place, "
        "1 of them in those of another situation of the factor: Anger-0_scenario-0, "
        "Anger-0_scenario-1; the words shown are kept as a set of their own"
    ]
    trial = Trial.objects.get(source_key="Anger-0_scenario-0_test-0_order-0")
    assert trial.situation_version.text == "Words that the list has nowhere."
    assert trial.situation_version.situation.code == "Anger-0_scenario-0"
    assert trial.situation_version.situation.collection.slug == "emotionbench-study"
    catalogue = Situation.objects.get(
        collection__slug="emotionbench", factor=trial.situation_version.situation.factor, position=0
    )
    assert [v.text for v in catalogue.versions.all()] == [place_words("Anger-0_scenario-0")]
    assert counts(run_import(release)["results/m-1-PANAS-testing.csv"]) == (0, 0, 4 + 2, 0)


def test_people_are_linked_to_the_words_that_the_models_file_quotes(release: Path) -> None:
    rows = trial_rows(trial_headers())
    rows[1][4] = rows[1][5] = quoted("Words that people read.")
    trials_csv(release, rows)
    run_import(release)
    first = Participation.objects.order_by("pk").first()
    assert first.assignments.get().situation_version.text == "Words that people read."


def test_a_second_file_that_quotes_other_words_keeps_them_with_its_trials(release: Path) -> None:
    run_import(release)
    rows = trial_rows(trial_headers())
    rows[1][4] = rows[1][5] = quoted("Other words.")
    write_csv(release / "results" / "m-2-PANAS-testing.csv", rows)
    outcome = run_import(release)["results/m-2-PANAS-testing.csv"]
    assert outcome.warnings[-1] == (
        "2 trials quote other words than what is stored as shown at their place: "
        "Anger-0_scenario-0; the quoted words are kept with the trials"
    )
    shown = Trial.objects.filter(run__source_key="m-2-PANAS-testing.csv", phase="evoked")
    assert {trial.situation_as_shown for trial in shown} == {"Other words."}


def test_blank_and_partial_trials_are_invalid_and_counted(release: Path) -> None:
    blank = {"Anger-0_scenario-0_test-0_order-0": 20, "Anger-0_scenario-0_test-1_order-0": 18}
    rows = trial_rows(
        trial_headers(), rate=lambda header, n: "" if n <= blank.get(header, 0) else 3
    )
    trials_csv(release, rows)
    outcome = run_import(release)["results/m-1-PANAS-testing.csv"]
    assert counts(outcome) == (4, 0, 0, 2)
    assert outcome.warnings == [
        "2 trials have blank ratings and are stored as invalid: "
        "Anger-0_scenario-0_test-0_order-0, Anger-0_scenario-0_test-1_order-0"
    ]
    invalid = Trial.objects.filter(state="invalid").order_by("number")
    assert [trial.state_reason for trial in invalid] == [
        "20 of 20 ratings blank",
        "18 of 20 ratings blank",
    ]
    assert ModelAdministration.objects.count() == 2
    assert counts(run_import(release)["results/m-1-PANAS-testing.csv"]) == (0, 0, 4, 2)


def test_missing_trials_are_reported_and_not_invented(release: Path) -> None:
    headers = trial_headers(tests=3, places=["Anger-0_scenario-0", "Anger-0_scenario-1"])
    trials_csv(release, trial_rows(headers[:-2]))
    outcome = run_import(release)["results/m-1-PANAS-testing.csv"]
    assert counts(outcome) == (7, 0, 0, 0)
    assert outcome.warnings == [
        "2 trials are missing beside the other situations' repeats and orders: "
        "Anger-0_scenario-1_test-1_order-0, Anger-0_scenario-1_test-2_order-0"
    ]
    run = Run.objects.get()
    assert (run.state, run.state_reason) == ("partial", "2 trials are missing in the file")


def test_a_scale_is_scored_by_its_own_rules(release: Path) -> None:
    from tests import factories

    spec = factories.complete_instrument("dass_21").spec
    rows = trial_rows(trial_headers(), instrument=spec, rate=lambda header, item: 1)
    trials_csv(release, rows, "m-1-DASS-21-testing.csv")
    run_import(release)
    run = Run.objects.get(source_key="m-1-DASS-21-testing.csv")
    scores = run.trials.first().administrations.get().scores
    assert (run.language_model.name, run.instrument.key) == ("m-1", "DASS-21")
    assert scores["overall"] == 42


def test_a_run_changed_since_is_reported_and_left(release: Path) -> None:
    run_import(release)
    rows = trial_rows(
        trial_headers(), rate=lambda h, n: 5 if h == "General_test-1_order-0" else 1 + n % 5
    )
    trials_csv(release, rows)
    outcome = run_import(release)["results/m-1-PANAS-testing.csv"]
    assert counts(outcome) == (0, 0, 3, 0)
    assert outcome.warnings == [
        "1 trials differ from what was imported before: General_test-1_order-0; "
        "what is stored stays"
    ]
    trial = Trial.objects.get(source_key="General_test-1_order-0")
    assert trial.administrations.get().ratings == [1 + n % 5 for n in range(1, 21)]


def test_people_and_models_take_the_situations_that_lie_beside_them(release: Path) -> None:
    outcomes = run_import(release, only="models")
    assert "situations/situations.csv" in outcomes
    assert "results/crowd.xlsx" not in outcomes
    assert Trial.objects.count() == 4
    assert list(run_import(release, only="models")) == ["results/m-1-PANAS-testing.csv"]


@pytest.mark.parametrize("only", ["people", "models"])
def test_without_situations_nothing_is_created(release: Path, only: str) -> None:
    (outcome,) = run_import(release / "results", only=only).values()
    assert outcome.error == (
        f"{outcome.file}: the release's situations are not imported yet: "
        "import situations.csv first"
    )
    assert not Study.objects.filter(slug="emotionbench").exists()
    assert not Run.objects.exists()


def break_bytes(raw: bytes) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(raw)


@pytest.mark.parametrize(
    ("name", "break_file", "error"),
    [
        (
            "situations/situations.csv",
            break_bytes(b"Anger-0\nNom\nUn caf\xe9 ferm\xe9.\n"),
            "column Anger-0 (A), row 3: byte 0xE9 is not UTF-8; save the file as UTF-8",
        ),
        (
            "questionnaires.json",
            break_bytes(b""),
            "column A, row 1: the file is empty",
        ),
        (
            "results/crowd.xlsx",
            lambda path: write_xlsx(path, crowd_rows(), sheet="Summary"),
            "sheet Raw: the sheet is missing; the workbook has Summary",
        ),
        (
            "results/crowd.xlsx",
            lambda path: write_xlsx(path, crowd_rows(rate=lambda p, n, phase: 9)),
            "sheet Raw, column Angry_F1S1 (C), row 7: the rating 9 is not one of 1..5",
        ),
        (
            "results/crowd.xlsx",
            lambda path: write_xlsx(path, crowd_rows(["Angry_F1S1", "Fear_F1S9"])),
            "sheet Raw, column Fear_F1S9 (D), row 1: Fear-0_scenario-8 is not among the imported "
            "situations",
        ),
        (
            "results/m-1-PANAS-testing.csv",
            break_bytes(b"<!doctype html><title>404</title>"),
            "column A, row 1: the file is a web page, not data",
        ),
        (
            "results/m-1-PANAS-testing.csv",
            lambda path: path.write_text(
                path.read_text().replace("Anger-0_scenario-0_test-1", "Fear-9_scenario-0_test-1")
            ),
            "column Fear-9_scenario-0_test-1_order-0 (F), row 1: Fear-9_scenario-0 is not among "
            "the imported situations",
        ),
    ],
)
def test_of_a_broken_file_nothing_comes_and_the_others_do(
    release: Path, name: str, break_file: Callable[[Path], Any], error: str
) -> None:
    break_file(release / name)
    outcomes = run_import(release)
    assert outcomes[name].error == f"{name}: {error}"
    assert counts(outcomes[name]) == (0, 0, 0, 0)
    assert [o.file for o in outcomes.values() if o.error] == [name]
    empty = {
        "questionnaires.json": PromptTemplate,
        "results/crowd.xlsx": Participation,
        "results/m-1-PANAS-testing.csv": Run,
    }
    stored = {file: model.objects.count() > 0 for file, model in empty.items()}
    assert stored == {file: file != name for file in empty}


def test_a_study_of_ones_own_is_not_taken_over(release: Path) -> None:
    from tests import factories

    factories.StudyFactory(slug="emotionbench")
    outcome = run_import(release)["results/crowd.xlsx"]
    assert outcome.error == (
        "results/crowd.xlsx: a study of your own has the address emotionbench; rename it first"
    )
