from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from surveys.models import StudyEvent, Submission
from tests.factories import ParticipationFactory, StudyFactory
from tests.surveys.exporting.people import PROLIFIC_ID, answered

pytestmark = pytest.mark.django_db


def exported(study, path: Path) -> list[dict[str, str]]:
    call_command("export_identities", study.slug, "--out", str(path), stdout=io.StringIO())
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_identity_file_joins_pseudonym_and_ids_and_holds_no_answers(tmp_path: Path) -> None:
    study = StudyFactory()
    person = answered(study, prolific_id=PROLIFIC_ID, comment="private words", gender="Male")
    Submission.objects.update(status="AWAITING_REVIEW")

    (row,) = exported(study, tmp_path / "ids.csv")

    assert row == {
        "participant": f"p_{person.participant.code}",
        "prolific_participant_id": PROLIFIC_ID,
        "prolific_study_id": "study1",
        "prolific_session_id": "session1",
        "prolific_status": "AWAITING_REVIEW",
        "state": "completed",
        "outcome": "completed",
        "is_test": "0",
        "completed_at": "2026-03-01T23:35:00.000+00:00",
    }
    assert person.code not in (tmp_path / "ids.csv").read_text()


def test_who_withdrew_or_never_came_may_have_to_be_paid(tmp_path: Path) -> None:
    study = StudyFactory()
    ParticipationFactory(study=study, prolific_id="left", state="withdrawn")
    Submission.objects.create(study=study, prolific_participant_id="never came")
    Submission.objects.create(study=study, purged_at="2026-01-01T00:00:00Z")
    ParticipationFactory(prolific_id="of another study")

    rows = exported(study, tmp_path / "ids.csv")

    assert [(row["prolific_participant_id"], row["state"]) for row in rows] == [
        ("left", "withdrawn"),
        ("never came", ""),
    ]
    assert rows[1]["participant"] == ""


def test_making_the_file_is_noted(tmp_path: Path) -> None:
    study = StudyFactory()
    ParticipationFactory(study=study, prolific_id="a")

    exported(study, tmp_path / "ids.csv")

    event = StudyEvent.objects.get()
    assert (event.kind, event.detail) == (
        "identities exported",
        "1 submissions with Prolific's ids",
    )
    with pytest.raises(CommandError, match="no study nowhere"):
        call_command("export_identities", "nowhere", "--out", str(tmp_path / "x"))
    with pytest.raises(CommandError, match="No such file"):
        call_command("export_identities", study.slug, "--out", str(tmp_path / "no" / "x"))
