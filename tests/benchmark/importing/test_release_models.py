"""Models' trials of small releases with invented words."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark.models import LanguageModel, ModelAdministration, PromptTemplate, Run, Trial
from surveys.models import (
    Participation,
    Situation,
)
from tests.benchmark.importing.small_release import counts, run_import, trials_csv
from tests.surveys.importing.files import (
    place_words,
    quoted,
    trial_headers,
    trial_rows,
    write_csv,
)

pytestmark = pytest.mark.django_db


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
