"""Respondents that need no model: what chance, indifference and real people would answer.

Each writes raw reply text, as a model would, which is then parsed, scored and stored like any
other reply: a baseline is a column of the comparison and a check of the pipeline at once.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from enum import StrEnum

from surveys.domain.instrument import Instrument
from surveys.domain.protocol import Measure


class BaselineError(ValueError):
    """A baseline that cannot answer; the message says what it lacks."""


class Baseline(StrEnum):
    """The strategies, by the identifier of their row; `label` is what tables show."""

    UNIFORM_RANDOM = "uniform_random"
    MIDPOINT = "midpoint"
    PEOPLE_RESAMPLED = "people_resampled"

    @property
    def label(self) -> str:
        return self.value.replace("_", " ")


def baseline_reply(
    baseline: Baseline,
    instrument: Instrument,
    measure: Measure,
    *,
    seed: int,
    people: Sequence[Sequence[int]] = (),
) -> str:
    """The reply of a baseline to one measure: `number. item: rating` lines, as presented.

    Uniform random draws every rating independently over the whole scale. Midpoint gives the
    middle of the scale, and where that lies between two ratings, either with equal chance.
    People resampled gives the ratings of one person drawn from `people` (each in the instrument's
    own item order), all of one cell. Raises BaselineError where nobody answered that cell.
    """
    rng = random.Random(seed)
    match baseline:
        case Baseline.UNIFORM_RANDOM:
            low, high = instrument.lowest, instrument.highest
            ratings = [rng.randint(low, high) for _ in measure.items]
        case Baseline.MIDPOINT:
            total = instrument.lowest + instrument.highest
            middles = (total // 2, total - total // 2)
            ratings = [rng.choice(middles) for _ in measure.items]
        case Baseline.PEOPLE_RESAMPLED:
            if not people:
                raise BaselineError("nobody has answered this cell")
            person = dict(zip(instrument.item_keys, rng.choice(people), strict=True))
            ratings = [person[item.key] for item in measure.items]
    lines = zip(measure.items, ratings, strict=True)
    return "\n".join(f"{n}. {item.text}: {rating}" for n, (item, rating) in enumerate(lines, 1))
