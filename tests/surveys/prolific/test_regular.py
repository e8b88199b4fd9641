"""The regular reading, by a worker or by a command."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from kombu.exceptions import OperationalError

from surveys import tasks
from surveys.models import ProlificStudy, Submission
from tests.surveys.prolific.rows import connected_study, somebody
from tests.surveys.prolific.stand_in import ProlificStandIn

pytestmark = pytest.mark.django_db


def command(**options: str) -> str:
    out = StringIO()
    call_command("prolific_sync", stdout=out, **options)
    return out.getvalue()


def test_the_command_reads_every_running_study_and_names_what_needs_action(
    prolific: ProlificStandIn,
) -> None:
    study = connected_study(prolific)
    drafted = connected_study(prolific, "st2")
    ProlificStudy.objects.filter(study=drafted).update(status="UNPUBLISHED")
    prolific.add_submission("se1", "p1", "st1", status="AWAITING REVIEW")

    said = command()

    row = Submission.objects.get()
    assert f"{study.slug}: 1 added, 0 changed, 0 unchanged, 1 need action" in said
    assert f"submission {row.pk}: It was handed in without complete answers." in said
    assert drafted.slug not in said
    assert "p1" not in said
    assert "se1" not in said


def test_the_command_reads_one_study(prolific: ProlificStandIn) -> None:
    study, other = connected_study(prolific), connected_study(prolific, "st2")

    said = command(study=study.slug)

    assert study.slug in said
    assert other.slug not in said


def test_the_command_fails_aloud_and_reads_the_others(prolific: ProlificStandIn) -> None:
    lost, study = connected_study(prolific, "gone"), connected_study(prolific)
    del prolific.studies["gone"]
    prolific.add_submission("se1", "p1", "st1")

    with pytest.raises(CommandError, match=f"{lost.slug}: Prolific does not know"):
        command()

    assert study.submissions.count() == 1


def test_the_command_names_what_is_missing(
    prolific: ProlificStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CommandError, match="nowhere is not connected"):
        command(study="nowhere")
    assert "No study is running" in command()
    connected_study(prolific)
    monkeypatch.setenv("PROLIFIC_API_TOKEN", "")
    with pytest.raises(CommandError, match="Set PROLIFIC_API_TOKEN"):
        command()


def test_the_task_reads_all_and_survives_one_that_fails(prolific: ProlificStandIn) -> None:
    lost, study = connected_study(prolific, "gone"), connected_study(prolific)
    del prolific.studies["gone"]
    prolific.add_submission("se1", "p1", "st1")

    tasks.sync_prolific_task()

    assert study.submissions.count() == 1
    assert ProlificStudy.objects.get(study=lost).sync_error != ""


def test_without_studies_prolific_is_not_asked(
    prolific: ProlificStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROLIFIC_API_TOKEN", "")

    tasks.sync_prolific_task()

    assert prolific.calls == []


def test_one_submission_is_read_and_proven_by_a_worker(prolific: ProlificStandIn) -> None:
    study = connected_study(prolific)
    prolific.add_submission("se1", "p1", "st1", code="CODE1234")
    row = somebody(study, "se2", state="active")
    prolific.add_submission("se2", "p-se2", "st1")

    tasks.read_submission_task("se1")
    tasks.prove_launch_task(row.pk)

    row.refresh_from_db()
    assert Submission.objects.get(prolific_session_id="se1").entered_code == "CODE1234"
    assert row.is_proven


@pytest.mark.parametrize(
    ("enqueue", "task", "argument"),
    [
        (tasks.enqueue_submission, tasks.read_submission_task, "se1"),
        (tasks.enqueue_proof, tasks.prove_launch_task, 1),
    ],
)
def test_without_a_broker_nothing_breaks(
    enqueue, task, argument: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(task, "delay", asked.append)
    enqueue(argument)
    assert asked == [argument]

    def broken(_: object) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(task, "delay", broken)
    enqueue(argument)
