"""What the buttons of a study's Prolific page do, each with the sentence that says what was done.

Every act opens its own connection and runs outside any transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils import timezone

from surveys.models import ProlificStudy, Submission
from surveys.prolific import bonuses, payments, running
from surveys.prolific.client import ProlificClient, connect
from surveys.prolific.drafts import push_study
from surveys.prolific.findings import APPROVE, REQUEST_RETURN
from surveys.prolific.pay import read_rates
from surveys.prolific.reconciling import reconcile
from surveys.services.errors import SurveyError

Run = Callable[[ProlificStudy, ProlificClient, User], str]


@dataclass(frozen=True, slots=True)
class Act:
    """A button: its words, in which of Prolific's states it is of use ("" for any), and its work.

    `is_grave` asks for a tick beside the button.
    """

    words: str
    states: frozenset[str]
    run: Run
    is_grave: bool = False


def perform(*, row: ProlificStudy, name: str, actor: User) -> str:
    """Run an act by its name; returns what was done. Raises SurveyError."""
    with connect() as client:
        return ACTS[name].run(row, client, actor)


def remedy_case(*, submission: Submission, remedy: str, reason: str, actor: User) -> str:
    """Approve one submission or ask for its return. Raises SurveyError."""
    now = timezone.now()
    with connect() as client:
        if remedy == REQUEST_RETURN:
            was_asked = payments.ask_for_return(
                submission=submission, reason=reason, client=client, now=now, actor=actor
            )
            return "The return was asked for." if was_asked else "It was asked for before."
        if remedy == APPROVE:
            done = payments.approve_submissions(
                study=submission.study, submissions=[submission.pk], client=client, now=now,
                actor=actor,
            )  # fmt: skip
            return _approved(done)
    raise SurveyError(code="remedy_unknown", detail="There is no such remedy.")


def _check(row: ProlificStudy, client: ProlificClient, actor: User) -> str:
    disagreements = running.check_launch(row=row, client=client)
    if disagreements:
        raise SurveyError(code="launch_disagreements", detail=" ".join(disagreements))
    return "Both sides agree: codes, actions, address, pay and places."


def _push(row: ProlificStudy, client: ProlificClient, actor: User) -> str:
    push_study(row=row, client=client, actor=actor)
    return "Prolific has taken over the study as it is here."


def _move(action: str, done: str) -> Run:
    def run(row: ProlificStudy, client: ProlificClient, actor: User) -> str:
        running.move_study(row=row, action=action, client=client, actor=actor)
        return done

    return run


def _reconcile(row: ProlificStudy, client: ProlificClient, actor: User) -> str:
    result = reconcile(row=row, client=client, now=timezone.now(), actor=actor)
    unseen = [case.finding.sentence for case in result.cases if case.finding.kind.startswith("bon")]
    said = f"{result.sync.created} submissions added, {result.sync.changed} changed."
    return " ".join([said, *unseen])


def _approve_ready(row: ProlificStudy, client: ProlificClient, actor: User) -> str:
    ready = list(payments.ready_to_approve(study=row.study).values_list("pk", flat=True))
    done = payments.approve_submissions(
        study=row.study, submissions=ready, client=client, now=timezone.now(), actor=actor
    )
    return _approved(done)


def _approved(done: payments.Approval) -> str:
    said = f"Approval was asked for {done.n_asked} submissions; Prolific does it in some minutes."
    skipped = f" {done.n_skipped} do not await a review and were left alone."
    return said + (skipped if done.n_skipped else "")


def _pay_bonuses(row: ProlificStudy, client: ProlificClient, actor: User) -> str:
    done = bonuses.pay_bonuses(study=row.study, client=client, now=timezone.now(), actor=actor)
    currency = row.study.reward_currency
    said = f"{done.n_paid} bonuses were asked to be paid, {done.amount_minor / 100:.2f} {currency}."
    waits = f" {done.n_waiting} wait until their submission is approved."
    return said + (waits if done.n_waiting else "")


def _read_rates(row: ProlificStudy, client: ProlificClient, actor: User) -> str:
    rates = read_rates(currency=row.study.reward_currency, client=client)
    return (
        f"Prolific asks for {rates.minimum / 100:.2f} and recommends "
        f"{rates.recommended / 100:.2f} {rates.currency} an hour."
    )


_ANY: frozenset[str] = frozenset()
_DRAFT = frozenset({"UNPUBLISHED"})
ACTS: Mapping[str, Act] = {
    "check": Act("Check that both sides agree", _ANY, _check),
    "push": Act("Send the study as it is here", _ANY, _push),
    "rates": Act("Read the recommended pay", _ANY, _read_rates),
    "publish": Act("Publish", _DRAFT, _move(running.PUBLISH, "Published."), is_grave=True),
    "pause": Act("Pause", frozenset({"ACTIVE"}), _move(running.PAUSE, "Paused.")),
    "start": Act("Start again", frozenset({"PAUSED"}), _move(running.START, "Started again.")),
    "stop": Act(
        "Stop for good",
        frozenset({"ACTIVE", "PAUSED"}),
        _move(running.STOP, "Stopped for good."),
        is_grave=True,
    ),
    "reconcile": Act("Read submissions and reconcile", _ANY, _reconcile),
    "approve": Act("Approve all that are ready", _ANY, _approve_ready, is_grave=True),
    "bonuses": Act("Pay the planned bonuses", _ANY, _pay_bonuses, is_grave=True),
}
