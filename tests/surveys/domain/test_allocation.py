from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.allocation import NoPlaceLeft, allocate


@given(st.integers(1, 12), st.integers(1, 60), st.integers())
def test_places_fill_evenly(n_places: int, n_people: int, seed: int) -> None:
    rng = random.Random(seed)
    filled = Counter(dict.fromkeys(range(n_places), 0))
    for _ in range(n_people):
        filled.update(allocate(filled, count=1, rng=rng))

    assert max(filled.values()) - min(filled.values()) <= 1


@given(st.dictionaries(st.integers(), st.integers(0, 5), min_size=3), st.integers())
def test_one_person_never_gets_a_situation_twice(filled: dict[int, int], seed: int) -> None:
    chosen = allocate(filled, count=3, rng=random.Random(seed))

    assert len(set(chosen)) == 3
    most = max(filled[place] for place in chosen)
    assert all(filled[place] >= most for place in set(filled) - set(chosen))


def test_a_full_situation_is_given_to_nobody() -> None:
    assert allocate({"a": 2, "b": 1}, count=1, rng=random.Random(0), target=2) == ("b",)
    with pytest.raises(NoPlaceLeft):
        allocate({"a": 2, "b": 2}, count=1, rng=random.Random(0), target=2)


def test_ties_are_broken_at_random() -> None:
    rng = random.Random(1)
    first = Counter(allocate(dict.fromkeys("abcd", 0), count=1, rng=rng)[0] for _ in range(400))

    assert set(first) == set("abcd")
