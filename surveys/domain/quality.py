"""Signs of careless answers: what each one is, when it is raised, and what follows from it.

Each class of sign raises at most one flag, so that the number of flags is the number of
independent signs. Long strings of equal answers and little variance within a person are measured
and reported but raise nothing: somebody who feels numb answers flat, and somebody who clicks at
random does not. Where there is no data there is no flag.

Times are seconds on the server's clock from first showing a page to first saving it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from surveys.domain.outcomes import Outcome
from surveys.domain.synonyms import Pair

# Prolific: a study of at least this many minutes may hold only two failed checks against somebody.
MINUTES_FOR_TWO_CHECKS = 5


class Sign(StrEnum):
    """The flags. The first two are degrees of one class, of which only one is raised."""

    FAST_RATINGS = "fast_ratings"
    VERY_FAST_RATINGS = "very_fast_ratings"
    FAST_READING = "fast_reading"
    INSTRUCTED_ITEM = "instructed_item"
    SYNONYMS_APART = "synonyms_apart"
    ALL_EQUAL = "all_equal"

    @property
    def label(self) -> str:
        return self.value.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Flag:
    """One sign, and the figures that raised it in words."""

    sign: Sign
    reason: str


@dataclass(frozen=True, slots=True)
class RatedMeasure:
    """A complete measure. `ratings` are in the order shown; `seconds` is None where unknown."""

    ratings: Mapping[str, int]
    seconds: float | None = None

    @property
    def seconds_per_item(self) -> float | None:
        return None if self.seconds is None else self.seconds / len(self.ratings)


@dataclass(frozen=True, slots=True)
class ReadSituation:
    """A situation that was read; `seconds` is None where unknown."""

    words: int
    seconds: float | None = None

    @property
    def words_per_minute(self) -> float | None:
        """None where the time is unknown; infinite where it was none at all."""
        if self.seconds is None:
            return None
        return 60 * self.words / self.seconds if self.seconds else math.inf


@dataclass(frozen=True, slots=True)
class Checks:
    """Instructed items: how many were asked, and how many were answered otherwise."""

    asked: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What a study calls too fast or too far apart."""

    item_seconds: float
    words_per_minute: float
    synonym_difference: float


@dataclass(frozen=True, slots=True)
class Answers:
    """Everything about one person's way through a study that signs are looked for in."""

    measures: Sequence[RatedMeasure]
    situations: Sequence[ReadSituation] = ()
    checks: Checks = Checks()
    synonyms: Sequence[Pair] = ()

    @property
    def seconds_per_item(self) -> float | None:
        """Of the fastest measure: a break in one of them must not hide haste in another."""
        return min(_known(m.seconds_per_item for m in self.measures), default=None)

    @property
    def words_per_minute(self) -> float | None:
        """Of the situation that was read fastest."""
        return max(_known(s.words_per_minute for s in self.situations), default=None)

    @property
    def synonym_difference(self) -> float | None:
        """Mean absolute difference in scale points, over all pairs of all measures."""
        differences = [
            abs(measure.ratings[one] - measure.ratings[other])
            for measure in self.measures
            for one, other in self.synonyms
        ]
        return sum(differences) / len(differences) if differences else None

    @property
    def is_all_equal(self) -> bool:
        """Whether each of at least two measures holds one value throughout."""
        flat = [len(set(measure.ratings.values())) == 1 for measure in self.measures]
        return len(flat) >= 2 and all(flat)


def find_flags(answers: Answers, thresholds: Thresholds) -> tuple[Flag, ...]:
    """The signs that these answers show, at most one of each class, in the order of `Sign`."""
    found = (
        _fast_ratings(answers.seconds_per_item, thresholds.item_seconds),
        _fast_reading(answers.words_per_minute, thresholds.words_per_minute),
        _instructed_item(answers.checks),
        _synonyms_apart(answers.synonym_difference, thresholds.synonym_difference),
        Flag(Sign.ALL_EQUAL, "every measure has the same answer to all of its items")
        if answers.is_all_equal
        else None,
    )
    return tuple(flag for flag in found if flag is not None)


def _fast_ratings(seconds: float | None, threshold: float) -> Flag | None:
    if seconds is None or seconds >= threshold:
        return None
    is_hard = seconds < threshold / 2
    sign = Sign.VERY_FAST_RATINGS if is_hard else Sign.FAST_RATINGS
    limit = threshold / 2 if is_hard else threshold
    return Flag(sign, f"{seconds:.2f} seconds an item in the fastest measure, below {limit:g}")


def _fast_reading(speed: float | None, threshold: float) -> Flag | None:
    if speed is None or speed <= threshold:
        return None
    words = "no time at all" if math.isinf(speed) else f"{speed:.0f} words a minute"
    return Flag(Sign.FAST_READING, f"read a situation in {words}, above {threshold:g} a minute")


def _instructed_item(checks: Checks) -> Flag | None:
    if not checks.failed:
        return None
    reason = f"{checks.failed} of {checks.asked} instructed items answered otherwise"
    return Flag(Sign.INSTRUCTED_ITEM, reason)


def _synonyms_apart(difference: float | None, threshold: float) -> Flag | None:
    if difference is None or difference <= threshold:
        return None
    reason = f"near-synonyms {difference:.2f} points apart on average, above {threshold:g}"
    return Flag(Sign.SYNONYMS_APART, reason)


def outcome_of(checks: Checks, *, planned_minutes: int) -> Outcome:
    """How a participation with its last answer saved ends.

    Prolific lets one failed check count against somebody only in a study shorter than five
    minutes, and two in any. One of several is never enough here: single checks agree poorly with
    other signs of carelessness.
    """
    is_short_with_one = planned_minutes < MINUTES_FOR_TWO_CHECKS and checks.asked == 1
    needed = 1 if is_short_with_one else 2
    return Outcome.FAILED_ATTENTION if checks.failed >= needed else Outcome.COMPLETED


def exclusion_reason(flags: Sequence[Flag], *, limit: int | None) -> str:
    """Why the rule "exclude from so many flags" leaves somebody out, or ""; None has no rule."""
    if limit is None or len(flags) < limit:
        return ""
    return f"{len(flags)} flags: {', '.join(flag.sign.label for flag in flags)}"


def longest_string(ratings: Sequence[int]) -> int:
    """The longest run of one value among ratings in the order shown; reported, never a flag."""
    return max((len(list(run)) for _, run in groupby(ratings)), default=0)


def within_person_sd(ratings: Sequence[int]) -> float | None:
    """Intra-individual response variability: the sample SD over items; None below two of them.

    Dunn et al. (2018), Journal of Business and Psychology 33, 105-121. Reported, never a flag.
    """
    if len(ratings) < 2:
        return None
    mean = sum(ratings) / len(ratings)
    return math.sqrt(sum((rating - mean) ** 2 for rating in ratings) / (len(ratings) - 1))


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]
