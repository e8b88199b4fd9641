"""The pay of a study: by plan, as it turned out, and what it costs."""

from __future__ import annotations

from django.conf import settings
from django.core.cache import cache
from django.db.models import F, QuerySet, Sum

from surveys.domain.pay import Cost, Pay, PayRates, judge_pay, study_cost
from surveys.models import BonusPayment, Study, Submission
from surveys.prolific import records
from surveys.prolific.client import ProlificClient
from surveys.services.errors import SurveyError

RATES_LAST_S = 24 * 3600
_PAID = (records.APPROVED, records.PARTIALLY_APPROVED, records.SCREENED_OUT)
_OWED = (records.AWAITING_REVIEW, records.ACTIVE, records.RESERVED)


def read_rates(*, currency: str, client: ProlificClient) -> PayRates:
    """Prolific's minimum and recommended pay, asked for once a day.

    Raises SurveyError `workspace_missing`, or ProlificError.
    """
    if not settings.PROLIFIC_WORKSPACE_ID:
        raise SurveyError(
            code="workspace_missing",
            detail="Set PROLIFIC_WORKSPACE_ID to read the pay that Prolific recommends.",
        )
    rates = known_rates(currency=currency)
    if rates is None:
        rates = client.reward_recommendations(settings.PROLIFIC_WORKSPACE_ID, currency)
        cache.set(_key(currency), (rates.minimum, rates.recommended), RATES_LAST_S)
    return rates


def known_rates(*, currency: str) -> PayRates | None:
    """What Prolific said within the last day, without asking it again."""
    kept = cache.get(_key(currency))
    return PayRates(currency, *kept) if kept else None


def _key(currency: str) -> str:
    return f"prolific-rates:{settings.PROLIFIC_WORKSPACE_ID}:{currency}"


def study_pay(*, study: Study, rates: PayRates | None) -> Pay:
    """Pay by the times that Prolific measured: of who was paid or waits to be."""
    finished = Submission.objects.filter(
        study=study,
        status__in=(*_PAID, records.AWAITING_REVIEW),
        started_at__isnull=False,
        completed_at__isnull=False,
    )
    spans = finished.annotate(span=F("completed_at") - F("started_at"))
    return judge_pay(
        reward=study.reward_minor,
        planned_minutes=study.planned_minutes,
        durations_s=[span.total_seconds() for span in spans.values_list("span", flat=True)],
        rates=rates,
    )


def cost_of_study(*, study: Study) -> Cost:
    """Rewards and bonuses, without Prolific's fee; a study without reward costs its bonuses."""
    submissions = Submission.objects.filter(study=study)
    bonuses = BonusPayment.objects.filter(submission__study=study)
    paid = bonuses.filter(state=BonusPayment.State.PAID)
    return study_cost(
        reward=study.reward_minor or 0,
        n_paid=submissions.filter(status__in=_PAID).count(),
        n_owed=submissions.filter(status__in=_OWED).count(),
        n_places=study.n_places,
        bonuses_paid=_sum(paid),
        bonuses_owed=_sum(bonuses) - _sum(paid),
    )


def _sum(bonuses: QuerySet[BonusPayment]) -> int:
    return bonuses.aggregate(total=Sum("amount_minor"))["total"] or 0
