from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.reading import count_words, reading_seconds, seconds_left

SHOWN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_text_takes_its_words_divided_by_the_speed() -> None:
    assert count_words("  One two\n\nthree – four. ") == 5
    assert reading_seconds("word " * 100, 600) == pytest.approx(10.0)
    assert reading_seconds("word " * 100, None) == 0.0
    assert reading_seconds("", 600) == 0.0


@pytest.mark.parametrize(
    ("passed", "left"), [(0, 10), (0.1, 10), (9.2, 1), (10, 0), (10_000, 0), (-9, 10), (-3600, 0)]
)
def test_the_wait_ends_after_the_time_and_a_clock_set_back_adds_no_more(passed, left) -> None:
    now = SHOWN + timedelta(seconds=passed)

    assert seconds_left(needed=10.0, shown_at=SHOWN, now=now) == left


@given(st.floats(0, 600), st.floats(0, 600))
def test_whoever_waits_as_told_may_go_on(needed: float, passed: float) -> None:
    now = SHOWN + timedelta(seconds=passed)
    later = now + timedelta(seconds=seconds_left(needed=needed, shown_at=SHOWN, now=now))

    # Times are stored to the microsecond.
    later += timedelta(microseconds=2)
    assert seconds_left(needed=needed, shown_at=SHOWN, now=later) == 0
