"""Prolific's spellings, in one form."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.prolific.errors import ProlificError
from surveys.prolific.records import normalise_status, read_submission, read_time

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
FIELDS = (
    "participant_id", "participant", "study_id", "status", "started_at", "completed_at",
    "study_code", "entered_code", "return_requested", "bonus_payments",
)  # fmt: skip


@pytest.mark.parametrize(
    ("spelled", "status"),
    [
        ("AWAITING REVIEW", "AWAITING_REVIEW"),
        ("TIMED-OUT", "TIMED_OUT"),
        ("PARTIALLY APPROVED", "PARTIALLY_APPROVED"),
        ("screened out", "SCREENED_OUT"),
        ("PROCESSING", "PROCESSING"),
        ("Something  new!", "SOMETHING_NEW"),
        (None, ""),
        (7, ""),
    ],
)
def test_statuses_have_one_spelling(spelled: object, status: str) -> None:
    assert normalise_status(spelled) == status


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise_status(normalise_status(text)) == normalise_status(text)


@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_whatever_fields_hold_a_submission_is_read(fields: dict[str, object]) -> None:
    record = read_submission({"id": "se1", **fields}, study="st1")

    assert record.session == "se1"
    assert len(record.status) <= 40
    assert record.started_at is None or record.started_at.tzinfo is not None


@pytest.mark.parametrize("raw", [None, [], "text", {}, {"id": ""}, {"participant": "p"}])
def test_a_submission_without_id_is_nonsense(raw: object) -> None:
    with pytest.raises(ProlificError):
        read_submission(raw)


def test_times_without_a_zone_are_utc() -> None:
    assert read_time("2026-10-01T10:00:00") == datetime(2026, 10, 1, 10, tzinfo=UTC)
    assert read_time("2026-10-01T12:00:00+02:00") == datetime(2026, 10, 1, 10, tzinfo=UTC)
