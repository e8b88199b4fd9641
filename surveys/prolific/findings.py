"""Where a participation here and its submission on Prolific do not fit, and what helps.

Plain rules over plain values, the gravest first; the first that holds is a submission's finding.
None of them ends in a rejection: people are paid, or asked to return.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from surveys.domain.outcomes import Outcome
from surveys.prolific import records

APPROVE, REQUEST_RETURN, LOOK = "approve", "request_return", "look"
PATIENCE = timedelta(hours=1)
RETURN_PATIENCE = timedelta(days=7)
_PRESENT = {records.ACTIVE, records.RESERVED}
_GONE = {records.RETURNED, records.TIMED_OUT}


@dataclass(frozen=True, slots=True)
class Standing:
    """One submission on both sides.

    `state` is the participation's, "" where nobody came; `code_of` is the outcome whose code was
    entered, None for no code or an unknown one. `is_listed` says that Prolific lists it, and
    `is_claimed_twice` that its session belongs to somebody else there.
    """

    state: str
    status: str
    code_of: Outcome | None
    is_listed: bool
    is_claimed_twice: bool
    completed_at: datetime | None
    approved_at: datetime | None
    return_requested_at: datetime | None
    handed_in_at: datetime | None


@dataclass(frozen=True, slots=True)
class Finding:
    """What does not fit, in a sentence, and the remedy: approve, request_return, or look."""

    kind: str
    sentence: str
    remedy: str

    @property
    def reason(self) -> str:
        """What a person who is asked to return their submission reads on Prolific."""
        return _REASONS.get(self.kind, "Didn't finish the study")


_REASONS = {
    "no_consent_handed_in": "Did not consent",
    "full_handed_in": "The study had no place left",
    "withdrawn_handed_in": "Withdrew consent",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """The time to judge at, and after how many days Prolific approves by itself."""

    now: datetime
    auto_approval_days: int

    def is_past(self, at: datetime | None, patience: timedelta) -> bool:
        return at is not None and self.now - at > patience


Rule = tuple[str, Callable[[Standing, Limits], bool], str, str]


def judge(standing: Standing, limits: Limits) -> Finding | None:
    """The gravest finding about one submission, None where both sides fit."""
    for kind, holds, sentence, remedy in RULES:
        if holds(standing, limits):
            return Finding(kind, sentence, remedy)
    return None


def _waits(s: Standing) -> bool:
    return s.status == records.AWAITING_REVIEW


def _approval_is_near(s: Standing, limits: Limits) -> bool:
    nearly = timedelta(days=max(0, limits.auto_approval_days - 3))
    return _waits(s) and limits.is_past(s.handed_in_at, nearly)


RULES: tuple[Rule, ...] = (
    (
        "unknown_state",
        lambda s, _: s.status not in records.KNOWN_STATUSES | {""},
        "Prolific gives a state that is unknown here; it is kept and asked for again.",
        LOOK,
    ),
    (
        "ids_disagree",
        lambda s, _: s.is_claimed_twice,
        "This submission belongs to another person on Prolific: the link was changed or mistyped.",
        LOOK,
    ),
    (
        "not_on_prolific",
        lambda s, _: not s.is_listed and s.state != "",
        "Prolific does not list this submission: the link may be made up.",
        LOOK,
    ),
    (
        "return_overdue",
        lambda s, at: _waits(s) and at.is_past(s.return_requested_at, RETURN_PATIENCE),
        "A return was asked for over a week ago. Send a message, or approve it.",
        APPROVE,
    ),
    (
        "return_awaited",
        lambda s, _: _waits(s) and s.return_requested_at is not None,
        "A return was asked for; the person has not returned it yet.",
        LOOK,
    ),
    (
        "no_consent_handed_in",
        lambda s, _: _waits(s) and s.code_of == Outcome.NO_CONSENT,
        "They declined to take part but handed it in instead of returning it.",
        REQUEST_RETURN,
    ),
    (
        "full_handed_in",
        lambda s, _: _waits(s) and s.code_of == Outcome.STUDY_FULL,
        "The study was full when they came, and they handed it in.",
        REQUEST_RETURN,
    ),
    (
        "withdrawn_handed_in",
        lambda s, _: _waits(s) and s.state == "withdrawn",
        "They withdrew their answers, which are deleted. Pay them, or ask for a return.",
        APPROVE,
    ),
    (
        "approval_not_done",
        lambda s, at: _waits(s) and at.is_past(s.approved_at, PATIENCE),
        "Approval was asked for over an hour ago and Prolific has not done it.",
        APPROVE,
    ),
    (
        "failed_attention",
        lambda s, _: _waits(s) and s.code_of == Outcome.FAILED_ATTENTION and s.state == "completed",
        "Attention items were failed. Look at the answers; people are paid all the same.",
        APPROVE,
    ),
    (
        "data_without_code",
        lambda s, _: _waits(s) and s.state == "completed" and s.code_of is None,
        "The answers are complete, but no code of this study was entered.",
        APPROVE,
    ),
    (
        "code_without_data",
        lambda s, _: _waits(s) and s.state != "completed" and s.code_of == Outcome.COMPLETED,
        "The code for completing was entered, but the answers are not complete here.",
        REQUEST_RETURN,
    ),
    (
        "handed_in_without_data",
        lambda s, _: _waits(s) and s.state != "completed",
        "It was handed in without complete answers.",
        REQUEST_RETURN,
    ),
    (
        "approval_near",
        _approval_is_near,
        "Prolific will soon approve this by itself.",
        APPROVE,
    ),
    (
        "complete_but_gone",
        lambda s, _: s.state == "completed" and s.status in _GONE,
        "The answers are complete, but it was returned or timed out: no pay was earned there.",
        LOOK,
    ),
    (
        "paid_without_data",
        lambda s, _: s.status == records.APPROVED and s.state in ("", "active"),
        "Prolific has paid, but the answers are not complete here.",
        LOOK,
    ),
    (
        "rejected_but_complete",
        lambda s, _: s.status == records.REJECTED and s.state == "completed",
        "It was rejected on Prolific although the answers are complete.",
        LOOK,
    ),
    (
        "not_handed_in",
        lambda s, at: (
            s.state == "completed" and s.status in _PRESENT and at.is_past(s.completed_at, PATIENCE)
        ),
        "Finished here over an hour ago, and not handed in on Prolific.",
        LOOK,
    ),
)
