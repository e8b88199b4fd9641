from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from surveys.domain.instrument import InstrumentError
from surveys.domain.instrument_files import (
    instrument_from_dict,
    read_instrument_file,
    read_instrument_files,
)
from tests.surveys.domain.instruments import instrument

INSTRUMENTS = Path("surveys/data/instruments")

# Watson, Clark and Tellegen (1988). Copies with wrong words circulate, so they are locked here.
PANAS = [
    *("Interested", "Distressed", "Excited", "Upset", "Strong"),
    *("Guilty", "Scared", "Hostile", "Enthusiastic", "Proud"),
    *("Irritable", "Alert", "Ashamed", "Inspired", "Nervous"),
    *("Determined", "Attentive", "Jittery", "Active", "Afraid"),
]


def panas_data() -> dict[str, Any]:
    return json.loads((INSTRUMENTS / "panas.json").read_text("utf-8"))


def test_panas_has_its_twenty_words_in_order() -> None:
    panas = read_instrument_file(INSTRUMENTS / "panas.json")

    assert [item.text for item in panas.items] == PANAS
    assert {s.key: s.items for s in panas.subscales} == {
        "positive_affect": tuple(
            PANAS[i - 1].lower() for i in (1, 3, 5, 9, 10, 12, 14, 16, 17, 19)
        ),
        "negative_affect": tuple(PANAS[i - 1].lower() for i in (2, 4, 6, 7, 8, 11, 13, 15, 18, 20)),
    }


def test_nine_instruments_are_shipped_and_only_panas_with_its_words() -> None:
    instruments = read_instrument_files(INSTRUMENTS)

    assert {i.key: len(i.items) for i in instruments} == {
        "PANAS": 20, "AGQ": 29, "BDI-II": 21, "BFNE": 12, "DASS-21": 21, "FDS": 28,
        "FSS-III": 52, "GASP": 16, "MJS": 24,
    }  # fmt: skip
    assert [i.key for i in instruments if i.is_complete] == ["PANAS"]


def test_each_scale_belongs_to_another_emotion() -> None:
    scales = [i for i in read_instrument_files(INSTRUMENTS) if i.key != "PANAS"]

    assert {i.emotion for i in scales} == {
        "Anger", "Anxiety", "Depression", "Frustration", "Jealousy", "Guilt", "Fear",
        "Embarrassment",
    }  # fmt: skip


@pytest.mark.needs_shared_data
def test_structure_agrees_with_the_published_questionnaires(shared_data: Path) -> None:
    published = json.loads((shared_data / "emotionbench" / "questionnaires.json").read_text())
    for ours in read_instrument_files(INSTRUMENTS):
        names = {ours.key, *ours.aliases}
        theirs = next(q for q in published if q["name"] in names)
        assert len(ours.items) == len(theirs["questions"])
        number = {key: n for n, key in enumerate(ours.item_keys, 1)}
        assert sorted(number[key] for key in ours.reverse) == sorted(theirs["reverse"])
        subscales = [[number[key] for key in s.items] for s in ours.subscales]
        assert subscales == [c["cat_questions"] for c in theirs["categories"]]
        assert theirs["compute_mode"] == {"sum": "SUM", "doubled_sum": "SUM*2"}[ours.scoring]
        assert theirs["scale"] == ours.lowest + ours.highest


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"items": []}, "no items"),
        ({"scoring": "median"}, "scoring 'median' is not one of"),
        ({"reverse": ["happy"]}, "reverses unknown items"),
        ({"options": [{"value": 1, "label": "a"}]}, "at least two"),
        (
            {"options": [{"value": 1, "label": "a"}, {"value": 3, "label": "b"}]},
            r"options \[1, 3\]",
        ),
        ({"options": [{"value": "1", "label": "a"}, {"value": 2, "label": "b"}]}, "integer"),
        ({"subscales": []}, "no subscales"),
        ({"subscales": [{"key": "x", "name": "X", "items": ["sad"]}]}, "unknown items"),
        ({"subscales": [{"key": "x", "name": "X"}]}, "each subscale needs"),
        ({"items": [{"key": "a", "text": "A"}, {"key": "a", "text": "B"}]}, "an item twice"),
        ({"instruction": " "}, "instruction must be a text"),
        ({"colour": "blue"}, "unknown"),
    ],
)
def test_a_contradictory_file_is_refused_with_the_reason(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(panas_data() | change))

    with pytest.raises(InstrumentError, match=message) as caught:
        read_instrument_file(path)
    assert "broken.json" in str(caught.value)


@pytest.mark.parametrize("field", ["key", "items", "options", "source", "prompt"])
def test_a_missing_field_is_named(field: str) -> None:
    data = panas_data()
    del data[field]

    with pytest.raises(InstrumentError, match=field):
        instrument_from_dict(data)


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "torn.json"
    path.write_text('{"key": ')

    with pytest.raises(InstrumentError, match=r"torn\.json: cannot be read"):
        read_instrument_file(path)


def test_brought_texts_complete_an_instrument() -> None:
    spec = instrument(n_items=2, with_texts=False)

    assert not spec.is_complete
    assert spec.with_texts({"1": "one", "2": "two"}).is_complete
    with pytest.raises(InstrumentError, match=r"missing \['2'\]"):
        spec.with_texts({"1": "one"})
