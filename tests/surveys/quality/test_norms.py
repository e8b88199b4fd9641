from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.norms import Norm, ScoredPerson, norm_of, norms_of
from surveys.models import Administration, Participation
from surveys.services.norms import norms
from tests.factories import ParticipationFactory, StudyFactory

NOBODY = Norm(0, None, None)


def person(default: float, *evoked: float) -> ScoredPerson:
    return ScoredPerson({"pa": default}, [{"pa": score} for score in evoked])


def test_norms_worked_by_hand() -> None:
    result = norms_of([person(30, 20), person(34, 30), person(32, 31)], "pa")

    assert result.default == Norm(3, 32.0, 2.0)
    assert result.evoked.mean == 27.0
    assert result.evoked.sd == pytest.approx(6.0827625)
    assert result.change.mean == -5.0
    assert result.change.sd == pytest.approx(4.5825757)


def test_nobody_weighs_more_for_having_imagined_more() -> None:
    result = norms_of([person(30, 10, 20, 30), person(30, 40)], "pa")

    assert (result.evoked.n, result.evoked.mean) == (2, 30.0)
    assert (result.change.n, result.change.mean) == (2, 0.0)


def test_norms_of_nobody_and_of_one() -> None:
    assert norms_of([], "pa").change == NOBODY
    assert norms_of([person(30)], "pa").default == Norm(1, 30.0, None)
    assert norms_of([person(30)], "pa").evoked == NOBODY


@given(st.lists(st.integers(10, 50), min_size=1), st.integers(-5, 5))
def test_a_shift_moves_the_mean_and_not_the_spread(scores: list[int], shift: int) -> None:
    before, after = norm_of(scores), norm_of([score + shift for score in scores])

    assert after.mean == pytest.approx(before.mean + shift)
    assert after.sd == (None if before.sd is None else pytest.approx(before.sd, abs=1e-9))


@pytest.mark.django_db
def test_norms_stand_side_by_side_and_tests_and_withdrawn_are_in_neither() -> None:
    study = StudyFactory()
    for change, fields in (
        (-10, {}),
        (-6, {}),
        (0, {"excluded_because": "Quality rule: 2 flags: x, y"}),
        (40, {"is_test": True}),
        (40, {"state": "withdrawn"}),
        (40, {"state": "active"}),
    ):
        measured(study, change, **{"state": "completed"} | fields)

    positive = norms(study=study)["positive_affect"]

    assert positive.name == "Positive Affect"
    assert (positive.counted.change.n, positive.counted.change.mean) == (2, -8.0)
    assert (positive.with_excluded.change.n, positive.with_excluded.change.mean) == (
        3,
        pytest.approx(-16 / 3),
    )
    assert Participation.objects.counted_before_exclusion().count() == 3


def measured(study, change: int, **fields) -> None:
    participation = ParticipationFactory(study=study, **fields)
    situation = participation.assignments.get().situation_version
    for position, score in enumerate([30, 30 + change]):
        Administration.objects.create(
            participation=participation, position=position, instrument=study.instrument,
            phase="evoked" if position else "default",
            situation_version=situation if position else None,
            item_order=list(range(20)), ratings=[3] * 20,
            scores={"positive_affect": score, "negative_affect": 20},
        )  # fmt: skip
