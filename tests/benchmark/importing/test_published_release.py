"""The published release where it lies: what came, and the figures straight from its answers."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from benchmark.importing.release import import_files
from benchmark.importing.release_files import find_release_files
from benchmark.models import ModelAdministration, PromptTemplate, Run, Trial
from surveys.importing.outcome import FileOutcome
from surveys.models import Administration, InstrumentVersion, Situation, SituationVersion, Study

pytestmark = [pytest.mark.needs_shared_data, pytest.mark.django_db]

PANAS_FILES = tuple(
    f"results/PANAS Test/{model}-PANAS-testing.csv"
    for model in ("gpt-3.5-turbo", "gpt-4", "llama2-13b")
)
Outcomes = list[dict[str, FileOutcome]]


@pytest.fixture(scope="module")
def imported(shared_data: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Any:
    """The outcomes of two imports; the rows stay for the tests of this module alone."""
    from django.db import transaction

    class Undo(Exception):
        pass

    files, _ = find_release_files(shared_data / "emotionbench")
    with django_db_blocker.unblock():
        try:
            with transaction.atomic():
                yield [{o.file: o for o in import_files(files)} for _ in range(2)]
                raise Undo
        except Undo:
            pass


def spread(values: list[float], digits: int) -> tuple[float, float]:
    return round(statistics.mean(values), digits), round(statistics.stdev(values), digits)


def scores_of(run: str, phase: str, subscale: str) -> list[float]:
    rows = ModelAdministration.objects.filter(trial__run__source_key=run, phase=phase)
    return [scores[subscale] for scores in rows.values_list("scores", flat=True)]


def test_every_file_comes_whole_once(imported: Outcomes) -> None:
    first, second = imported
    assert not [outcome.error for outcome in first.values() if outcome.error]
    assert first["situations/situations.csv"].created == 428
    assert first["situations.json"].unchanged == 428
    assert first["results/PANAS Test/crowd.xlsx"].created == 1266
    assert [first[file].created for file in PANAS_FILES] == [1800, 1800, 1800]
    assert first["results/Challenging Bench/gpt-3.5-turbo-AGQ-testing.csv"].created == 260
    assert first["results/Challenging Bench/gpt-3.5-turbo-DASS-21-testing.csv"].created == 210
    assert all(outcome.invalid == 0 for outcome in first.values())
    assert {(o.created, o.updated) for o in second.values()} == {(0, 0)}
    for name, outcome in second.items():
        assert outcome.unchanged >= first[name].created
        assert outcome.warnings == first[name].warnings


def test_the_situations_listed_twice_are_named(imported: Outcomes) -> None:
    assert len(imported[0]["situations/situations.csv"].warnings) == 3
    assert Situation.objects.filter(collection__slug="emotionbench").count() == 428


def test_nine_instruments_have_their_texts_and_prompts(imported: Outcomes) -> None:
    assert imported[0]["questionnaires.json"].warnings == []
    assert [v.is_complete for v in InstrumentVersion.objects.all()] == [True] * 9
    paper = PromptTemplate.objects.filter(preset="paper", source__contains="EmotionBench release")
    assert paper.count() == 9


def test_people_are_the_published_people(imported: Outcomes) -> None:
    study = Study.objects.get(slug="emotionbench")
    assert study.participations.counted().count() == 1266
    assert study.situations.count() == 175
    assert Situation.objects.filter(is_in_published_study=True).count() == 175
    scores = Administration.objects.filter(participation__study=study, phase="default")
    rows = list(scores.values_list("scores", flat=True))
    assert spread([row["positive_affect"] for row in rows], 2) == (28.02, 8.88)
    assert spread([row["negative_affect"] for row in rows], 2) == (13.62, 5.50)


def test_models_have_the_published_default(imported: Outcomes) -> None:
    gpt4 = "gpt-4-PANAS-testing.csv"
    assert spread(scores_of(gpt4, "default", "positive_affect"), 1) == (49.8, 0.8)
    assert spread(scores_of(gpt4, "default", "negative_affect"), 1) == (10.0, 0.0)
    llama = "llama2-13b-PANAS-testing.csv"
    assert spread(scores_of(llama, "default", "positive_affect"), 1) == (41.0, 3.5)
    assert spread(scores_of(llama, "default", "negative_affect"), 1) == (22.7, 4.2)


@pytest.mark.parametrize(
    ("run", "figures"),
    [
        ("gpt-3.5-turbo-AGQ-testing.csv", (117.3, 9.6)),
        ("gpt-3.5-turbo-DASS-21-testing.csv", (65.0, 20.0)),
    ],
)
def test_scales_are_reverse_keyed_and_doubled(
    imported: Outcomes, run: str, figures: tuple[float, float]
) -> None:
    assert spread(scores_of(run, "default", "overall"), 1) == figures


def test_runs_are_finished_and_linked_to_their_prompt(imported: Outcomes) -> None:
    runs = Run.objects.filter(origin="imported")
    assert {run.state for run in runs} == {"finished"}
    assert all(run.prompt_template is not None for run in runs)
    assert Trial.objects.filter(run__in=runs, state="valid").count() == 5870


def test_people_and_models_are_linked_to_the_words_that_were_shown(imported: Outcomes) -> None:
    trials = Trial.objects.filter(run__origin="imported")
    assert not trials.exclude(situation_as_shown="").exists()
    shown = Situation.objects.filter(is_in_published_study=True)
    assert shown.count() == 175
    catalogue = set(
        SituationVersion.objects.filter(situation__collection__slug="emotionbench").values_list(
            "text", flat=True
        )
    )
    texts = shown.values_list("versions__text", flat=True)
    assert sum(text not in catalogue for text in texts) == 23
    (warning,) = imported[0][PANAS_FILES[1]].warnings
    assert warning.startswith("107 of 175 situations were shown in other words than the catalogue")
