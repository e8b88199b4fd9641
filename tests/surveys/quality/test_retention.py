from __future__ import annotations

import io
import logging
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command

from surveys.models import BonusPayment, ProlificStudy, StudyEvent, Submission
from surveys.prolific.records import KNOWN_STATUSES
from surveys.services.retention import overdue_studies, purge_identities
from surveys.tasks import purge_identities_task
from tests.factories import ParticipationFactory, StudyFactory

pytestmark = pytest.mark.django_db
CLOSED_AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
DUE_AT = CLOSED_AT + timedelta(days=30)
UNSETTLED = {"AWAITING_REVIEW", "ACTIVE", "RESERVED"}


def closed(*statuses: str, is_connected: bool = True, **fields):
    """A study with a submission for each status, ids kept for 30 days after closing."""
    study = StudyFactory(**{"state": "closed", "closed_at": CLOSED_AT} | fields)
    if is_connected:
        ProlificStudy.objects.create(study=study, prolific_id=f"prolific-{study.pk}")
    for number, status in enumerate(statuses):
        ParticipationFactory(study=study, prolific_id=f"person{number}")
        Submission.objects.filter(study=study, status="").update(status=status)
    return study


def ids(study) -> list[str]:
    rows = Submission.objects.filter(study=study).order_by("pk")
    return [row.prolific_participant_id for row in rows]


def test_ids_go_when_their_time_is_over_and_the_rest_stays() -> None:
    study = closed("APPROVED")

    purge = purge_identities(study=study, now=DUE_AT)

    assert (purge.purged, purge.unpaid) == (1, 0)
    row = Submission.objects.get()
    assert (
        row.prolific_participant_id, row.prolific_study_id, row.prolific_session_id,
    ) == ("", "", "")  # fmt: skip
    assert (row.purged_at, row.status) == (DUE_AT, "APPROVED")
    assert row.participation is not None
    assert StudyEvent.objects.get().kind == "identities purged"


def test_purging_again_does_nothing() -> None:
    study = closed("APPROVED")
    purge_identities(study=study, now=DUE_AT)

    again = purge_identities(study=study, now=DUE_AT + timedelta(days=1))

    assert again.purged == 0
    assert Submission.objects.get().purged_at == DUE_AT
    assert StudyEvent.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "now"),
    [
        ({}, DUE_AT - timedelta(seconds=1)),
        ({"identity_retention_days": 31}, DUE_AT),
        ({"state": "open"}, DUE_AT),
        ({"state": "paused", "closed_at": None}, DUE_AT),
        ({"closed_at": None}, DUE_AT),
    ],
)
def test_nothing_goes_before_its_time(fields, now: datetime) -> None:
    study = closed("APPROVED", **fields)

    assert purge_identities(study=study, now=now).purged == 0

    assert ids(study) == ["person0"]
    assert overdue_studies(now=now) == []


@pytest.mark.parametrize("status", [*sorted(KNOWN_STATUSES), "", "PROCESSING"])
def test_ids_stay_while_pay_may_be_open(status: str) -> None:
    study = closed(status)

    purge_identities(study=study, now=DUE_AT)

    is_kept = status in UNSETTLED | {"", "PROCESSING"}
    assert ids(study) == (["person0"] if is_kept else [""])


def test_without_prolifics_api_time_decides() -> None:
    study = closed("", is_connected=False)

    purge_identities(study=study, now=DUE_AT)

    assert ids(study) == [""]


@pytest.mark.parametrize(("state", "is_kept"), [("planned", 1), ("set_up", 1), ("paid", 0)])
def test_ids_stay_while_a_bonus_is_open(state: str, is_kept: int) -> None:
    study = closed("APPROVED")
    BonusPayment.objects.create(
        submission=Submission.objects.get(), amount_minor=50, reason="x", state=state
    )
    BonusPayment.objects.create(
        submission=Submission.objects.get(), amount_minor=50, reason="y", state="paid"
    )

    assert purge_identities(study=study, now=DUE_AT).unpaid == is_kept

    assert bool(ids(study)[0]) == bool(is_kept)


def test_what_is_kept_beyond_its_time_is_told_once(caplog) -> None:
    study = closed("APPROVED", "AWAITING_REVIEW")

    with caplog.at_level(logging.WARNING):
        for day in range(3):
            purge_identities(study=study, now=DUE_AT + timedelta(days=day))

    assert ids(study) == ["", "person1"]
    kept = StudyEvent.objects.filter(kind="identities kept")
    assert [event.detail for event in kept] == [
        "1 submissions keep Prolific's ids beyond their time: pay is open"
    ]
    assert len(caplog.records) == 3
    assert "person1" not in caplog.text
    assert overdue_studies(now=DUE_AT) == [study]


def test_a_dry_run_says_what_would_go_and_changes_nothing() -> None:
    study = closed("APPROVED", "AWAITING_REVIEW")
    out = io.StringIO()

    call_command("purge_identities", "--dry-run", stdout=out)

    assert out.getvalue() == (
        f"{study.slug}: due since 2026-03-31, 1 to delete, 1 are kept because pay is open.\n"
    )
    assert ids(study) == ["person0", "person1"]
    assert not StudyEvent.objects.exists()


def test_the_command_purges_what_is_due_and_alerts() -> None:
    study, open_study = closed("APPROVED", "ACTIVE"), closed("APPROVED", state="open")
    out, errors = io.StringIO(), io.StringIO()

    call_command("purge_identities", "--no-input", stdout=out, stderr=errors)

    assert "Deleted the ids of 1 submissions." in out.getvalue()
    assert "1 submissions keep theirs" in errors.getvalue()
    assert (ids(study), ids(open_study)) == (["", "person1"], ["person0"])


def test_at_a_terminal_the_command_asks_first(monkeypatch) -> None:
    study = closed("APPROVED")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: "y")

    with pytest.raises(CommandError, match="nothing was deleted"):
        call_command("purge_identities", stdout=io.StringIO())
    assert ids(study) == ["person0"]

    monkeypatch.setattr("builtins.input", lambda _: "yes")
    call_command("purge_identities", stdout=io.StringIO())
    assert ids(study) == [""]


def test_a_study_is_named_and_an_unknown_one_refused() -> None:
    study = closed("APPROVED", state="open")
    out = io.StringIO()

    call_command("purge_identities", "--study", study.slug, stdout=out)

    assert out.getvalue() == f"{study.slug}: not closed, nothing is due.\n"
    with pytest.raises(CommandError, match="no study nowhere"):
        call_command("purge_identities", "--study", "nowhere")


def test_the_worker_purges_every_study_that_is_due() -> None:
    first, second = closed("APPROVED"), closed("RETURNED")

    purge_identities_task()

    assert (ids(first), ids(second)) == ([""], [""])
