"""Reading submissions, and reconciling both sides."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from surveys.domain.entry_ids import EntryIds
from surveys.models import Participation, ProlificStudy, Study, Submission
from surveys.prolific.client import ProlificClient
from surveys.prolific.entering import keep_submission
from surveys.prolific.errors import ProlificError
from surveys.prolific.reconciling import Reconciliation, list_cases, reconcile
from surveys.prolific.sync import SyncReport, note_status, sync_study, sync_submission
from tests.factories import ParticipationFactory
from tests.surveys.prolific.rows import connected_study, somebody
from tests.surveys.prolific.stand_in import ProlificStandIn

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 10, 1, 11, tzinfo=UTC)


def sync(study: Study, client: ProlificClient, at: datetime = NOW) -> SyncReport:
    row = ProlificStudy.objects.get(study=study)
    return sync_study(row=row, client=client, now=at)


def reconciled(study: Study, client: ProlificClient) -> Reconciliation:
    row = ProlificStudy.objects.get(study=study)
    return reconcile(row=row, client=client, now=timezone.now())


def test_both_statuses_are_kept_apart(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    row = somebody(study, "se1", state="active")
    prolific.add_submission(
        "se1", "p-se1", "st1", status="TIMED-OUT", code="CODE1234",
        completed_at="2026-10-01T10:09:00Z",
    )  # fmt: skip

    report = sync(study, client_of_prolific)

    row.refresh_from_db()
    assert (report.created, report.changed, report.unchanged) == (0, 1, 0)
    assert row.status == "TIMED_OUT"
    assert row.status_at == NOW
    assert row.is_proven
    assert row.entered_code == "CODE1234"
    assert row.started_at == datetime(2026, 10, 1, 10, tzinfo=UTC)
    assert row.participation is not None
    assert row.participation.state == "active"


def test_whom_only_prolific_knows_becomes_a_row_without_participation(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    prolific.add_submission("se9", "p9", "st1", status="RESERVED")

    report = sync(study, client_of_prolific)

    row = Submission.objects.get(study=study)
    assert report.created == 1
    assert (row.participation, row.prolific_participant_id, row.status) == (None, "p9", "RESERVED")


def test_addresses_and_dates_of_birth_are_stored_nowhere(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    prolific.add_submission("se9", "p9", "st1")
    allowed = {"filter_id": "custom_allowlist", "selected_values": ["somebody-else"]}
    prolific.studies["st1"]["filters"] = [allowed]

    sync(study, client_of_prolific)

    assert "somebody-else" not in str(list(ProlificStudy.objects.values()))
    stored = [*Submission.objects.values(), *ProlificStudy.objects.values()]
    assert "203.0.113.77" not in str(stored)
    assert "1990-01-31" not in str(stored)


def test_who_is_known_before_the_consent_keeps_their_row_when_they_enter(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    prolific.add_submission("se9", "p9", "st1")
    sync(study, client_of_prolific)

    row = keep_submission(
        participation=ParticipationFactory(study=study), ids=EntryIds("p9", "st1", "se9")
    )

    assert Submission.objects.get(study=study) == row
    assert row.is_proven
    assert row.status == "ACTIVE"


def test_an_unknown_state_is_kept_and_read_again(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    row = somebody(study, "se1", state="active")
    prolific.add_submission("se1", "p-se1", "st1", status="Under Quantum Review")

    sync(study, client_of_prolific)
    row.refresh_from_db()
    assert row.status == "UNDER_QUANTUM_REVIEW"

    prolific.submissions["se1"]["status"] = "AWAITING REVIEW"
    sync(study, client_of_prolific, NOW + timedelta(minutes=1))
    row.refresh_from_db()
    assert row.status == "AWAITING_REVIEW"


def test_an_older_reading_changes_nothing(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    row = somebody(study, "se1", status="APPROVED", status_at=NOW)
    prolific.add_submission("se1", "p-se1", "st1", status="AWAITING REVIEW")

    sync(study, client_of_prolific, NOW - timedelta(seconds=5))
    row.refresh_from_db()
    assert row.status == "APPROVED"

    Submission.objects.filter(pk=row.pk).update(synced_at=NOW)
    report = sync(study, client_of_prolific, NOW - timedelta(seconds=5))
    assert report.unchanged == 1


@pytest.mark.parametrize(
    ("seconds", "status", "is_taken"),
    [
        (-1, "APPROVED", False),
        (0, "ACTIVE", False),
        (0, "APPROVED", True),
        (1, "ACTIVE", True),
        (1, "AWAITING_REVIEW", False),
        (1, "", False),
    ],
)
def test_only_newer_states_are_taken(seconds: int, status: str, is_taken: bool) -> None:
    row = Submission(status="AWAITING_REVIEW", status_at=NOW)

    assert note_status(row, status, NOW + timedelta(seconds=seconds)) is is_taken
    assert row.status == (status if is_taken else "AWAITING_REVIEW")


def test_who_returned_and_began_again_goes_on_under_the_new_submission(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    row = somebody(study, "old", "p1", status="ACTIVE", is_proven=True)
    prolific.add_submission("new", "p1", "st1", started_at="2026-10-01T10:30:00Z")
    prolific.add_submission("old", "p1", "st1", status="RETURNED")

    for minutes in (0, 1):
        sync(study, client_of_prolific, NOW + timedelta(minutes=minutes))

    row.refresh_from_db()
    assert Submission.objects.filter(study=study).count() == 1
    assert (row.prolific_session_id, row.status, row.is_proven) == ("new", "ACTIVE", True)


def test_a_newer_submission_than_the_list_knows_stays(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    row = somebody(study, "new", "p1")
    prolific.add_submission("old", "p1", "st1", status="RETURNED")

    sync(study, client_of_prolific)

    row.refresh_from_db()
    assert (row.prolific_session_id, row.status, row.synced_at) == ("new", "", None)


def test_a_session_of_somebody_else_is_not_believed(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    mistyped = somebody(study, "se1", "wrong")
    prolific.add_submission("se1", "right", "st1", status="AWAITING REVIEW", code="CODE1234")

    result = reconciled(study, client_of_prolific)

    mistyped.refresh_from_db()
    assert not mistyped.is_proven
    assert mistyped.status == ""
    assert ("ids_disagree", mistyped.pk) in {
        (c.finding.kind, c.submission.pk) for c in result.cases
    }
    assert Submission.objects.get(prolific_participant_id="right").participation is None


def test_a_made_up_link_is_found(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    somebody(study, "made-up")

    cases = reconciled(study, client_of_prolific).cases

    assert [case.finding.kind for case in cases] == ["not_on_prolific"]


def test_who_came_after_the_last_reading_is_no_finding(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    sync(study, client_of_prolific, timezone.now() - timedelta(hours=1))
    somebody(study, "se1", state="active")

    assert list_cases(study=study, now=timezone.now()) == ()


def test_purged_ids_do_not_come_back(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    somebody(study, "", "", purged_at=NOW)
    Submission.objects.update(prolific_participant_id="")
    prolific.add_submission("se1", "p1", "st1", status="APPROVED")

    report = sync(study, client_of_prolific)

    assert report.created == 0
    assert Submission.objects.get().prolific_participant_id == ""


def test_the_same_person_in_two_studies_is_two_submissions(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    first, second = connected_study(prolific), connected_study(prolific, "st2")
    prolific.add_submission("se1", "p1", "st1", status="APPROVED")
    prolific.add_submission("se2", "p1", "st2", status="RETURNED")

    for study in (first, second):
        sync(study, client_of_prolific)

    assert first.submissions.get().status == "APPROVED"
    assert second.submissions.get().status == "RETURNED"


def test_a_failed_reading_is_noted_and_changes_nothing(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    prolific.add_submission("se1", "p1", "st1")
    prolific.fail("/submissions/", 404)

    with pytest.raises(ProlificError):
        sync(study, client_of_prolific)

    row = ProlificStudy.objects.get(study=study)
    assert "does not know" in row.sync_error
    assert row.synced_at is None
    assert not study.submissions.exists()
    sync(study, client_of_prolific)
    row.refresh_from_db()
    assert row.sync_error == ""
    assert row.synced_at == NOW


def test_one_submission_is_read_by_its_id(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    prolific.add_study("foreign")
    prolific.add_submission("se1", "p1", "st1", status="TIMED-OUT")
    prolific.add_submission("se2", "p2", "foreign")

    row = sync_submission(session="se1", client=client_of_prolific, now=NOW)
    other = sync_submission(session="se2", client=client_of_prolific, now=NOW)

    assert row is not None
    assert (row.study, row.status) == (study, "TIMED_OUT")
    assert other is None
    assert Submission.objects.count() == 1


def test_reconciling_twice_changes_nothing_the_second_time(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    somebody(study, "done")
    somebody(study, "lost", state="active")
    somebody(study, "nocode")
    prolific.add_submission("done", "p-done", "st1", status="AWAITING REVIEW", code="CODE1234")
    prolific.add_submission("lost", "p-lost", "st1", status="AWAITING REVIEW", code="CODE1234")
    prolific.add_submission("nocode", "p-nocode", "st1", status="AWAITING REVIEW", code="NOCODE")
    no_consent = study.completion_codes.get(outcome="no_consent").code
    prolific.add_submission("no", "p-no", "st1", status="AWAITING REVIEW", code=no_consent)

    first = reconciled(study, client_of_prolific)
    stored = list(study.submissions.order_by("id").values())
    second = reconciled(study, client_of_prolific)

    assert (first.sync.created, first.sync.changed) == (1, 3)
    assert second.sync.n_repairs == 0
    kinds = {c.submission.prolific_session_id: c.finding.kind for c in second.cases}
    assert kinds == {
        "lost": "code_without_data",
        "nocode": "data_without_code",
        "no": "no_consent_handed_in",
    }
    assert first.cases == second.cases
    again = list(study.submissions.order_by("id").values())
    for before, after in zip(stored, again, strict=True):
        assert {**before, "synced_at": None} == {**after, "synced_at": None}
    assert study.events.filter(kind="prolific reconciled").count() == 1


def test_tests_need_no_action(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = connected_study(prolific)
    somebody(study, "pilot-1")
    Participation.objects.update(is_test=True)

    assert reconciled(study, client_of_prolific).cases == ()
