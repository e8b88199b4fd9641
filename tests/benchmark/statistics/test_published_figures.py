"""The statistics against the values recomputed from the release by other means."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark.domain.cells import Place
from benchmark.domain.statistics import (
    clustered_independent,
    clustered_within,
    independent_change,
    paired_change,
)
from tests.benchmark import release

pytestmark = pytest.mark.needs_shared_data

MODELS = ("gpt-4", "gpt-3.5-turbo", "llama2-13b")


@pytest.fixture(scope="module")
def reference(shared_data: Path) -> dict[str, Any]:
    return json.loads((shared_data / "reference" / "statistics.json").read_text("utf-8"))


def place(name: str) -> Place:
    return Place() if name == "overall" else Place(name)


@pytest.mark.parametrize("subscale", release.SUBSCALES)
def test_people_agree_by_both_methods(
    shared_data: Path, reference: dict[str, Any], subscale: str
) -> None:
    _, cells = release.people(shared_data / "emotionbench")
    expected = reference["people"][subscale]
    assert len(expected) == 9
    for name, values in expected.items():
        cell = cells[place(name), subscale]
        assert (cell.evoked.n, cell.clusters) == (values["n"], values["situations"])
        assert cell.evoked.mean == pytest.approx(values["evoked_mean"], abs=1e-4)
        assert cell.evoked.sd == pytest.approx(values["evoked_sd"], abs=1e-4)
        paired = paired_change(cell.change, alpha=0.01)
        clustered = clustered_within(cell.clustered, alpha=0.01)
        for result, key in ((paired, "paired"), (clustered, "clustered")):
            assert result.change == pytest.approx(values["change"], abs=1e-4)
            assert result.se == pytest.approx(values[key]["se"], abs=1e-4)
            assert result.t == pytest.approx(values[key]["t"], abs=1e-4)
            assert result.df == values[key]["df"]
            assert result.p == pytest.approx(values[key]["p"], rel=1e-3)
            assert result.ci == pytest.approx(values[key]["ci95"], abs=1e-4)


@pytest.mark.parametrize("subscale", release.SUBSCALES)
@pytest.mark.parametrize("name", MODELS)
def test_models_agree_by_both_methods(
    shared_data: Path, reference: dict[str, Any], name: str, subscale: str
) -> None:
    default, cells = release.model(shared_data / "emotionbench", name)
    expected = reference["models"][name]["within"][subscale]
    assert len(expected) == 9
    for emotion, values in expected.items():
        cell = cells[place(emotion), subscale]
        assert (cell.evoked.n, cell.clusters) == (values["n"], values["situations"])
        paper = independent_change(cell.evoked, default[subscale], alpha=0.01)
        assert paper.test == values["paper"]["test"]
        assert paper.direction == values["paper"]["direction"]
        assert paper.t == pytest.approx(values["paper"]["t"], abs=1e-4)
        assert paper.df == pytest.approx(values["paper"]["df"], abs=1e-4)
        assert paper.p == pytest.approx(values["paper"]["p"], rel=1e-3)
        clustered = clustered_independent(cell.clustered, default[subscale], alpha=0.01)
        assert clustered.change == pytest.approx(values["change"], abs=1e-4)
        assert clustered.se == pytest.approx(values["clustered"]["se"], abs=1e-4)
        assert clustered.df == values["clustered"]["df"]
        assert clustered.p == pytest.approx(values["clustered"]["p"], rel=1e-3)
        assert clustered.ci == pytest.approx(values["clustered"]["ci95"], abs=1e-4)
