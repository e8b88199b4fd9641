"""A study on Prolific at a glance, as names and values in words."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count

from surveys.domain.pay import Pay, PayRates
from surveys.models import ProlificStudy, Study
from surveys.prolific.acts import ACTS
from surveys.prolific.checks import pay_warnings
from surveys.prolific.pay import cost_of_study, known_rates, study_pay
from surveys.prolific.payments import ready_to_approve
from surveys.prolific.reconciling import list_cases


def describe(*, row: ProlificStudy, now: datetime) -> dict[str, Any]:
    """What the study's page shows: `facts`, `pay_warnings`, `cases`, and the `acts` of use."""
    study, currency = row.study, row.study.reward_currency
    rates = known_rates(currency=currency)
    pay = study_pay(study=study, rates=rates)
    return {
        "facts": [*_progress(row), *_money(study, pay, rates)],
        "pay_warnings": pay_warnings(pay=pay, currency=currency),
        "cases": list_cases(study=study, now=now),
        "acts": [
            (name, act) for name, act in ACTS.items() if not act.states or row.status in act.states
        ],
    }


def _progress(row: ProlificStudy) -> list[tuple[str, str]]:
    statuses = row.study.submissions.order_by().values_list("status").annotate(n=Count("pk"))
    counts = ", ".join(f"{n} {status or 'not read yet'}" for status, n in sorted(statuses))
    return [
        ("State here", row.study.get_state_display()),
        ("State on Prolific", row.status or "not read yet"),
        ("Submissions", counts or "none"),
        ("Ready to approve", str(ready_to_approve(study=row.study).count())),
    ]


def _money(study: Study, pay: Pay, rates: PayRates | None) -> list[tuple[str, str]]:
    currency, cost = study.reward_currency, cost_of_study(study=study)
    actual = "nobody has finished yet"
    if pay.actual is not None and pay.median_s is not None:
        median = f"{pay.median_s / 60:.1f} minutes (median of {pay.n})"
        actual = f"{money(pay.actual, currency)} an hour at {median}"
    asked = "not read yet"
    if rates is not None:
        least, best = money(rates.minimum, currency), money(rates.recommended, currency)
        asked = f"at least {least}, recommended {best} an hour"
    elif not settings.PROLIFIC_WORKSPACE_ID:
        asked = "set PROLIFIC_WORKSPACE_ID to read it"
    planned = (
        "no reward is set" if pay.planned is None else f"{money(pay.planned, currency)} an hour"
    )
    facts = [("Planned pay", planned), ("Actual pay", actual), ("Prolific asks for", asked)]
    if pay.top_up:
        facts.append(("Missing to the minimum", f"{money(pay.top_up, currency)} for each person"))
    paid, to_come = money(cost.so_far, currency), money(cost.to_come, currency)
    return [*facts, ("Cost without Prolific's fee", f"{paid} so far, {to_come} to come")]


def money(minor: float, currency: str) -> str:
    """425 pence as 4.25 GBP."""
    return f"{minor / 100:.2f} {currency}"
