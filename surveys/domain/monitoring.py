"""Where the people of a study are: a funnel, who is here now, who is stuck, how long it takes.

Who counts and who holds a place is decided where it always is, in the queries; these functions
only add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

# Somebody who is silent this long on one page has probably stopped, though their place is kept.
STUCK_AFTER = timedelta(minutes=20)


@dataclass(frozen=True, slots=True)
class Person:
    """One participation that is no test. `holds_place` while it is under way or completed."""

    code: str
    state: str
    pages_done: int
    is_counted: bool
    holds_place: bool
    consented_at: datetime | None = None
    last_seen_at: datetime | None = None
    completed_at: datetime | None = None
    left_at: datetime | None = None
    outcome: str = ""
    flags: tuple[str, ...] = ()

    @property
    def is_under_way(self) -> bool:
        return self.state == "active" and self.holds_place


@dataclass(frozen=True, slots=True)
class Funnel:
    """How many came how far. `reached[k]` counts who got to page k + 1.

    consented = under_way + left + completed + withdrawn, and completed = counted + excluded.
    """

    declined: int
    consented: int
    reached: tuple[int, ...]
    under_way: int
    left: int
    completed: int
    withdrawn: int
    counted: int
    excluded: int
    took_code: int


def count_funnel(people: Sequence[Person], *, declined: int, n_pages: int) -> Funnel:
    """Add up; `n_pages` is how many pages the study has."""
    states = Counter(person.state for person in people)
    counted = sum(person.is_counted for person in people)
    under_way = sum(person.is_under_way for person in people)
    return Funnel(
        declined=declined,
        consented=len(people),
        reached=tuple(
            sum(person.pages_done >= number for person in people) for number in range(n_pages)
        ),
        under_way=under_way,
        left=states["active"] - under_way,
        completed=states["completed"],
        withdrawn=states["withdrawn"],
        counted=counted,
        excluded=states["completed"] - counted,
        took_code=sum(
            person.state == "completed" and person.left_at is not None for person in people
        ),
    )


@dataclass(frozen=True, slots=True)
class Present:
    """Somebody under way: on which page, and for how many minutes they were silent."""

    code: str
    page: int
    minutes_silent: int
    is_stuck: bool


def who_is_here(people: Iterable[Person], *, now: datetime) -> tuple[Present, ...]:
    """Those under way, the longest silent first."""
    found = []
    for person in people:
        if not person.is_under_way or person.last_seen_at is None:
            continue
        silent = max(now - person.last_seen_at, timedelta())
        minutes = int(silent.total_seconds() // 60)
        # The public code is the secret of their address; its beginning is enough to tell apart.
        found.append(Present(person.code[:8], person.pages_done + 1, minutes, silent > STUCK_AFTER))
    return tuple(sorted(found, key=lambda present: -present.minutes_silent))


def durations_s(people: Iterable[Person]) -> list[float]:
    """Seconds from consent to the last answer, of everybody who completed."""
    return [
        (person.completed_at - person.consented_at).total_seconds()
        for person in people
        if person.state == "completed" and person.completed_at and person.consented_at
    ]


def returns_s(people: Iterable[Person]) -> list[float]:
    """Seconds from the last answer to the completion code, which Prolific counts as working."""
    return [
        (person.left_at - person.completed_at).total_seconds()
        for person in people
        if person.left_at and person.completed_at
    ]


def middle(values: Sequence[float]) -> float | None:
    """The median; None of nothing."""
    return median(values) if values else None


@dataclass(frozen=True, slots=True)
class Flags:
    """Of those who completed: how many have any flag, and how many have each."""

    flagged: int
    by_code: dict[str, int]
    unjudged: int


def count_flags(people: Iterable[Person]) -> Flags:
    """Only of who completed; `unjudged` counts those whose answers nobody has looked at yet."""
    completed = [person for person in people if person.state == "completed"]
    counts = Counter(code for person in completed for code in set(person.flags))
    return Flags(
        flagged=sum(bool(person.flags) for person in completed),
        by_code=dict(sorted(counts.items())),
        unjudged=sum(not person.outcome for person in completed),
    )
