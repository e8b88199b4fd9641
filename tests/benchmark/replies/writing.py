"""Replies as language models write them, built from ratings: what the parser should read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

ITEMS = [
    "Interested",
    "Distressed",
    "Excited",
    "Upset",
    "Strong",
    "Guilty",
    "Scared",
    "Hostile",
    "Enthusiastic",
    "Proud",
    "Irritable",
    "Alert",
    "Ashamed",
    "Inspired",
    "Nervous",
    "Determined",
    "Attentive",
    "Jittery",
    "Active",
    "Afraid",
]
LABELS = {
    1: "very slightly or not at all",
    2: "a little",
    3: "moderately",
    4: "quite a bit",
    5: "extremely",
}

Writer = Callable[[Sequence[str], Sequence[int]], str]


def _rows(row: str, joint: str = "\n") -> Writer:
    def write(items: Sequence[str], ratings: Sequence[int]) -> str:
        numbered = enumerate(zip(items, ratings, strict=True), 1)
        return joint.join(
            row.format(n=n, item=item, lower=item.lower(), rating=rating, label=LABELS[rating])
            for n, (item, rating) in numbered
        )

    return write


def _table(items: Sequence[str], ratings: Sequence[int]) -> str:
    rows = [f"| {item} | {rating} |" for item, rating in zip(items, ratings, strict=True)]
    return "\n".join(["| Emotion | Rating |", "| --- | --- |", *rows])


def _json_by_name(items: Sequence[str], ratings: Sequence[int]) -> str:
    return json.dumps(dict(zip(items, ratings, strict=True)))


def _json_records(items: Sequence[str], ratings: Sequence[int]) -> str:
    pairs = zip(items, ratings, strict=True)
    return json.dumps([{"item": item, "rating": rating} for item, rating in pairs])


def _fenced(items: Sequence[str], ratings: Sequence[int]) -> str:
    return f"Here you are:\n```json\n{json.dumps({'ratings': list(ratings)}, indent=2)}\n```"


WRITERS: dict[str, Writer] = {
    "rows": _rows("{n}. {item}: {rating}"),
    "bare numbers": _rows("{rating}"),
    "list numbers": _rows("{n}. {rating}"),
    "commas": _rows("{rating}", ", "),
    "bold": _rows("{n}. **{item}**: **{rating}**"),
    "fractions": _rows("- {item}: {rating}/5"),
    "out of five": _rows("{item} = {rating} out of 5"),
    "label after": _rows("{n}) {item} - {rating} ({label})"),
    "lower case": _rows("{lower}: {rating}"),
    "decimals": _rows("{n}. {item}: {rating}.0"),
    "one line": _rows("{item}: {rating}", ", "),
    "rating first": _rows("{rating} - {item}"),
    "labels alone": _rows("{n}. {item}: {label}"),
    "table": _table,
    "JSON by name": _json_by_name,
    "JSON records": _json_records,
    "fenced JSON": _fenced,
}
