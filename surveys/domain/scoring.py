"""From ratings to scores, exactly: integers in, integers or fractions out, nothing guessed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from surveys.domain.instrument import Instrument, Scoring, Subscale


class ScoringError(ValueError):
    """Ratings that cannot be scored; the message names the items."""


def check_ratings(instrument: Instrument, ratings: Mapping[str, int]) -> None:
    """Raise ScoringError unless every item has one integer on the instrument's scale."""
    known = dict.fromkeys(instrument.item_keys)
    missing = [key for key in known if ratings.get(key) is None]
    unknown = [key for key in ratings if key not in known]
    if missing or unknown:
        raise ScoringError(f"{instrument.key}: ratings missing {missing}, unknown {unknown}")
    for key, rating in ratings.items():
        # bool is a subclass of int, and a float 3.0 is somebody else's rounding.
        if type(rating) is not int or not instrument.lowest <= rating <= instrument.highest:
            scale = f"{instrument.lowest}..{instrument.highest}"
            raise ScoringError(f"{instrument.key}: item {key} is {rating!r}, not one of {scale}")


def keyed(instrument: Instrument, key: str, rating: int) -> int:
    """What a rating counts as: itself, or its mirror image on a reverse-keyed item."""
    if key in instrument.reverse:
        return instrument.lowest + instrument.highest - rating
    return rating


def score(instrument: Instrument, ratings: Mapping[str, int]) -> dict[str, int | Fraction]:
    """Scores by subscale key, in the instrument's order of subscales.

    Sums are integers; a mean is an exact fraction. Raises ScoringError on a missing, unknown or
    out-of-range rating: a partly answered questionnaire has no score.
    """
    check_ratings(instrument, ratings)
    return {s.key: _subscale_score(instrument, s, ratings) for s in instrument.subscales}


def _subscale_score(
    instrument: Instrument, subscale: Subscale, ratings: Mapping[str, int]
) -> int | Fraction:
    total = sum(keyed(instrument, key, ratings[key]) for key in subscale.items)
    match instrument.scoring:
        case Scoring.SUM:
            return total
        case Scoring.DOUBLED_SUM:
            return 2 * total
        case Scoring.MEAN:
            return Fraction(total, len(subscale.items))


def score_range(instrument: Instrument, subscale_key: str) -> tuple[int, int]:
    """The lowest and highest score that a subscale can take."""
    subscale = next(s for s in instrument.subscales if s.key == subscale_key)
    factor = {Scoring.SUM: len(subscale.items), Scoring.DOUBLED_SUM: 2 * len(subscale.items)}
    times = factor.get(instrument.scoring, 1)
    return instrument.lowest * times, instrument.highest * times
