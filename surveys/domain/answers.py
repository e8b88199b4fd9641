"""What a page sent back, judged: ratings of some items, and the answer to an instructed one.

Nothing is guessed: a value is one of the item's response options, written as digits, or it is
named as missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from surveys.domain.attention import CHECK_KEY, InstructedItem
from surveys.domain.instrument import Instrument, Item, ResponseOption


@dataclass(frozen=True, slots=True)
class RatingAnswers:
    """`given` maps item keys to ratings; `missing` are the keys without a usable one.

    `check` is the answer to the instructed item of the page: it is never among the given, but
    CHECK_KEY is missing where it has none.
    """

    given: Mapping[str, int]
    missing: tuple[str, ...]
    check: int | None = None


def read_ratings(
    instrument: Instrument,
    items: Sequence[Item],
    sent: Mapping[str, str],
    check: InstructedItem | None = None,
) -> RatingAnswers:
    """Read the ratings of these items from what was sent, keyed by item; extra keys are ignored."""
    given: dict[str, int] = {}
    for item in items:
        rating = _read(instrument.options_of(item), sent.get(item.key, ""))
        if rating is not None:
            given[item.key] = rating
    missing = [item.key for item in items if item.key not in given]
    answer = _read(instrument.options, sent.get(CHECK_KEY, "")) if check else None
    if check and answer is None:
        missing.append(CHECK_KEY)
    return RatingAnswers(given, tuple(missing), answer)


def _read(options: Sequence[ResponseOption], text: str) -> int | None:
    return {str(option.value): option.value for option in options}.get(text)
