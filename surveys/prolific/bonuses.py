"""Bonuses: planned here, set up on Prolific, then paid; each at most once, whatever breaks.

Setting up costs nothing. Before the payment is asked for, the bonuses are marked as paid, in one
conditional update that only one of several processes can win. Where it is certain that Prolific
did nothing the mark is taken back; where it is unclear the mark stays, so that nobody is paid
twice, and reconciling lists what then does not appear on Prolific.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from surveys.models import BonusPayment, ProlificStudy, Study, Submission
from surveys.prolific import records
from surveys.prolific.client import BonusSetUp, ProlificClient
from surveys.prolific.errors import ProlificError
from surveys.services.errors import SurveyError
from surveys.services.studies import record_event

_PLANNED, _SET_UP, _PAID = (
    BonusPayment.State.PLANNED, BonusPayment.State.SET_UP, BonusPayment.State.PAID,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class BonusRun:
    """How many bonuses were asked to be paid, in minor units, and how many wait for approval."""

    n_paid: int
    amount_minor: int
    n_waiting: int


def plan_bonus(*, submission: Submission, amount_minor: int, reason: str) -> BonusPayment:
    """Intend a bonus; the same reason for the same submission is the same bonus.

    Raises SurveyError: `bonus_not_positive`, or `bonus_differs` where that reason has another
    amount already.
    """
    if amount_minor <= 0:
        raise SurveyError(code="bonus_not_positive", detail="A bonus is at least one penny.")
    bonus, _ = BonusPayment.objects.get_or_create(
        submission=submission, reason=reason.strip(), defaults={"amount_minor": amount_minor}
    )
    if bonus.amount_minor != amount_minor:
        raise SurveyError(
            code="bonus_differs",
            detail=f"A bonus of {bonus.amount_minor} for {reason!r} exists already.",
        )
    return bonus


@transaction.atomic
def plan_again(*, bonus: BonusPayment, actor: User | None = None) -> bool:
    """Take back that a bonus was paid, for whoever has seen on Prolific that it was not.

    Whether it was taken back now; a bonus that is planned or set up stays as it is.
    """
    taken = BonusPayment.objects.filter(pk=bonus.pk, state=_PAID).update(
        state=_PLANNED, paid_at=None, prolific_bonus_id=""
    )
    if taken:
        study, detail = bonus.submission.study, f"bonus {bonus.pk}"
        record_event(study=study, kind="bonus planned again", detail=detail, actor=actor)
    return bool(taken)


def pay_bonuses(
    *, study: Study, client: ProlificClient, now: datetime, actor: User | None = None
) -> BonusRun:
    """Pay what is planned for approved submissions; safe to call again.

    Raises SurveyError `not_connected`, `bonuses_taken`, or ProlificError.
    """
    connected = ProlificStudy.objects.filter(study=study).first()
    if connected is None:
        raise SurveyError(code="not_connected", detail="Connect the study with Prolific first.")
    planned = _bonuses(study).filter(state=_PLANNED)
    payable = list(
        planned.filter(submission__status=records.APPROVED)
        .exclude(submission__prolific_session_id="")
        .select_related("submission")
        .order_by("pk")
    )
    n_waiting = planned.count() - len(payable)
    if payable:
        _set_up(connected, payable, client, actor)
    n_paid = amount = 0
    for set_up in _set_ups(study):
        paid = _pay(study, set_up, client, now, actor)
        n_paid += len(paid)
        amount += sum(paid)
    return BonusRun(n_paid=n_paid, amount_minor=amount, n_waiting=n_waiting)


def _bonuses(study: Study) -> QuerySet[BonusPayment]:
    return BonusPayment.objects.filter(submission__study=study)


def _set_ups(study: Study) -> list[str]:
    """Also those of an earlier call that ended between setting up and paying."""
    rows = _bonuses(study).filter(state=_SET_UP).order_by("prolific_bonus_id")
    return list(rows.values_list("prolific_bonus_id", flat=True).distinct())


def _set_up(
    connected: ProlificStudy,
    payable: Sequence[BonusPayment],
    client: ProlificClient,
    actor: User | None,
) -> None:
    """Have Prolific note the bonuses, and keep under which id, unless somebody was faster."""
    amounts: Counter[str] = Counter()
    for bonus in payable:
        amounts[bonus.submission.prolific_session_id] += bonus.amount_minor
    set_up = client.set_up_bonuses(connected.prolific_id, amounts)
    _check_amount(set_up, sum(amounts.values()))
    keys = [bonus.pk for bonus in payable]
    with transaction.atomic():
        taken = BonusPayment.objects.filter(pk__in=keys, state=_PLANNED).update(
            state=_SET_UP, prolific_bonus_id=set_up.id
        )
        if taken != len(keys):
            # A set-up holds exactly its bonuses or is never paid.
            raise SurveyError(
                code="bonuses_taken",
                detail="These bonuses are being paid by somebody else just now.",
            )
        total = f", {set_up.total_minor} with fees" if set_up.total_minor is not None else ""
        detail = f"{len(keys)} bonuses of {set_up.amount_minor} minor units{total}"
        record_event(study=connected.study, kind="bonuses set up", detail=detail, actor=actor)


def _check_amount(set_up: BonusSetUp, expected: int) -> None:
    """Pounds taken for pence, or the reverse, end here and not at the bank."""
    if set_up.amount_minor != expected:
        raise ProlificError(
            code="bonus_amount_differs",
            detail=f"Prolific understood bonuses of {set_up.amount_minor} minor units instead of "
            f"{expected}. Nothing was paid.",
        )


def _pay(
    study: Study, set_up: str, client: ProlificClient, now: datetime, actor: User | None
) -> list[int]:
    """Pay one set-up; returns its amounts, none where another process pays it."""
    rows = _bonuses(study).filter(prolific_bonus_id=set_up)
    with transaction.atomic():
        waiting = list(rows.filter(state=_SET_UP).values_list("amount_minor", flat=True))
        taken = BonusPayment.objects.filter(
            pk__in=rows.values("pk"), state=_SET_UP, prolific_bonus_id=set_up
        ).update(state=_PAID, paid_at=now)
    if not taken:
        return []
    try:
        client.pay_bonuses(set_up)
    except ProlificError as error:
        _note_failure(study, set_up, error, actor)
        raise
    detail = f"{taken} bonuses of {sum(waiting)} minor units"
    record_event(study=study, kind="bonuses paid", detail=detail, actor=actor)
    return waiting


def _note_failure(study: Study, set_up: str, error: ProlificError, actor: User | None) -> None:
    rows = BonusPayment.objects.filter(prolific_bonus_id=set_up, state=_PAID)
    with transaction.atomic():
        if error.code == "not_found":
            # There is no such set-up any more: the next call makes another.
            rows.update(state=_PLANNED, paid_at=None, prolific_bonus_id="")
        elif error.is_certain:
            rows.update(state=_SET_UP, paid_at=None)
        if error.is_certain:
            record_event(study=study, kind="bonuses refused", detail=str(error), actor=actor)
            return
        detail = f"{error} They count as paid, so that nobody is paid twice."
        record_event(study=study, kind="bonuses unclear", detail=detail, actor=actor)
