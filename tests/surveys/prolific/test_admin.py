"""Prolific in the administration: from a study to paid participants with buttons."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from surveys.models import BonusPayment, ProlificStudy, Study, Submission
from tests.surveys.prolific.rows import connected_study, paid_study, somebody
from tests.surveys.prolific.stand_in import ProlificStandIn

pytestmark = pytest.mark.django_db
ADD = "/admin/surveys/prolificstudy/add/"
SUBMISSIONS = "/admin/surveys/submission/"


@pytest.fixture
def staff() -> Client:
    cache.clear()
    client = Client()
    client.force_login(User.objects.create_superuser("boss", password="x"))
    return client


def page_of(row: ProlificStudy) -> str:
    return reverse("admin:surveys_prolificstudy_change", args=[row.pk])


def press(staff: Client, row: ProlificStudy, name: str, **data: str) -> str:
    """Press a button; the page that follows."""
    response = staff.post(
        reverse("admin:surveys_prolific_act", args=[row.pk, name]), data, follow=True
    )
    assert response.redirect_chain == [(page_of(row), 302)]
    return response.content.decode()


def choose(staff: Client, action: str, rows: list[Submission], **data: str) -> Any:
    keys = [row.pk for row in rows]
    return staff.post(
        SUBMISSIONS, {"action": action, "_selected_action": keys, **data}, follow=True
    )


def test_from_a_study_to_paid_participants(prolific: ProlificStandIn, staff: Client) -> None:
    study = paid_study()
    assert staff.get(ADD).status_code == 200
    staff.post(ADD, {"study": study.pk, "prolific_id": ""})
    row = ProlificStudy.objects.get(study=study)

    assert "Both sides agree" in press(staff, row, "check")
    assert "Published." in press(staff, row, "publish", sure="on")
    person = somebody(study, "se1", prolific_study=row.prolific_id)
    prolific.add_submission(
        "se1", "p-se1", row.prolific_id, status="AWAITING REVIEW", code="CODE1234",
        completed_at="2026-10-01T10:08:00Z",
    )  # fmt: skip
    assert "0 submissions added, 1 changed." in press(staff, row, "reconcile")
    assert "Approval was asked for 1 submissions" in press(staff, row, "approve", sure="on")
    prolific.finish_bulk_calls()
    press(staff, row, "reconcile")
    answer = choose(staff, "give_bonus", [person], confirmed="yes", amount="0.50", reason="thanks")
    assert "1 bonuses are planned" in answer.content.decode()
    assert "1 bonuses were asked to be paid, 0.50 GBP." in press(staff, row, "bonuses", sure="on")
    prolific.finish_bulk_calls()
    html = press(staff, row, "reconcile")

    assert prolific.submissions["se1"]["status"] == "APPROVED"
    assert prolific.paid_minor("se1") == 50
    assert "9.00 GBP an hour at 8.0 minutes (median of 1)" in html
    assert "1.70 GBP so far, 10.80 GBP to come" in html
    who = study.events.exclude(actor=None).values_list("kind", flat=True)
    assert {"prolific drafted", "prolific published", "approval asked for", "bonuses paid"} <= set(
        who
    )


def test_a_study_that_is_there_is_connected_by_its_id(
    prolific: ProlificStandIn, staff: Client
) -> None:
    study = paid_study()
    prolific.add_study("made-by-hand", total_available_places=4)

    staff.post(ADD, {"study": study.pk, "prolific_id": "made-by-hand"})
    unknown = staff.post(ADD, {"study": paid_study().pk, "prolific_id": "nowhere"})

    assert ProlificStudy.objects.get(study=study).n_places == 4
    assert "Prolific does not know what was asked for" in unknown.content.decode()


def test_what_is_missing_is_said_in_the_form(prolific: ProlificStandIn, staff: Client) -> None:
    study = paid_study()
    Study.objects.filter(pk=study.pk).update(n_places=None)

    html = staff.post(ADD, {"study": study.pk}).content.decode()

    assert "Set the number of places on Prolific." in html
    assert prolific.studies == {}


def test_disagreements_are_listed_and_nothing_is_published(
    prolific: ProlificStandIn, staff: Client
) -> None:
    study = paid_study()
    staff.post(ADD, {"study": study.pk})
    row = ProlificStudy.objects.get(study=study)
    prolific.studies[row.prolific_id]["reward"] = 1

    assert "The reward is 1 on Prolific and 120 here." in press(staff, row, "check").replace(
        "&#x27;", "'"
    )
    assert "The reward is 1" in press(staff, row, "publish", sure="on")
    assert "taken over the study" in press(staff, row, "push")
    assert "Published." in press(staff, row, "publish", sure="on")


@pytest.mark.parametrize("name", ["publish", "stop", "approve", "bonuses"])
def test_grave_buttons_need_their_tick(name: str, prolific: ProlificStandIn, staff: Client) -> None:
    row = ProlificStudy.objects.get(study=connected_study(prolific))

    assert "needs the tick beside it" in press(staff, row, name)
    assert prolific.calls == []


def test_prolific_being_down_is_a_sentence(prolific: ProlificStandIn, staff: Client) -> None:
    row = ProlificStudy.objects.get(study=connected_study(prolific))
    prolific.fail("/studies/", 400)

    html = press(staff, row, "reconcile")

    assert "Prolific refused (400): Bad request" in html
    assert page_of(row) in staff.get("/admin/surveys/prolificstudy/").content.decode()


def test_cases_are_listed_with_one_click_remedies(prolific: ProlificStandIn, staff: Client) -> None:
    study = connected_study(prolific)
    row = ProlificStudy.objects.get(study=study)
    code = study.completion_codes.get(outcome="no_consent").code
    prolific.add_submission("no", "p-no", "st1", status="AWAITING REVIEW", code=code)
    nocode = somebody(study, "nocode")
    prolific.add_submission("nocode", "p-nocode", "st1", status="AWAITING REVIEW", code="NOCODE")
    html = press(staff, row, "reconcile")
    declined = study.submissions.get(prolific_session_id="no")

    assert "They declined to take part but handed it in" in html
    assert f"Ask {declined.pk} to return it" in html
    assert f"Approve {nocode.pk}" in html
    for case, data in (
        (declined, {"remedy": "request_return", "reason": "Did not consent"}),
        (nocode, {"remedy": "approve"}),
    ):
        address = reverse("admin:surveys_prolific_case", args=[row.pk, case.pk])
        assert staff.post(address, data).status_code == 302

    assert prolific.submissions["no"]["return_reasons"] == ["Did not consent"]
    assert prolific.sent("bulk-approve")[0].body == {"submission_ids": ["nocode"]}


def test_submissions_show_both_states_and_are_filtered(
    prolific: ProlificStandIn, staff: Client
) -> None:
    study = connected_study(prolific)
    somebody(study, "se1", state="active", status="TIMED_OUT")
    Submission.objects.create(
        study=study, prolific_participant_id="p2", prolific_session_id="se2", status="RESERVED"
    )

    html = staff.get(SUBMISSIONS).content.decode()
    filtered = staff.get(SUBMISSIONS, {"status": "TIMED_OUT"}).content.decode()

    for words in ("TIMED_OUT", "active", "RESERVED", "never came"):
        assert words in html
    assert "never came" not in filtered
    assert staff.get(SUBMISSIONS, {"q": "p2"}).status_code == 200


def test_chosen_submissions_are_approved_or_asked_back(
    prolific: ProlificStandIn, staff: Client
) -> None:
    study = connected_study(prolific)
    rows = [somebody(study, f"se{n}", status="AWAITING_REVIEW") for n in range(3)]
    rows[2].status = "APPROVED"
    rows[2].save()
    for row in rows:
        prolific.add_submission(row.prolific_session_id, "p", "st1", status="AWAITING REVIEW")

    asked = choose(staff, "request_return", rows)
    assert "3 submissions chosen" in asked.content.decode()
    assert prolific.calls == []
    done = choose(staff, "request_return", rows, confirmed="yes", reason="Encountered problems")
    assert "2 were asked to return" in done.content.decode()
    assert "that is APPROVED cannot be returned" in done.content.decode()

    done = choose(staff, "approve", rows)
    assert "Approval was asked for 2; 1 do not await a review." in done.content.decode()


def test_a_bonus_is_typed_in_pounds_and_kept_in_pence(
    prolific: ProlificStandIn, staff: Client
) -> None:
    person = somebody(connected_study(prolific), "se1")

    refused = choose(staff, "give_bonus", [person], confirmed="yes", amount="0.005", reason="x")
    assert "decimal place" in refused.content.decode()
    choose(staff, "give_bonus", [person], confirmed="yes", amount="4.35", reason="x")

    assert BonusPayment.objects.get().amount_minor == 435
    assert staff.get("/admin/surveys/bonuspayment/").status_code == 200


def test_who_may_only_look_can_neither_press_nor_pay(
    prolific: ProlificStandIn, client: Client
) -> None:
    study = connected_study(prolific)
    row, person = ProlificStudy.objects.get(study=study), somebody(study, "se1", status="ACTIVE")
    looker = User.objects.create_user("looker", is_staff=True)
    looker.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(looker)

    html = client.get(page_of(row)).content.decode()

    assert "Needs action" in html
    assert "What you can do" not in html
    act = reverse("admin:surveys_prolific_act", args=[row.pk, "pause"])
    case = reverse("admin:surveys_prolific_case", args=[row.pk, person.pk])
    assert client.post(act).status_code == 403
    assert client.post(case, {"remedy": "approve"}).status_code == 403
    assert client.get(ADD).status_code == 403
    choose(client, "approve", [person])
    choose(client, "give_bonus", [person], confirmed="yes", amount="1", reason="x")
    assert prolific.calls == []
    assert not BonusPayment.objects.exists()


def test_a_study_that_is_not_there_is_no_error(staff: Client) -> None:
    for key in ("9999", "nonsense"):
        answer = staff.get(f"/admin/surveys/prolificstudy/{key}/change/")
        assert answer.status_code == 302


def test_buttons_are_no_links(prolific: ProlificStandIn, staff: Client) -> None:
    row = ProlificStudy.objects.get(study=connected_study(prolific))

    response = staff.get(reverse("admin:surveys_prolific_act", args=[row.pk, "pause"]))

    assert response.status_code == 403
    assert prolific.calls == []


def test_pages_never_show_the_token(prolific: ProlificStandIn, staff: Client) -> None:
    row = ProlificStudy.objects.get(study=connected_study(prolific))

    assert "a token for tests" not in press(staff, row, "reconcile")
    assert staff.get("/admin/surveys/webhookdelivery/").status_code == 200
