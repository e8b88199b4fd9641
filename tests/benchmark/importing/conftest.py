from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.benchmark.importing.small_release import trials_csv, write_questionnaires
from tests.surveys.importing.files import (
    crowd_rows,
    mjs_questionnaire,
    questionnaire,
    situation_lines,
    situation_tree,
    situations_csv,
    trial_headers,
    trial_rows,
    write_xlsx,
)


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
