"""What does not fit between both sides, by plain values."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.outcomes import Outcome
from surveys.prolific.findings import APPROVE, LOOK, REQUEST_RETURN, RULES, Limits, Standing, judge
from surveys.prolific.records import KNOWN_STATUSES

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
LIMITS = Limits(now=NOW, auto_approval_days=21)
LONG_AGO, JUST_NOW = NOW - timedelta(days=8), NOW - timedelta(minutes=5)


def standing(**fields: Any) -> Standing:
    """Somebody who completed, entered the right code and waits for review."""
    usual: dict[str, Any] = {
        "state": "completed", "status": "AWAITING_REVIEW", "code_of": Outcome.COMPLETED,
        "is_listed": True, "is_claimed_twice": False, "completed_at": JUST_NOW,
        "approved_at": None, "return_requested_at": None, "handed_in_at": JUST_NOW,
    }  # fmt: skip
    return Standing(**{**usual, **fields})


@pytest.mark.parametrize(
    ("fields", "kind", "remedy"),
    [
        ({"status": "PROCESSING"}, "unknown_state", LOOK),
        ({"is_claimed_twice": True}, "ids_disagree", LOOK),
        ({"is_listed": False}, "not_on_prolific", LOOK),
        ({"code_of": None}, "data_without_code", APPROVE),
        ({"state": "active"}, "code_without_data", REQUEST_RETURN),
        ({"state": ""}, "code_without_data", REQUEST_RETURN),
        ({"state": "", "code_of": None}, "handed_in_without_data", REQUEST_RETURN),
        ({"state": "", "code_of": Outcome.NO_CONSENT}, "no_consent_handed_in", REQUEST_RETURN),
        ({"state": "", "code_of": Outcome.STUDY_FULL}, "full_handed_in", REQUEST_RETURN),
        ({"return_requested_at": JUST_NOW}, "return_awaited", LOOK),
        ({"return_requested_at": LONG_AGO}, "return_overdue", APPROVE),
        ({"state": "withdrawn", "code_of": Outcome.WITHDRAWN}, "withdrawn_handed_in", APPROVE),
        ({"code_of": Outcome.FAILED_ATTENTION}, "failed_attention", APPROVE),
        ({"approved_at": LONG_AGO}, "approval_not_done", APPROVE),
        ({"handed_in_at": NOW - timedelta(days=19)}, "approval_near", APPROVE),
        ({"status": "RETURNED"}, "complete_but_gone", LOOK),
        ({"status": "TIMED_OUT"}, "complete_but_gone", LOOK),
        ({"status": "APPROVED", "state": "active"}, "paid_without_data", LOOK),
        ({"status": "REJECTED"}, "rejected_but_complete", LOOK),
        ({"status": "ACTIVE", "completed_at": LONG_AGO}, "not_handed_in", LOOK),
    ],
)
def test_each_disagreement_is_named_with_its_remedy(
    fields: dict[str, Any], kind: str, remedy: str
) -> None:
    finding = judge(standing(**fields), LIMITS)

    assert finding is not None
    assert (finding.kind, finding.remedy) == (kind, remedy)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"status": "APPROVED"},
        {"status": "APPROVED", "state": "withdrawn"},
        {"status": "RETURNED", "state": "active"},
        {"status": "ACTIVE", "state": "active", "code_of": None},
        {"status": "ACTIVE", "completed_at": JUST_NOW},
        {"status": "", "state": "active", "code_of": None},
        {"approved_at": JUST_NOW},
    ],
)
def test_what_fits_is_no_finding(fields: dict[str, Any]) -> None:
    assert judge(standing(**fields), LIMITS) is None


def test_every_rule_is_exercised_above() -> None:
    marks = test_each_disagreement_is_named_with_its_remedy.pytestmark
    tested = {case[1] for case in marks[0].args[1]}

    assert tested == {kind for kind, *_ in RULES}


@given(
    state=st.sampled_from(["", "active", "completed", "withdrawn"]),
    status=st.sampled_from([*sorted(KNOWN_STATUSES), "", "STRANGE"]),
    code=st.sampled_from([None, *Outcome]),
    is_listed=st.booleans(),
    approved_at=st.sampled_from([None, JUST_NOW, LONG_AGO]),
)
def test_nobody_is_rejected_and_nobody_paid_is_asked_to_return(
    state: str, status: str, code: Outcome | None, is_listed: bool, approved_at: datetime | None
) -> None:
    finding = judge(
        standing(
            state=state, status=status, code_of=code, is_listed=is_listed, approved_at=approved_at
        ),
        LIMITS,
    )

    if finding is not None:
        assert finding.remedy in {APPROVE, REQUEST_RETURN, LOOK}
        if status != "AWAITING_REVIEW":
            assert finding.remedy == LOOK
