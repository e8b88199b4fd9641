"""How a page was answered: when each item was shown, answered and changed.

The server's clock is the measure. What a browser reports beside it comes from a machine that nobody
here controls: it is bounded, checked, and ignored where it makes no sense.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

LONGEST_REPORT = 20_000
VIEWPORT_CLASSES = ("small", "medium", "large")
LAYOUTS = ("stacked", "row")
MOST_VISIBLE = timedelta(days=1)
MOST_CHANGES = 1000
# A clock that is further off than this tells nothing.
CLOCKS_AGREE = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class ClientTrace:
    """What a browser says about one item: when it was first answered, and how often changed."""

    answered_at: datetime
    changes: int


@dataclass(frozen=True, slots=True)
class ClientReport:
    """What a browser says about a page; empty where scripts are off or the report is nonsense.

    `shown_at` is by the browser's clock, `visible_ms` the time in which the page was in view,
    `items` are keyed by item.
    """

    visible_ms: int = 0
    shown_at: datetime | None = None
    items: Mapping[str, ClientTrace] = field(default_factory=dict)
    viewport_class: str = ""
    layout: str = ""
    is_translated: bool = False


def read_report(text: str, *, now: datetime) -> ClientReport:
    """Read the JSON that survey.js sends; never raises, and takes each part for itself."""
    try:
        data = json.loads(text) if len(text) <= LONGEST_REPORT else None
    except (ValueError, RecursionError):
        return ClientReport()
    if not isinstance(data, dict):
        return ClientReport()
    items = data.get("items")
    traces = {
        str(key): trace
        for key, value in (items.items() if isinstance(items, dict) else ())
        if (trace := _trace(value, now)) is not None
    }
    return ClientReport(
        visible_ms=_whole(data.get("visible"), most=int(MOST_VISIBLE / timedelta(milliseconds=1))),
        shown_at=_time(data.get("shown"), now),
        items=traces,
        viewport_class=_word(data.get("viewport"), VIEWPORT_CLASSES),
        layout=_word(data.get("layout"), LAYOUTS),
        is_translated=data.get("translated") is True,
    )


def _trace(value: Any, now: datetime) -> ClientTrace | None:
    """`[first answered, times answered]`, in milliseconds since 1970 and as a count."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    answered_at, times = _time(value[0], now), _whole(value[1], most=MOST_CHANGES)
    return ClientTrace(answered_at, times - 1) if answered_at and times else None


def _whole(value: Any, *, most: int) -> int:
    """A whole number from 0 to `most`, or 0 where it is none; True is no number."""
    return value if type(value) is int and 0 <= value <= most else 0


def _time(value: Any, now: datetime) -> datetime | None:
    if type(value) is not int or abs(value) > 10**14:
        return None
    time = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=value)
    return time if abs(time - now) <= CLOCKS_AGREE else None


def _word(value: Any, known: Sequence[str]) -> str:
    return value if isinstance(value, str) and value in known else ""


def trace_items(
    before: Mapping[str, Any],
    *,
    places: Mapping[str, int],
    answered_before: Mapping[str, int],
    given: Mapping[str, int],
    shown_at: datetime,
    now: datetime,
    report: ClientReport,
) -> dict[str, Any]:
    """The paradata of a measure, by item, after one page of it came in.

    `places` are the page's items with their place in shown order, from 0. An item keeps the time
    at which it was first shown and first answered; `changes` counts stored answers that were
    replaced by others. Times are ISO 8601 in UTC, by the server's clock, and by the browser's
    where the name says `client`.
    """
    traces = dict(before)
    for key, place in places.items():
        trace = dict(traces.get(key) or _new_trace(place, shown_at))
        if key in given:
            trace["answered_at"] = trace["answered_at"] or _iso(now)
            is_changed = key in answered_before and answered_before[key] != given[key]
            trace["changes"] += is_changed
            _add_report(trace, report.shown_at, report.items.get(key))
        traces[key] = trace
    return traces


def _new_trace(place: int, shown_at: datetime) -> dict[str, Any]:
    return {"place": place, "shown_at": _iso(shown_at), "answered_at": None, "changes": 0}


def _add_report(
    trace: dict[str, Any], shown_at: datetime | None, client: ClientTrace | None
) -> None:
    if shown_at is not None:
        trace.setdefault("client_shown_at", _iso(shown_at))
    if client is not None:
        # Each answer of a later visit to the page replaces an earlier one.
        is_first = "client_answered_at" not in trace
        trace.setdefault("client_answered_at", _iso(client.answered_at))
        changes = client.changes if is_first else client.changes + 1
        trace["client_changes"] = trace.get("client_changes", 0) + changes


def _iso(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="milliseconds")
