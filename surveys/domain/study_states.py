"""Which state of a study may follow which."""

from __future__ import annotations

from collections.abc import Mapping

TRANSITIONS: Mapping[str, frozenset[str]] = {
    "draft": frozenset({"pilot", "open"}),
    "pilot": frozenset({"draft", "open"}),
    "open": frozenset({"paused", "closed"}),
    "paused": frozenset({"open", "closed"}),
    "closed": frozenset({"open", "archived"}),
    "archived": frozenset({"closed"}),
}


def may_follow(state: str, following: str) -> bool:
    """Whether a study may go from one state to another; staying is no transition."""
    return following in TRANSITIONS[state]
