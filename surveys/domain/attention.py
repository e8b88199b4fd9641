"""Instructed items: one more question that says which answer to choose.

They follow Prolific's rules for attention checks: the whole instruction stands in the question
itself, nothing has to be remembered or known, and the answer is one of the instrument's own. The
midpoint is never asked for, because careless people often choose it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from surveys.domain.instrument import Instrument, ResponseOption

# Among the answers of a page, where items go by their keys.
CHECK_KEY = "instructed-item"
LONGEST_TEXT = 200


@dataclass(frozen=True, slots=True)
class InstructedItem:
    """Stands in one measure before the item at `place`, counted from 0 in shown order."""

    measure_position: int
    place: int
    asked_value: int
    text: str


def draw_checks(
    instrument: Instrument,
    *,
    n_measures: int,
    count: int,
    rng: random.Random,
    say: Callable[[str], str],
) -> tuple[InstructedItem, ...]:
    """Draw at most one check a measure: the first goes into the first, a second into the last.

    `say` makes the sentence from the words of the answer. The checks ask for different answers
    where the instrument has enough, and stand neither next to its first nor next to its last item
    where it has room.
    """
    positions = sorted({0, n_measures - 1})[:count]
    options = _askable(instrument.options, say)
    rng.shuffle(options)
    return tuple(
        InstructedItem(
            measure_position=position,
            place=_draw_place(len(instrument.items), rng),
            asked_value=(option := options[n % len(options)]).value,
            text=say(words_of(option)),
        )
        for n, position in enumerate(positions)
        if options
    )


def words_of(option: ResponseOption) -> str:
    """The label of an answer, or its number where only the ends have labels."""
    return option.label or str(option.value)


def _askable(options: Sequence[ResponseOption], say: Callable[[str], str]) -> list[ResponseOption]:
    """No midpoint, no words that two answers share, and an end only where nothing else is left.

    Whoever gives the same answer everywhere mostly chooses an end or the midpoint.
    """
    midpoint = options[len(options) // 2] if len(options) % 2 else None
    words = [words_of(option) for option in options]
    fit = [
        option
        for option in options
        if option is not midpoint
        and words.count(words_of(option)) == 1
        and len(say(words_of(option))) <= LONGEST_TEXT
    ]
    inner = [option for option in fit if option not in (options[0], options[-1])]
    labelled = [option for option in inner if option.label]
    return labelled or [option for option in fit if option.label] or inner or fit


def _draw_place(n_items: int, rng: random.Random) -> int:
    """Behind the second and before the last but one item; nearer where there are fewer."""
    places = range(2, n_items - 1) or range(1, n_items) or range(1)
    return rng.choice(places)
