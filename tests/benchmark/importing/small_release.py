"""Small releases with invented words, and what an import of them comes to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmark.importing.release import import_files
from benchmark.importing.release_files import find_release_files
from surveys.importing.outcome import FileOutcome
from tests.surveys.importing.files import (
    write_csv,
)


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
