"""Small files in the release's layout, with invented words."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import openpyxl

from surveys.domain.instrument import Instrument
from surveys.domain.instrument_files import instrument_from_dict
from tests.factories import definition

PROMPT = "You can only reply from 1 to 5. SCENARIO Please rate {each} word:"


def panas() -> Instrument:
    return instrument_from_dict(definition())


def write_csv(path: Path, rows: Sequence[Sequence[object]], encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding=encoding) as file:
        csv.writer(file).writerows(rows)
    return path


def write_xlsx(path: Path, rows: Sequence[Sequence[object]], sheet: str = "Raw") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    workbook = openpyxl.Workbook()
    workbook.active.title = sheet
    for row in rows:
        workbook.active.append(list(row))
    workbook.save(path)
    return path


def situation_rows() -> list[list[str]]:
    """Two factors of Anger and one of Jealousy, with two situations each."""
    return [
        ["Anger-0", "Anger-1", "Jealousy-0"],
        ["Loud neighbours", "Late trains", "Shared toys"],
        ["The drum next door starts at night.", "The train leaves early.", "He has your kite."],
        ["They paint your door green.", "The seat you booked is gone.", "She got the window."],
    ]


def situation_tree(rows: list[list[str]] | None = None) -> dict[str, Any]:
    emotions: dict[str, list[dict[str, Any]]] = {}
    for code, name, *texts in zip(*(rows or situation_rows()), strict=True):
        factor = {"name": name, "scenarios": texts}
        emotions.setdefault(code.partition("-")[0], []).append(factor)
    return {"emotions": [{"name": name, "factors": f} for name, f in emotions.items()]}


def situation_lines() -> str:
    lines = []
    for code, name, *texts in zip(*situation_rows(), strict=True):
        emotion = code.partition("-")[0]
        for number, text in enumerate(texts):
            line = {
                "situation_id": f"{code.lower()}/scenario-{number}",
                "emotion": emotion,
                "factor": name,
                "text": text,
            }
            lines.append(json.dumps(line))
    return "\n".join(lines) + "\n"


def situations_csv(folder: Path) -> Path:
    return write_csv(folder / "situations" / "situations.csv", situation_rows())


def quoted(text: str) -> str:
    return f'Imagine you are the protagonist in the scenario: "{text}"'


def place_words(header: str) -> str:
    """The catalogue's words for an evoked column's header."""
    rows = situation_rows()
    code, _, rest = header.partition("_scenario-")
    return rows[2 + int(rest.partition("_")[0])][rows[0].index(code)]


def trial_rows(
    headers: Sequence[str],
    *,
    instrument: Instrument | None = None,
    orders: dict[int, list[int]] | None = None,
    rate: Callable[[str, int], object] = lambda header, item: 1 + item % 5,
) -> list[list[object]]:
    """A model's file: `rate` gives the rating of an item, which counts from 1."""
    spec = instrument or panas()
    count = len(spec.items)
    orders = orders or {0: list(range(1, count + 1))}
    columns: list[list[object]] = []
    for number, order in orders.items():
        texts = [f"{n}. {spec.items[item - 1].text}" for n, item in enumerate(order, 1)]
        columns.append([f"question-{number}", f"Prompt: {PROMPT}", *texts])
        columns.append([f"order-{number}", PROMPT, *order])
    for header in headers:
        order = orders.get(int(header.rpartition("-")[2]), orders[min(orders)])
        shown = " " if header.startswith("General") else quoted(place_words(header))
        columns.append([header, shown, *(rate(header, item) for item in order)])
    return [list(row) for row in zip(*columns, strict=True)]


def trial_headers(tests: int = 2, places: Sequence[str] = ("Anger-0_scenario-0",)) -> list[str]:
    names = ["General", *places]
    return [f"{name}_test-{test}_order-0" for name in names for test in range(tests)]


def crowd_rows(
    codes: Sequence[str] = ("Angry_F1S1", "Jealous_F1S2"),
    rate: Callable[[int, int, str], object] = lambda person, item, phase: 1 + item % 5,
) -> list[list[object]]:
    """The people's sheet; `rate` gives person from 0, item from 1 and the phase."""
    items = [item.text for item in panas().items]
    people = range(len(codes))
    rows: list[list[object]] = [
        [None, "Info", *codes],
        [0, "Gender:", *("Female" for _ in people)],
        [1, "Year of Birth: - Year - Please Select:", *(1980 + p for p in people)],
        [2, "Which country are you from?", *("Chile" for _ in people)],
        [3, "Employment Status:", *("Student" for _ in people)],
        [4, "Education attainment", *("Primary school" for _ in people)],
    ]
    for phase in ("default", "evoked"):
        rows += [
            [None, f"Please say how you feel: - {text}", *(rate(p, n, phase) for p in people)]
            for n, text in enumerate(items, 1)
        ]
    return rows


def questionnaire(**changes: Any) -> dict[str, Any]:
    """PANAS as the release writes a questionnaire."""
    spec = panas()
    numbers = {key: n for n, key in enumerate(spec.item_keys, 1)}
    return {
        "name": "PANAS",
        "questions": {str(n): item.text for n, item in enumerate(spec.items, 1)},
        "compute_mode": "SUM",
        "prompt": PROMPT,
        "inner_setting": "You only say {numbers}.",
        "scale": 6,
        "reverse": [],
        "categories": [
            {"cat_name": s.name, "cat_questions": [numbers[k] for k in s.items]}
            for s in spec.subscales
        ],
    } | changes


def mjs_questionnaire(**changes: Any) -> dict[str, Any]:
    """An instrument whose sentences are not shipped, with invented ones."""
    return questionnaire(
        name="MJS",
        questions={str(n): f"Invented statement {n}." for n in range(1, 25)},
        scale=8,
        categories=[
            {"cat_name": f"Part {n}", "cat_questions": list(range(8 * n + 1, 8 * n + 9))}
            for n in range(3)
        ],
        **changes,
    )
