"""What in a running study needs somebody's action, and which single step would remedy it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

# A share above this means that something is wrong with the study, not with the people.
MANY_EXCLUDED = 0.25
ENOUGH_TO_JUDGE = 20
# From the last answer to the code: longer, and the hourly rate on Prolific looks lower than it is.
SLOW_RETURN_S = 60


@dataclass(frozen=True, slots=True)
class Need:
    """`code` says what is the matter, `n` and `name` fill its sentence.

    `action` and `value` are what the remedy's button sends; "" where no single step helps.
    """

    code: str
    n: int = 0
    name: str = ""
    action: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """What needs are found from; `withdrawn_situations` are rows (id, name) given no more."""

    state: str
    faults: tuple[str, ...] = ()
    has_room: bool = True
    is_full: bool = False
    under_way: int = 0
    stuck: int = 0
    unjudged: int = 0
    completed: int = 0
    excluded: int = 0
    tests: int = 0
    withdrawn_situations: tuple[tuple[int, str], ...] = ()
    short_of_minimum: float | None = None
    top_up: int | None = None
    return_s: float | None = None
    prolific_cases: int = 0
    has_overdue_ids: bool = False
    prolific_status: str = ""


def find_needs(standing: Standing) -> tuple[Need, ...]:
    """The most pressing first."""
    return tuple(_needs(standing))


def _needs(standing: Standing) -> Iterator[Need]:
    takes_people = standing.state in {"pilot", "open"}
    if takes_people or standing.state in {"draft", "paused"}:
        shown_below = {"situations_unpublished"} if standing.withdrawn_situations else set()
        yield from (Need("fault", name=code) for code in standing.faults if code not in shown_below)
    if standing.state == "open" and standing.is_full:
        yield Need("full", action="step", value="closed")
    elif standing.state == "open" and not standing.has_room:
        yield Need("waiting", n=standing.under_way)
    if standing.state == "paused":
        yield Need("paused", action="step", value="open")
    if takes_people:
        for place, name in standing.withdrawn_situations:
            yield Need("unpublished", name=name, action="close-situation", value=str(place))
    if standing.prolific_status == "ACTIVE" and standing.state != "open":
        yield Need("prolific_sends")
    if standing.prolific_status == "PAUSED" and standing.state == "open":
        yield Need("prolific_paused")
    if standing.prolific_cases:
        yield Need("prolific_cases", n=standing.prolific_cases)
    if standing.has_overdue_ids:
        yield Need("overdue_ids")
    if standing.short_of_minimum:
        yield Need("pay_short", n=standing.top_up or 0)
    if standing.return_s is not None and standing.return_s > SLOW_RETURN_S:
        yield Need("slow_return", n=round(standing.return_s))
    if standing.unjudged:
        yield Need("unjudged", n=standing.unjudged, action="judge")
    is_many = standing.completed >= ENOUGH_TO_JUDGE
    if is_many and standing.excluded > MANY_EXCLUDED * standing.completed:
        yield Need("many_excluded", n=standing.excluded)
    if standing.stuck:
        yield Need("stuck", n=standing.stuck)
    if standing.tests and standing.state not in {"draft", "pilot"}:
        yield Need("tests_kept", n=standing.tests, action="reset-pilot")
