"""What a page sent back, judged: ratings of some items.

Nothing is guessed: a value is one of the item's response options, written as digits, or it is
named as missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from surveys.domain.instrument import Instrument, Item


@dataclass(frozen=True, slots=True)
class RatingAnswers:
    """`given` maps item keys to ratings; `missing` are the keys without a usable one."""

    given: Mapping[str, int]
    missing: tuple[str, ...]


def read_ratings(
    instrument: Instrument, items: Sequence[Item], sent: Mapping[str, str]
) -> RatingAnswers:
    """Read the ratings of these items from what was sent, keyed by item; extra keys are ignored."""
    given: dict[str, int] = {}
    for item in items:
        by_text = {str(option.value): option.value for option in instrument.options_of(item)}
        rating = by_text.get(sent.get(item.key, ""))
        if rating is not None:
            given[item.key] = rating
    return RatingAnswers(given, tuple(item.key for item in items if item.key not in given))
