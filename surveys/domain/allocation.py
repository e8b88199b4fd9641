"""Which situations a new participant imagines: the least filled, at random among equals."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping
from typing import TypeVar

Place = TypeVar("Place", bound=Hashable)


class NoPlaceLeft(ValueError):
    """There are fewer situations with room than one participant needs."""


def allocate(
    filled: Mapping[Place, int], *, count: int, rng: random.Random, target: int | None = None
) -> tuple[Place, ...]:
    """Choose `count` different situations for one participant.

    `filled` counts who has or is about to answer each situation; those at `target` are full.
    The caller holds the lock under which the counts were read, so that they stay true.
    Raises NoPlaceLeft where too few have room.
    """
    open_places = [place for place, n in filled.items() if target is None or n < target]
    if len(open_places) < count:
        raise NoPlaceLeft(f"{len(open_places)} situations have room, {count} are needed")
    rng.shuffle(open_places)
    open_places.sort(key=lambda place: filled[place])
    chosen = open_places[:count]
    rng.shuffle(chosen)
    return tuple(chosen)
