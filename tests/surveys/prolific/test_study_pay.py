"""Pay of a study by Prolific's times and rates."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from surveys.domain.pay import PayRates
from surveys.models import BonusPayment
from surveys.prolific.checks import pay_warnings
from surveys.prolific.client import ProlificClient
from surveys.prolific.pay import cost_of_study, known_rates, read_rates, study_pay
from surveys.services.errors import SurveyError
from tests.surveys.prolific.rows import connected_study, somebody
from tests.surveys.prolific.stand_in import ProlificStandIn

pytestmark = pytest.mark.django_db


def test_pay_is_judged_at_the_median_of_who_is_paid(prolific: ProlificStandIn) -> None:
    study = connected_study(prolific)
    start = timezone.now() - timedelta(hours=5)
    for session, status, minutes in (
        ("a", "APPROVED", 10),
        ("b", "AWAITING_REVIEW", 12),
        ("c", "APPROVED", 20),
        ("d", "RETURNED", 1),
        ("e", "TIMED_OUT", 60),
        ("f", "ACTIVE", None),
    ):
        end = start + timedelta(minutes=minutes) if minutes else None
        somebody(study, session, status=status, started_at=start, completed_at=end)

    pay = study_pay(study=study, rates=PayRates("GBP", 600, 900))

    assert (pay.n, pay.median_s, pay.actual, pay.planned) == (3, 720, 600, 900)
    assert pay_warnings(pay=pay, currency="GBP") == (
        "The pay is 3.00 GBP an hour less than Prolific recommends.",
    )


def test_cost_counts_who_is_paid_who_is_owed_and_free_places(prolific: ProlificStandIn) -> None:
    study = connected_study(prolific)
    for n, status in enumerate(
        ["APPROVED", "APPROVED", "AWAITING_REVIEW", "ACTIVE", "RETURNED", "TIMED_OUT"]
    ):
        row = somebody(study, f"se{n}", status=status)
        state = "paid" if n == 0 else "planned"
        if n < 2:
            BonusPayment.objects.create(
                submission=row, amount_minor=50 + n, reason="x", state=state
            )

    cost = cost_of_study(study=study)

    assert cost.so_far == 2 * 120 + 50
    assert cost.to_come == 8 * 120 + 51


def test_rates_are_read_once_a_day(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient, settings: Any
) -> None:
    cache.clear()
    assert known_rates(currency="GBP") is None
    for _ in range(2):
        assert read_rates(currency="GBP", client=client_of_prolific).recommended == 900
    assert known_rates(currency="GBP") == PayRates("GBP", 600, 900)
    assert known_rates(currency="USD") is None
    assert len(prolific.calls) == 1

    settings.PROLIFIC_WORKSPACE_ID = ""
    with pytest.raises(SurveyError) as caught:
        read_rates(currency="GBP", client=client_of_prolific)
    assert caught.value.code == "workspace_missing"
    cache.clear()
