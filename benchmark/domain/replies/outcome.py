"""What becomes of one reply: valid ratings, or the reason why there are none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ReplyState(StrEnum):
    """The five ends of a reply that arrived; a request that failed never becomes a reply."""

    VALID = "valid"
    REFUSED = "refused"
    INVALID = "invalid"
    EMPTY = "empty"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """`ratings` in presented order, only when valid; `reason` is one sentence, "" when valid."""

    state: ReplyState
    ratings: tuple[int, ...] | None
    reason: str


def valid(ratings: tuple[int, ...]) -> ParsedReply:
    return ParsedReply(ReplyState.VALID, ratings, "")


def rejected(state: ReplyState, reason: str) -> ParsedReply:
    return ParsedReply(state, None, reason)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one way of reading found: all ratings, or none and why.

    `is_attempt` says that the reply did rate something, so that it is not taken for a refusal.
    """

    ratings: tuple[int, ...] | None
    reason: str = ""
    is_attempt: bool = False
