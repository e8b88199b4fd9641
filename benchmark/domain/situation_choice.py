"""Which situations a run puts to a model, as a researcher says it: study, all, or 3-per-factor."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar


class SituationChoiceError(ValueError):
    """A choice that cannot be understood; the message gives the ways to say it."""


class Candidate(Protocol):
    """A published standard situation: where it stands, and whether the study presented it."""

    @property
    def factor_id(self) -> Hashable: ...

    @property
    def is_in_published_study(self) -> bool: ...


C = TypeVar("C", bound=Candidate)


@dataclass(frozen=True, slots=True)
class SituationChoice:
    """`everything` takes all candidates; else the study set, at most `per_factor` a factor."""

    everything: bool = False
    per_factor: int | None = None


def parse_situation_choice(text: str) -> SituationChoice:
    """`study`, `all` or `N-per-factor`; SituationChoiceError on anything else."""
    match = re.fullmatch(r"([1-9][0-9]{0,3})-per-factor", text)
    if match:
        return SituationChoice(per_factor=int(match.group(1)))
    if text not in {"study", "all"}:
        raise SituationChoiceError(f"{text!r} is not study, all, or a choice like 3-per-factor")
    return SituationChoice(everything=text == "all")


def choose_situations(candidates: Sequence[C], choice: SituationChoice) -> list[C]:
    """The chosen candidates, in their order.

    The study set is the candidates that the published study presented, and where there is none
    of those, all of them.
    """
    if choice.everything:
        return list(candidates)
    chosen = [c for c in candidates if c.is_in_published_study] or list(candidates)
    if choice.per_factor is None:
        return chosen
    taken: dict[Hashable, int] = {}
    result = []
    for candidate in chosen:
        taken[candidate.factor_id] = taken.get(candidate.factor_id, 0) + 1
        if taken[candidate.factor_id] <= choice.per_factor:
            result.append(candidate)
    return result
