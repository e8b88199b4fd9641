from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.domain.cells import OVERALL, Cell, Level, Place, PlaceOrder
from benchmark.domain.grouping import Rows, group, moments_of

SITUATIONS = [
    Place(emotion, factor, f"{factor}_scenario-{n}")
    for emotion, factor in (("Anger", "Anger-0"), ("Anger", "Anger-1"), ("Fear", "Fear-0"))
    for n in range(2)
]
answers = st.lists(
    st.tuples(st.integers(0, len(SITUATIONS) - 1), st.integers(10, 50), st.integers(10, 50)),
    min_size=1,
    max_size=60,
)
Answers = list[tuple[int, int, int]]


def model_cells(rows: Answers) -> dict[tuple[Place, str], Cell]:
    return group(
        Rows(SITUATIONS, [row[0] for row in rows], [row[1:] for row in rows]),
        ("positive", "negative"),
        level=Level.SITUATION,
    )


@given(answers)
def test_every_place_pools_the_answers_under_it(rows: Answers) -> None:
    cells = model_cells(rows)
    for (place, subscale), cell in cells.items():
        column = 1 if subscale == "positive" else 2
        scores = [
            row[column]
            for row in rows
            if SITUATIONS[row[0]][: place.level.depth] == tuple(place[: place.level.depth])
        ]
        assert cell.evoked.n == len(scores)
        assert cell.evoked.mean == pytest.approx(statistics.fmean(scores))
        spread = statistics.stdev(scores) if len(scores) > 1 else None
        assert cell.evoked.sd == (None if spread is None else pytest.approx(spread, abs=1e-9))
    overall = cells[OVERALL, "positive"]
    assert overall.evoked.n == len(rows)
    assert overall.clusters == len({row[0] for row in rows})


@given(answers)
def test_a_place_without_answers_has_no_cell(rows: Answers) -> None:
    asked = {SITUATIONS[row[0]] for row in rows}
    cells = {place for place, _ in model_cells(rows) if place.level is Level.SITUATION}
    assert cells == asked


def test_a_persons_change_is_taken_within_that_person() -> None:
    rows = Rows(
        SITUATIONS,
        situation_of=[0, 1, 4],
        evoked=[[20], [30], [12]],
        default=[[30], [31], [15]],
        respondents=[0, 1, 2],
    )
    cells = group(rows, ("positive",), level=Level.EMOTION)
    anger = cells[Place("Anger"), "positive"]
    assert anger.change is not None
    assert (anger.change.n, anger.change.mean) == (2, -5.5)
    assert anger.change.sd == pytest.approx(statistics.stdev([-10, -1]))


def test_who_imagined_two_situations_of_a_place_counts_once_there() -> None:
    rows = Rows(
        SITUATIONS,
        situation_of=[0, 1, 0],
        evoked=[[20], [30], [40]],
        default=[[30], [30], [30]],
        respondents=[0, 0, 1],
    )
    cells = group(rows, ("positive",), level=Level.SITUATION)
    anger = cells[Place("Anger"), "positive"]
    assert (anger.evoked.n, anger.evoked.mean) == (2, 32.5)
    assert anger.variance_of_mean is None
    assert cells[SITUATIONS[0], "positive"].evoked.n == 2


def test_no_scores_have_no_mean_and_one_has_no_spread() -> None:
    assert (moments_of([]).n, moments_of([]).mean, moments_of([]).sd) == (0, None, None)
    assert (moments_of([4.0]).mean, moments_of([4.0]).sd) == (4.0, None)


def test_places_stand_in_catalogue_order_and_ten_follows_nine() -> None:
    places = {
        Place(),
        Place("Fear"),
        Place("Anger"),
        Place("Anger", "Anger-0"),
        Place("Anger", "Anger-0", "Anger-0_scenario-10"),
        Place("Anger", "Anger-0", "Anger-0_scenario-9"),
    }
    order = PlaceOrder(["Fear", "Anger"], [("Anger", "Anger-0")]).sort(places)
    assert [place.label for place in order] == [
        "Overall", "Fear", "Anger", "Anger-0", "Anger-0_scenario-9", "Anger-0_scenario-10",
    ]  # fmt: skip
