"""Which trials a run consists of: enumerated from one seed, the same wherever it is done.

The item order and the sampling seed of a trial hang on the run's seed, the phase, the words of
its situation and its repeat alone, so that adding situations or repeats to a plan leaves every
other trial as it was.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from surveys.domain.instrument import Instrument
from surveys.domain.protocol import (
    ImaginedSituation,
    ItemOrder,
    Measure,
    Phase,
    Protocol,
    draw_item_order,
)

LARGEST_SEED = 2**31 - 1
"""Endpoints take at least 31 bits of seed; more is refused by some."""


class PlanError(ValueError):
    """A plan that holds no trial or contradicts itself."""


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """One measure to put to a model.

    `situation` is None in the default phase; `item_order` lists positions in the instrument's
    own order as they are shown; `seed` is 0..2^31-1.
    """

    number: int
    phase: Phase
    situation: ImaginedSituation | None
    repeat: int
    item_order: tuple[int, ...]
    seed: int


def enumerate_trials(
    instrument: Instrument,
    *,
    situations: Sequence[ImaginedSituation],
    seed: int,
    default_repeats: int = 50,
    repeats: int = 10,
    item_order: ItemOrder = ItemOrder.PERMUTED,
) -> Iterator[PlannedTrial]:
    """Every trial of a run: the default measures, then each situation's, numbered from 0.

    Raises PlanError where repeats are negative, a situation stands twice, or nothing is left.
    """
    if default_repeats < 0 or repeats < 0:
        raise PlanError("repeats cannot be negative")
    if len({situation.key for situation in situations}) != len(situations):
        raise PlanError("a situation stands twice in the plan")
    if default_repeats + repeats * len(situations) == 0:
        raise PlanError("the plan holds no trial: choose situations or repeats")
    return _enumerate(instrument, situations, seed, (default_repeats, repeats), item_order)


def _enumerate(
    instrument: Instrument,
    situations: Sequence[ImaginedSituation],
    seed: int,
    repeats: tuple[int, int],
    item_order: ItemOrder,
) -> Iterator[PlannedTrial]:
    default_repeats, evoked_repeats = repeats
    number = 0
    blocks: list[tuple[Phase, ImaginedSituation | None, int]] = [
        (Phase.DEFAULT, None, default_repeats)
    ]
    blocks += [(Phase.EVOKED, situation, evoked_repeats) for situation in situations]
    position = {key: index for index, key in enumerate(instrument.item_keys)}
    for phase, situation, times in blocks:
        for repeat in range(times):
            rng = _trial_rng(seed, phase, situation, repeat)
            trial_seed = rng.randint(0, LARGEST_SEED)
            order = draw_item_order(instrument, item_order, rng)
            positions = tuple(position[key] for key in order)
            yield PlannedTrial(number, phase, situation, repeat, positions, trial_seed)
            number += 1


def _trial_rng(
    seed: int, phase: Phase, situation: ImaginedSituation | None, repeat: int
) -> random.Random:
    # The words, not the storage key: the same seed gives the same orders on every installation.
    words = situation.text if situation else ""
    name = f"{seed}\n{phase.value}\n{repeat}\n{words}".encode("utf-8", "surrogatepass")
    return random.Random(int.from_bytes(hashlib.sha256(name).digest()))


def trial_protocol(
    instrument: Instrument, item_order: Sequence[int], situation: ImaginedSituation | None
) -> Protocol:
    """What one trial goes through: a protocol of one measure, in a fresh conversation.

    Raises ProtocolError where the instrument lacks words or the order is no permutation.
    """
    keys = instrument.item_keys
    return Protocol(
        instrument=instrument,
        item_order=tuple(keys[position] for position in item_order),
        situations=(situation,) if situation else (),
        has_default=situation is None,
    )


def only_measure(protocol: Protocol) -> Measure:
    """The one measure of a trial's protocol."""
    (measure,) = protocol.measures
    return measure
