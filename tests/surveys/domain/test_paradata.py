from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.paradata import (
    LONGEST_REPORT,
    ClientReport,
    ClientTrace,
    read_report,
    trace_items,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MS = int(NOW.timestamp() * 1000)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
PARTS = ("visible", "shown", "items", "viewport", "layout", "translated")


def read(**parts) -> ClientReport:
    return read_report(json.dumps(parts), now=NOW)


def test_a_report_is_read_part_by_part() -> None:
    report = read(
        visible=1500,
        shown=MS - 2000,
        items={"alert": [MS - 1000, 3], "upset": "nonsense"},
        viewport="small",
        layout="stacked",
        translated=True,
    )

    assert report == ClientReport(
        visible_ms=1500,
        shown_at=NOW - timedelta(seconds=2),
        items={"alert": ClientTrace(NOW - timedelta(seconds=1), 2)},
        viewport_class="small",
        layout="stacked",
        is_translated=True,
    )


@pytest.mark.parametrize(
    "part",
    [
        {"visible": -1},
        {"visible": 10**12},
        {"visible": True},
        {"visible": 1.5},
        {"visible": "1500"},
        {"shown": MS + 10**12},
        {"shown": 10**400},
        {"shown": -(10**15)},
        {"items": [["alert", MS, 1]]},
        {"items": {"alert": [MS, 0]}},
        {"items": {"alert": [MS, 10**6]}},
        {"items": {"alert": [0, 1]}},
        {"items": {"alert": [MS]}},
        {"viewport": "gigantic"},
        {"viewport": ["small"]},
        {"layout": "<script>"},
        {"translated": "yes"},
        {"translated": 1},
    ],
)
def test_nonsense_is_ignored(part: dict) -> None:
    assert read(**part) == ClientReport()


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", "7", "[" * 9000, '{"visible": 1' + "0" * 5000 + "}", "NaN", "\ud800"],
)
def test_what_is_no_report_is_an_empty_one(text: str) -> None:
    assert read_report(text, now=NOW) == ClientReport()


def test_a_report_that_is_too_long_is_not_read() -> None:
    text = json.dumps({"visible": 5, "more": "x" * LONGEST_REPORT})

    assert read_report(text, now=NOW) == ClientReport()


@given(st.dictionaries(st.sampled_from(PARTS), json_values))
def test_no_report_is_ever_an_error_or_out_of_bounds(parts: dict) -> None:
    report = read(**parts)

    assert 0 <= report.visible_ms <= 24 * 3600 * 1000
    assert report.layout in {"", "stacked", "row"}


def trace(before=None, *, given=None, answered_before=None, at=NOW, report=None):
    return trace_items(
        before or {},
        places={"alert": 5, "upset": 6},
        answered_before=answered_before or {},
        given=given or {},
        shown_at=at - timedelta(seconds=9),
        now=at,
        report=report or ClientReport(),
    )


def test_an_item_keeps_when_it_was_first_shown_and_first_answered() -> None:
    first = trace(given={"alert": 3})
    later = trace(
        first,
        given={"alert": 4, "upset": 1},
        answered_before={"alert": 3},
        at=NOW + timedelta(hours=1),
    )

    assert first["alert"] == {
        "place": 5,
        "shown_at": "2026-03-01T11:59:51.000+00:00",
        "answered_at": "2026-03-01T12:00:00.000+00:00",
        "changes": 0,
    }
    assert first["upset"]["answered_at"] is None
    assert later["alert"] == first["alert"] | {"changes": 1}
    assert later["upset"]["shown_at"] == first["upset"]["shown_at"]
    assert later["upset"]["answered_at"] == "2026-03-01T13:00:00.000+00:00"


def test_the_same_answer_again_is_no_change() -> None:
    first = trace(given={"alert": 3})

    assert trace(first, given={"alert": 3}, answered_before={"alert": 3}) == first


def test_the_browsers_clock_stands_beside_the_servers() -> None:
    skewed = NOW - timedelta(hours=5)
    report = ClientReport(shown_at=skewed, items={"alert": ClientTrace(skewed, 2)})

    first = trace(given={"alert": 3}, report=report)
    again = trace(first, given={"alert": 1}, answered_before={"alert": 3}, report=report)

    assert first["alert"]["answered_at"] == "2026-03-01T12:00:00.000+00:00"
    assert first["alert"]["client_shown_at"] == "2026-03-01T07:00:00.000+00:00"
    assert first["alert"]["client_answered_at"] == "2026-03-01T07:00:00.000+00:00"
    assert (first["alert"]["client_changes"], again["alert"]["client_changes"]) == (2, 5)
    assert "client_answered_at" not in first["upset"]
    json.dumps(again)


def test_other_items_of_the_measure_stay_as_they_were() -> None:
    before = {"proud": {"place": 0, "shown_at": "x", "answered_at": None, "changes": 0}}

    assert trace(before, given={"alert": 3})["proud"] == before["proud"]
