"""The published figures, through the command, after a real import."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

pytestmark = [pytest.mark.needs_shared_data, pytest.mark.usefixtures("imported")]

PEOPLE = {
    "Anger": (-5.3, 9.9), "Anxiety": (-2.2, 8.8), "Depression": (-6.8, 10.1),
    "Frustration": (-5.3, 10.9), "Jealousy": (-4.4, 6.2), "Guilt": (-6.5, 13.3),
    "Fear": (-3.7, 12.1), "Embarrassment": (-6.2, 11.1),
}  # fmt: skip


def compare(**options: Any) -> dict[str, Any]:
    out = StringIO()
    call_command("compare", format="json", stdout=out, **options)
    return json.loads(out.getvalue())


def source(comparison: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = [s for s in comparison["sources"] if s["name"] == name]
    return found


@pytest.fixture(scope="module")
def panas(imported: None) -> Iterator[dict[str, Any]]:
    return compare()


def change(of: dict[str, Any], emotion: str | None, subscale: str) -> tuple[float, str]:
    (cell,) = [
        c
        for c in of["cells"]
        if (c["emotion"], c["factor"], c["subscale"]) == (emotion, None, subscale)
    ]
    return round(cell["change"], 1), cell["direction"]


def default(of: dict[str, Any], subscale: str, digits: int = 1) -> tuple[float, float]:
    moments = of["default"][subscale]
    return round(moments["mean"], digits), round(moments["sd"], digits)


def test_people_come_out(panas: dict[str, Any]) -> None:
    people = source(panas, "EmotionBench participants")

    assert people["kind"] == "people"
    assert default(people, "positive_affect", 2) == (28.02, 8.88)
    assert default(people, "negative_affect", 2) == (13.62, 5.50)
    assert people["default"]["positive_affect"]["n"] == 1266
    for emotion, (positive, negative) in PEOPLE.items():
        assert change(people, emotion, "positive_affect") == (positive, "down"), emotion
        assert change(people, emotion, "negative_affect") == (negative, "up"), emotion


def test_models_come_out(panas: dict[str, Any]) -> None:
    gpt4, gpt35 = source(panas, "gpt-4"), source(panas, "gpt-3.5-turbo")
    llama = source(panas, "llama2-13b")

    assert default(gpt4, "positive_affect") == (49.8, 0.8)
    assert default(gpt4, "negative_affect") == (10.0, 0.0)
    assert change(gpt4, "Anger", "positive_affect") == (-28.3, "down")
    assert change(gpt4, "Anger", "negative_affect") == (21.2, "up")
    assert change(gpt4, "Guilt", "positive_affect") == (-29.0, "down")
    assert change(gpt4, "Guilt", "negative_affect") == (27.0, "up")
    assert change(gpt35, "Anger", "positive_affect") == (-15.2, "down")
    assert change(gpt35, "Anger", "negative_affect") == (-2.5, "down")
    assert change(gpt35, "Anxiety", "negative_affect") == (-0.9, "none")
    assert default(llama, "positive_affect") == (41.0, 3.5)
    assert default(llama, "negative_affect") == (22.7, 4.2)
    assert gpt4["counts"]["valid"] == 1800


@pytest.mark.parametrize(
    ("instrument", "moments"), [("AGQ", (117.3, 9.6)), ("DASS-21", (65.0, 20.0))]
)
def test_scales_come_out(instrument: str, moments: tuple[float, float]) -> None:
    model = source(compare(instrument=instrument), "gpt-3.5-turbo")

    assert default(model, "overall") == moments
    if instrument == "AGQ":
        assert change(model, "Anger", "overall") == (6.7, "none")


def test_clustered_errors_agree_with_the_reference(shared_data: Path) -> None:
    reference = json.loads((shared_data / "reference" / "statistics.json").read_text())["people"]
    people = source(compare(method="clustered"), "EmotionBench participants")

    for cell in people["cells"]:
        expected = reference[cell["subscale"]][cell["emotion"] or "overall"]
        assert cell["change"] == pytest.approx(expected["change"], abs=1e-4)
        assert cell["p"] == pytest.approx(expected["clustered"]["p"], rel=1e-3)
        assert cell["test"] == "clustered"


def test_rows_are_in_catalogue_order(panas: dict[str, Any]) -> None:
    rows = [cell["emotion"] for cell in panas["sources"][0]["cells"]]

    assert list(dict.fromkeys(rows)) == [None, *PEOPLE]
    assert [s["kind"] for s in panas["sources"]] == ["people", "model", "model", "model"]


def test_what_is_published_is_what_is_imported(panas: dict[str, Any]) -> None:
    """The shipped table holds the same figures as the answers that it was derived from."""
    shipped = compare(sources="published:gpt-4,published:EmotionBench participants")

    for theirs in shipped["sources"]:
        ours = source(panas, theirs["name"].removeprefix("published:"))
        for here, there in zip(ours["cells"], theirs["cells"], strict=True):
            assert here["change"] == pytest.approx(there["change"])
            assert (here["n"], here["direction"]) == (there["n"], there["direction"])
