from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from benchmark.models import Run
from tests.surveys.importing.files import situations_csv, trial_headers, trial_rows, write_csv

pytestmark = pytest.mark.django_db


def command(root: Path, **options: str) -> tuple[str, str, str]:
    """Standard output, standard error, and the final message of a failure."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("import_emotionbench", str(root), stdout=out, stderr=err, **options)
    except CommandError as error:
        return out.getvalue(), err.getvalue(), str(error)
    return out.getvalue(), err.getvalue(), ""


@pytest.fixture
def release(tmp_path: Path) -> Path:
    situations_csv(tmp_path)
    write_csv(tmp_path / "m-PANAS-testing.csv", trial_rows(trial_headers()))
    (tmp_path / "README.md").write_text("words")
    return tmp_path


def test_a_line_a_file(release: Path) -> None:
    out, err, failure = command(release)
    lines = [line for line in out.splitlines() if not line.startswith("  ")]
    assert lines == [
        "situations/situations.csv (situations): 6 created, 0 updated, 0 unchanged, 0 invalid",
        "m-PANAS-testing.csv (models): 4 created, 0 updated, 0 unchanged, 0 invalid",
    ]
    assert err == "Not files of the release, passed over: README.md\n"
    assert failure == ""


def test_an_object_a_file(release: Path) -> None:
    command(release)
    out, _, _ = command(release, format="json")
    first, second = map(json.loads, out.splitlines())
    assert list(second) == [
        "file", "kind", "created", "updated", "unchanged", "invalid", "warnings",
    ]  # fmt: skip
    assert (first["kind"], first["unchanged"]) == ("situations", 6)
    assert second == {
        "file": "m-PANAS-testing.csv",
        "kind": "models",
        "created": 0,
        "updated": 0,
        "unchanged": 4,
        "invalid": 0,
        "warnings": [],
    }


def test_a_broken_file_fails_the_command_after_the_others(release: Path) -> None:
    write_csv(release / "a-PANAS-testing.csv", [["question-0"]])
    out, err, failure = command(release)
    assert failure == "1 of 3 files could not be imported"
    assert err.count("a-PANAS-testing.csv: column question-0 (A), row 1: no column is a trial") == 1
    assert Run.objects.get().source_key == "m-PANAS-testing.csv"
    out, _, failure = command(release, format="json")
    broken = next(line for line in map(json.loads, out.splitlines()) if "error" in line)
    assert broken["file"] == "a-PANAS-testing.csv"
    assert failure


def test_a_single_file_is_enough(release: Path) -> None:
    command(release / "situations" / "situations.csv")
    out, _, _ = command(release / "m-PANAS-testing.csv")
    assert out.startswith("m-PANAS-testing.csv (models): 4 created")


def test_only_one_kind(release: Path) -> None:
    out, _, _ = command(release, only="situations")
    assert "m-PANAS" not in out
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("name", "only", "failure"),
    [
        ("nowhere", "", "nowhere does not exist"),
        ("README.md", "", "README.md holds no file of the release"),
        ("", "people", " holds no file of the release with people"),
    ],
)
def test_nothing_to_import_is_a_failure(release: Path, name: str, only: str, failure: str) -> None:
    assert command(release / name, only=only)[2].endswith(failure)
