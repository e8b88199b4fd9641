"""Baselines as respondents: they answer at once and need neither an endpoint nor a key."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmark.domain.baselines import Baseline, BaselineError, baseline_reply
from benchmark.providers.base import Question, Reply, TrialFailed

PeopleOf = Callable[[int | None], Sequence[Sequence[int]]]
"""Ratings of the people who answered a situation version (None: the default measure)."""


class BaselineRespondent:
    """Answers each question by a strategy, from the question's own seed."""

    unsupported_parameters: frozenset[str] = frozenset()

    def __init__(self, baseline: Baseline, people_of: PeopleOf) -> None:
        self._baseline = baseline
        self._people_of = people_of

    async def ask(self, question: Question) -> Reply:
        situation = question.measure.situation
        try:
            text = baseline_reply(
                self._baseline,
                question.instrument,
                question.measure,
                seed=question.seed,
                people=self._people_of(situation.key if situation else None),
            )
        except BaselineError as error:
            raise TrialFailed(f"{self._baseline.label}: {error}") from None
        return Reply(text, finish_reason="stop", parameters_sent={"seed": question.seed})

    def stop(self) -> None:
        """Nothing ever waits."""

    async def close(self) -> None:
        """Nothing is open."""
