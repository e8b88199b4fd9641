"""Several at once: paying, delivering, entering while submissions are read."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from surveys.domain.entry_ids import EntryIds
from surveys.models import BonusPayment, ProlificStudy, Study, Submission, WebhookDelivery
from surveys.prolific import bonuses, hook_view
from surveys.prolific.bonuses import pay_bonuses, plan_bonus
from surveys.prolific.client import connect
from surveys.prolific.sync import sync_study
from surveys.services.entry import enter_study
from surveys.services.errors import SurveyError
from tests.surveys.prolific.conftest import QUICK
from tests.surveys.prolific.hooks import SECRET, deliver_status
from tests.surveys.prolific.rows import connected_study, somebody
from tests.surveys.prolific.stand_in import ProlificStandIn

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(works: list[Callable[[], Any]]) -> list[Any]:
    """What each returned, or the SurveyError it raised; all begin at the same moment."""
    barrier = Barrier(len(works))

    def run(work: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return work()
        except SurveyError as error:
            return error.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


def test_several_payers_pay_each_bonus_once(prolific: ProlificStandIn) -> None:
    study = connected_study(prolific)
    for n in range(5):
        row = somebody(study, f"se{n}", status="APPROVED")
        prolific.add_submission(f"se{n}", f"p-se{n}", "st1", status="APPROVED")
        plan_bonus(submission=row, amount_minor=50, reason="thanks")

    def pay() -> int:
        with connect(patience=QUICK) as client:
            return pay_bonuses(study=study, client=client, now=timezone.now()).n_paid

    results = at_once([pay] * 6)
    pay()
    prolific.finish_bulk_calls()

    assert {prolific.paid_minor(f"se{n}") for n in range(5)} == {50}
    assert set(BonusPayment.objects.values_list("state", flat=True)) == {"paid"}
    assert sum(r for r in results if isinstance(r, int)) <= 5
    assert {r for r in results if isinstance(r, str)} <= {"bonuses_taken"}


def test_a_set_up_that_was_left_unpaid_is_paid_by_one_of_several(
    prolific: ProlificStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = connected_study(prolific)
    row = somebody(study, "se1", status="APPROVED")
    prolific.add_submission("se1", "p-se1", "st1", status="APPROVED")
    plan_bonus(submission=row, amount_minor=50, reason="thanks")
    BonusPayment.objects.update(state="set_up", prolific_bonus_id="b1")
    prolific.bonus_set_ups["b1"] = {"se1": 50}
    # All have seen that it is unpaid before the first of them pays.
    seen = Barrier(4)
    find = bonuses._set_ups

    def find_together(found_for: Study) -> list[str]:
        set_ups = find(found_for)
        seen.wait(timeout=20)
        return set_ups

    monkeypatch.setattr(bonuses, "_set_ups", find_together)

    def pay() -> int:
        with connect(patience=QUICK) as client:
            return pay_bonuses(study=study, client=client, now=timezone.now()).n_paid

    results = at_once([pay] * 4)
    prolific.finish_bulk_calls()

    assert sorted(results) == [0, 0, 0, 1]
    assert len(prolific.sent("/pay/")) == 1
    assert prolific.paid_minor("se1") == 50


def test_one_event_delivered_several_times_at_once_is_kept_once(
    prolific: ProlificStandIn, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PROLIFIC_WEBHOOK_SECRET = SECRET
    asked: list[str] = []
    monkeypatch.setattr(hook_view, "enqueue_submission", asked.append)
    row = somebody(connected_study(prolific), "se1", state="active")
    sent_at = time.time()

    def deliver() -> int:
        return deliver_status("se1", "RETURNED", event_id="e1", sent_at=sent_at).status_code

    results = at_once([deliver] * 8)

    row.refresh_from_db()
    assert set(results) == {200}
    assert WebhookDelivery.objects.count() == 1
    assert row.status == "RETURNED"
    assert asked == ["se1"]


def test_people_enter_while_their_submissions_are_read(prolific: ProlificStandIn) -> None:
    study = connected_study(prolific)
    for n in range(12):
        prolific.add_submission(f"se{n}", f"p{n}", "st1")

    def enter(n: int) -> str:
        ids = EntryIds(f"p{n}", "st1", f"se{n}")
        enter_study(
            slug=study.slug, ids=ids, code=f"code{n}", now=timezone.now(), rng=random.Random(n)
        )
        return "entered"

    def read() -> str:
        with connect(patience=QUICK) as client:
            row = ProlificStudy.objects.get(study=study)
            sync_study(row=row, client=client, now=timezone.now())
        return "read"

    results = at_once([*[lambda n=n: enter(n) for n in range(12)], read, read])

    assert sorted(results) == ["entered"] * 12 + ["read"] * 2
    rows = Submission.objects.filter(study=study)
    assert rows.count() == 12
    assert not rows.filter(participation__isnull=True).exists()
