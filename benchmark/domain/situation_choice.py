"""Which situations a run puts to a model, as a researcher says it: study, all, or 3-per-factor."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar


class SituationChoiceError(ValueError):
    """A choice that cannot be understood; the message gives the ways to say it."""


class Candidate(Protocol):
    """A published standard situation: its words, its factor, whether the study presented it."""

    @property
    def text(self) -> str: ...

    @property
    def factor_id(self) -> Hashable: ...

    @property
    def is_in_published_study(self) -> bool: ...


C = TypeVar("C", bound=Candidate)


@dataclass(frozen=True, slots=True)
class SituationChoice:
    """`everything` takes all candidates; else the study set; at most `per_factor` a factor."""

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
    of those, all of them. Of candidates with the same words in one factor (a catalogue and the
    study that drew on it) one is taken, the study's own before others: asking twice would count
    one situation double.
    """
    studied = [c for c in candidates if c.is_in_published_study]
    if choice.everything:
        candidates = _without_repeats(candidates, preferred=studied)
    else:
        candidates = _without_repeats(studied or candidates)
    if choice.per_factor is None:
        return list(candidates)
    taken: Counter[Hashable] = Counter()
    chosen = []
    for candidate in candidates:
        taken[candidate.factor_id] += 1
        if taken[candidate.factor_id] <= choice.per_factor:
            chosen.append(candidate)
    return chosen


def _without_repeats(candidates: Sequence[C], preferred: Sequence[C] = ()) -> list[C]:
    kept: dict[tuple[Hashable, str], C] = {}
    for candidate in (*preferred, *candidates):
        kept.setdefault(_words(candidate), candidate)
    return [candidate for candidate in candidates if kept[_words(candidate)] is candidate]


def _words(candidate: Candidate) -> tuple[Hashable, str]:
    return candidate.factor_id, " ".join(candidate.text.split())
