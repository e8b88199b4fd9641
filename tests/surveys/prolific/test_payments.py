"""Approving, asking for a return, and bonuses that are paid at most once."""

from __future__ import annotations

import pytest
from django.utils import timezone

from surveys.models import BonusPayment, ProlificStudy, Study, Submission
from surveys.prolific import bonuses, payments
from surveys.prolific.bonuses import BonusRun, pay_bonuses, plan_again, plan_bonus
from surveys.prolific.client import BonusSetUp, ProlificClient
from surveys.prolific.errors import ProlificError
from surveys.prolific.payments import (
    Approval,
    approve_submissions,
    ask_for_return,
    ready_to_approve,
)
from surveys.prolific.reconciling import reconcile
from surveys.services.errors import SurveyError
from tests.surveys.prolific.rows import connected_study, somebody
from tests.surveys.prolific.stand_in import ProlificStandIn

pytestmark = pytest.mark.django_db


def waiting(study: Study, prolific: ProlificStandIn, session: str, participant: str = "") -> int:
    """Somebody complete on both sides who awaits a review; returns our key."""
    row = somebody(study, session, participant, status="AWAITING_REVIEW", entered_code="CODE1234")
    prolific.add_submission(
        session, row.prolific_participant_id, "st1", status="AWAITING REVIEW", code="CODE1234"
    )
    return row.pk


def approve(study: Study, keys: list[int], client: ProlificClient) -> Approval:
    return approve_submissions(study=study, submissions=keys, client=client, now=timezone.now())


def sync(study: Study, client: ProlificClient) -> list[str]:
    row = ProlificStudy.objects.get(study=study)
    result = reconcile(row=row, client=client, now=timezone.now())
    return [case.finding.kind for case in result.cases]


def kinds(study: Study) -> list[str]:
    return [event.kind for event in study.events.order_by("id")]


class TestApproving:
    def test_asked_for_is_not_approved_until_prolific_says_so(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        study = connected_study(prolific)
        key = waiting(study, prolific, "se1")

        assert approve(study, [key], client_of_prolific) == Approval(1, 0)
        sync(study, client_of_prolific)
        row = Submission.objects.get(pk=key)
        assert row.approved_at is not None
        assert row.status == "AWAITING_REVIEW"

        prolific.finish_bulk_calls()
        sync(study, client_of_prolific)
        row.refresh_from_db()
        assert row.status == "APPROVED"

    def test_only_what_awaits_a_review_is_sent_and_by_submission(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        study = connected_study(prolific)
        other = connected_study(prolific, "st2")
        keys = [
            waiting(study, prolific, "se1"),
            somebody(study, "se2", status="TIMED_OUT").pk,
            somebody(study, "se3").pk,
            somebody(other, "se4", "p-se1", status="AWAITING_REVIEW").pk,
        ]

        assert approve(study, keys, client_of_prolific) == Approval(1, 3)

        assert prolific.sent("bulk-approve")[0].body == {"submission_ids": ["se1"]}
        assert Submission.objects.filter(approved_at__isnull=False).count() == 1

    def test_a_refused_approval_marks_nothing_and_pays_no_bonus(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        study = connected_study(prolific)
        key = waiting(study, prolific, "se1")
        plan_bonus(submission=Submission.objects.get(pk=key), amount_minor=50, reason="thanks")
        prolific.submissions["se1"]["status"] = "TIMED-OUT"

        with pytest.raises(ProlificError):
            approve(study, [key], client_of_prolific)
        run = pay_bonuses(study=study, client=client_of_prolific, now=timezone.now())

        assert Submission.objects.get(pk=key).approved_at is None
        assert run == BonusRun(n_paid=0, amount_minor=0, n_waiting=1)
        assert prolific.bonus_set_ups == {}
        assert sync(study, client_of_prolific) == ["complete_but_gone"]
        assert kinds(study) == ["prolific reconciled"]

    def test_batches_go_one_after_the_other_and_stop_at_a_failure(
        self,
        prolific: ProlificStandIn,
        client_of_prolific: ProlificClient,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(payments, "BATCH", 2)
        study = connected_study(prolific)
        keys = [waiting(study, prolific, f"se{n}") for n in range(5)]
        prolific.submissions["se3"]["status"] = "RETURNED"

        with pytest.raises(ProlificError):
            approve(study, keys, client_of_prolific)

        sent = [call.body["submission_ids"] for call in prolific.sent("bulk-approve")]
        assert sent == [["se0", "se1"], ["se2", "se3"]]
        marked = Submission.objects.filter(approved_at__isnull=False)
        assert sorted(marked.values_list("pk", flat=True)) == keys[:2]

    def test_ready_are_the_complete_with_the_right_code(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        study = connected_study(prolific)
        ready = waiting(study, prolific, "se1")
        for session, state, code in (
            ("a", "active", "CODE1234"),
            ("b", "withdrawn", "CODE1234"),
            ("c", "completed", "NOCODE"),
            ("d", "completed", ""),
        ):
            somebody(study, session, state=state, status="AWAITING_REVIEW", entered_code=code)
        somebody(study, "e", status="APPROVED", entered_code="CODE1234")

        assert [row.pk for row in ready_to_approve(study=study)] == [ready]
        approve(study, [ready], client_of_prolific)
        assert not ready_to_approve(study=study).exists()


class TestReturning:
    def ask(self, row: Submission, client: ProlificClient, reason: str = "Did not consent") -> bool:
        return ask_for_return(submission=row, reason=reason, client=client, now=timezone.now())

    def test_who_declined_and_handed_in_is_asked_once(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        study = connected_study(prolific)
        code = study.completion_codes.get(outcome="no_consent").code
        prolific.add_submission("se1", "p1", "st1", status="AWAITING REVIEW", code=code)
        assert sync(study, client_of_prolific) == ["no_consent_handed_in"]
        row = study.submissions.get()

        assert self.ask(row, client_of_prolific)
        assert not self.ask(row, client_of_prolific)

        assert len(prolific.sent("request-return")) == 1
        assert prolific.submissions["se1"]["return_reasons"] == ["Did not consent"]
        assert sync(study, client_of_prolific) == ["return_awaited"]
        assert kinds(study).count("return asked for") == 1

    @pytest.mark.parametrize("status", ["APPROVED", "RETURNED", "REJECTED", "TIMED_OUT", ""])
    def test_what_is_decided_is_not_asked_back(
        self, status: str, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        row = somebody(connected_study(prolific), "se1", status=status)

        with pytest.raises(SurveyError) as caught:
            self.ask(row, client_of_prolific)

        assert caught.value.code == "not_returnable"
        assert prolific.calls == []

    def test_a_reason_is_needed_and_a_failure_is_no_request(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        row = somebody(connected_study(prolific), "se1", status="AWAITING_REVIEW")
        with pytest.raises(SurveyError) as caught:
            self.ask(row, client_of_prolific, reason=" ")
        assert caught.value.code == "reason_missing"

        with pytest.raises(ProlificError):
            self.ask(row, client_of_prolific)
        row.refresh_from_db()
        assert row.return_requested_at is None


class TestBonuses:
    def approved(self, study: Study, prolific: ProlificStandIn, session: str) -> Submission:
        row = somebody(study, session, status="APPROVED")
        prolific.add_submission(session, f"p-{session}", "st1", status="APPROVED")
        return row

    def pay(self, study: Study, client: ProlificClient) -> BonusRun:
        return pay_bonuses(study=study, client=client, now=timezone.now())

    def test_pence_here_are_pence_there(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        study = connected_study(prolific)
        first, second = (self.approved(study, prolific, s) for s in ("se1", "se2"))
        plan_bonus(submission=first, amount_minor=425, reason="thanks")
        plan_bonus(submission=first, amount_minor=5, reason="late")
        plan_bonus(submission=second, amount_minor=70, reason="thanks")

        run = self.pay(study, client_of_prolific)
        prolific.finish_bulk_calls()

        assert run == BonusRun(n_paid=3, amount_minor=500, n_waiting=0)
        assert prolific.paid_minor("se1") == 430
        assert prolific.paid_minor("se2") == 70
        assert sync(study, client_of_prolific) == []
        assert kinds(study)[:2] == ["bonuses set up", "bonuses paid"]

    def test_one_session_of_two_studies_pays_the_right_person(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        study = connected_study(prolific)
        first = self.approved(study, prolific, "se1")
        somebody(connected_study(prolific, "st2"), "se9", first.prolific_participant_id)
        plan_bonus(submission=first, amount_minor=10, reason="thanks")

        self.pay(study, client_of_prolific)

        assert prolific.sent("bonus-payments")[0].body["csv_bonuses"] == "se1,0.10\n"

    def test_paying_twice_pays_once(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        study = connected_study(prolific)
        row = self.approved(study, prolific, "se1")
        for _ in range(2):
            plan_bonus(submission=row, amount_minor=50, reason="thanks")
            self.pay(study, client_of_prolific)
        prolific.finish_bulk_calls()

        assert prolific.paid_minor("se1") == 50
        assert len(prolific.sent("/pay/")) == 1

    def test_killed_after_the_set_up_it_is_paid_by_the_next_call(
        self,
        prolific: ProlificStandIn,
        client_of_prolific: ProlificClient,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        study = connected_study(prolific)
        plan_bonus(submission=self.approved(study, prolific, "se1"), amount_minor=50, reason="x")

        def killed(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(bonuses, "_pay", killed)
            with pytest.raises(KeyboardInterrupt):
                self.pay(study, client_of_prolific)
        assert BonusPayment.objects.get().state == "set_up"
        assert self.pay(study, client_of_prolific).n_paid == 1
        prolific.finish_bulk_calls()

        assert prolific.paid_minor("se1") == 50
        assert len(prolific.bonus_set_ups) == 1

    def test_killed_before_the_payment_was_sent_nobody_is_paid_and_it_is_listed(
        self,
        prolific: ProlificStandIn,
        client_of_prolific: ProlificClient,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        study = connected_study(prolific)
        plan_bonus(submission=self.approved(study, prolific, "se1"), amount_minor=50, reason="x")

        def killed(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(client_of_prolific, "pay_bonuses", killed)
            with pytest.raises(KeyboardInterrupt):
                self.pay(study, client_of_prolific)

        assert self.pay(study, client_of_prolific).n_paid == 0
        assert prolific.sent("/pay/") == []
        assert sync(study, client_of_prolific) == ["bonus_not_seen"]

    @pytest.mark.parametrize("status", [0, 500])
    @pytest.mark.parametrize("is_done", [True, False])
    def test_an_unclear_payment_is_not_repeated_and_is_listed_until_it_is_seen(
        self,
        status: int,
        is_done: bool,
        prolific: ProlificStandIn,
        client_of_prolific: ProlificClient,
    ) -> None:
        study = connected_study(prolific)
        bonus = plan_bonus(
            submission=self.approved(study, prolific, "se1"), amount_minor=50, reason="x"
        )
        prolific.fail("/pay/", status, is_done=is_done)

        with pytest.raises(ProlificError) as caught:
            self.pay(study, client_of_prolific)
        assert self.pay(study, client_of_prolific).n_paid == 0
        prolific.finish_bulk_calls()

        assert caught.value.code == "unclear"
        assert "bonuses unclear" in kinds(study)
        assert sync(study, client_of_prolific) == ([] if is_done else ["bonus_not_seen"])
        assert prolific.paid_minor("se1") == (50 if is_done else 0)

        if not is_done:
            # Somebody has looked on Prolific and pays it after all.
            assert plan_again(bonus=bonus)
            assert not plan_again(bonus=bonus)
            self.pay(study, client_of_prolific)
            prolific.finish_bulk_calls()
            assert prolific.paid_minor("se1") == 50

    @pytest.mark.parametrize(("status", "state"), [(400, "set_up"), (404, "planned")])
    def test_a_refused_payment_may_be_tried_again(
        self,
        status: int,
        state: str,
        prolific: ProlificStandIn,
        client_of_prolific: ProlificClient,
    ) -> None:
        study = connected_study(prolific)
        plan_bonus(submission=self.approved(study, prolific, "se1"), amount_minor=50, reason="x")
        prolific.fail("/pay/", status)

        with pytest.raises(ProlificError):
            self.pay(study, client_of_prolific)
        assert BonusPayment.objects.get().state == state
        assert BonusPayment.objects.get().paid_at is None
        assert self.pay(study, client_of_prolific).n_paid == 1
        prolific.finish_bulk_calls()

        assert prolific.paid_minor("se1") == 50

    def test_somebody_faster_pays_and_nobody_pays_again(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        study = connected_study(prolific)
        plan_bonus(submission=self.approved(study, prolific, "se1"), amount_minor=50, reason="x")
        set_up = client_of_prolific.set_up_bonuses

        def slow(*args: object) -> BonusSetUp:
            client_of_prolific.set_up_bonuses = set_up  # type: ignore[method-assign]
            self.pay(study, client_of_prolific)
            return set_up(*args)  # type: ignore[arg-type]

        client_of_prolific.set_up_bonuses = slow  # type: ignore[assignment,method-assign]
        with pytest.raises(SurveyError) as caught:
            self.pay(study, client_of_prolific)
        prolific.finish_bulk_calls()

        assert caught.value.code == "bonuses_taken"
        assert prolific.paid_minor("se1") == 50

    def test_pounds_taken_for_pence_end_before_the_payment(
        self,
        prolific: ProlificStandIn,
        client_of_prolific: ProlificClient,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        study = connected_study(prolific)
        plan_bonus(submission=self.approved(study, prolific, "se1"), amount_minor=50, reason="x")
        monkeypatch.setattr("surveys.prolific.client.major_units", str)

        with pytest.raises(ProlificError) as caught:
            self.pay(study, client_of_prolific)

        assert caught.value.code == "bonus_amount_differs"
        assert prolific.sent("/pay/") == []
        assert BonusPayment.objects.get().state == "planned"

    def test_only_the_approved_are_paid(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        study = connected_study(prolific)
        for status in ("AWAITING_REVIEW", "RETURNED", "TIMED_OUT", ""):
            row = somebody(study, f"se-{status}", status=status)
            plan_bonus(submission=row, amount_minor=50, reason="x")

        assert self.pay(study, client_of_prolific) == BonusRun(0, 0, 4)
        assert prolific.calls == []

    @pytest.mark.parametrize(
        ("amount", "code"),
        [(0, "bonus_not_positive"), (-5, "bonus_not_positive"), (60, "bonus_differs")],
    )
    def test_a_bonus_has_one_amount(
        self, amount: int, code: str, prolific: ProlificStandIn
    ) -> None:
        row = somebody(connected_study(prolific), "se1")
        plan_bonus(submission=row, amount_minor=50, reason="x")

        with pytest.raises(SurveyError) as caught:
            plan_bonus(submission=row, amount_minor=amount, reason=" x ")

        assert caught.value.code == code
        assert BonusPayment.objects.get().amount_minor == 50
