"""Releases of which something is missing or broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmark.models import PromptTemplate, Run, Trial
from surveys.models import (
    Participation,
    Study,
)
from tests.benchmark.importing.small_release import counts, run_import
from tests.surveys.importing.files import (
    crowd_rows,
    write_xlsx,
)

pytestmark = pytest.mark.django_db


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
