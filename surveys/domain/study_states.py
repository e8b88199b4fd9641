"""Which state of a study may follow which, and what each step is called."""

from __future__ import annotations

from collections.abc import Mapping

# By state and the state that follows: the verb under which the step is recorded.
STEPS: Mapping[tuple[str, str], str] = {
    ("draft", "pilot"): "pilot started",
    ("draft", "open"): "opened",
    ("pilot", "draft"): "pilot ended",
    ("pilot", "open"): "opened",
    ("open", "paused"): "paused",
    ("open", "closed"): "closed",
    ("paused", "open"): "resumed",
    ("paused", "closed"): "closed",
    ("closed", "open"): "reopened",
    ("closed", "archived"): "archived",
    ("archived", "closed"): "restored",
}
STATES = ("draft", "pilot", "open", "paused", "closed", "archived")
TRANSITIONS: Mapping[str, frozenset[str]] = {
    state: frozenset(following for before, following in STEPS if before == state)
    for state in STATES
}
# The states in which somebody new may enter, and so in which everything must be ready.
ENTERABLE = frozenset({"pilot", "open"})


def may_follow(state: str, following: str) -> bool:
    """Whether a study may go from one state to another; staying is no transition."""
    return following in TRANSITIONS[state]
