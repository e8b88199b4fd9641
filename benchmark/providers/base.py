"""What the engine and a provider say to each other: a question, a reply, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from benchmark.domain.prompts import Message
from surveys.domain.instrument import Instrument
from surveys.domain.protocol import Measure


@dataclass(frozen=True, slots=True)
class Question:
    """One measure put to a model: its messages, what they were made from, and how to ask.

    `parameters` are sampling parameters by their API names; `schema` is the named JSON
    schema of the reply, None for plain text.
    """

    messages: tuple[Message, ...]
    instrument: Instrument
    measure: Measure
    seed: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, unjudged. `text` is None where the reply held none; `note` says why.

    `parameters_dropped` maps what was not sent as asked to the reason; `latency_ms` is that of
    the attempt which answered; `messages` are those sent where they differ from the question's.
    """

    text: str | None
    finish_reason: str = ""
    refusal: str | None = None
    note: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    response_model: str = ""
    system_fingerprint: str = ""
    latency_ms: int | None = None
    messages: tuple[Message, ...] | None = None
    parameters_sent: Mapping[str, Any] = field(default_factory=dict)
    parameters_dropped: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how often one trial is tried.

    An attempt may take `attempt_timeout_s` in all, from connecting to the last byte. All attempts
    and the pauses between them may take `trial_budget_s`; waits that the endpoint orders by
    Retry-After are not counted in it, but together may take `rate_limit_patience_s`.
    """

    attempt_timeout_s: float = 60.0
    trial_budget_s: float = 180.0
    rate_limit_patience_s: float = 900.0
    max_attempts: int = 5
    first_backoff_s: float = 0.5
    longest_backoff_s: float = 30.0

    @classmethod
    def for_timeout(cls, attempt_timeout_s: float) -> Limits:
        """The usual limits around another time for each attempt: three of them a trial."""
        return cls(attempt_timeout_s=attempt_timeout_s, trial_budget_s=3 * attempt_timeout_s)


class TrialFailed(Exception):
    """No answer could be had to this question; the message says why. Other trials go on."""

    def __init__(
        self,
        reason: str,
        *,
        parameters_sent: Mapping[str, Any] | None = None,
        parameters_dropped: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(reason)
        self.parameters_sent = dict(parameters_sent or {})
        self.parameters_dropped = dict(parameters_dropped or {})


class RunStopped(Exception):
    """No question of this run can be answered now; the message says why and what to do."""


class GivenBack(Exception):
    """The run is stopping and this question was not being asked: somebody may ask it later."""


class Respondent(Protocol):
    """Who answers. `ask` and `close` run in one event loop; `stop` is called in it too."""

    async def ask(self, question: Question) -> Reply:
        """The reply; raises TrialFailed, RunStopped or GivenBack."""
        ...

    def stop(self) -> None:
        """Give back every question that waits; those being asked go on."""
        ...

    async def close(self) -> None: ...

    @property
    def unsupported_parameters(self) -> frozenset[str]:
        """What the endpoint is known to refuse, as learned so far."""
        ...
