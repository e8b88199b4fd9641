"""The published release as rows, read from its own files; an oracle apart from the importer."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

from benchmark.domain.cells import Cell, Level, Place
from benchmark.domain.grouping import Rows, group, moments_of
from benchmark.domain.statistics import Moments

SUBSCALES = ("positive_affect", "negative_affect")
POSITIVE = (1, 3, 5, 9, 10, 12, 14, 16, 17, 19)
EMOTIONS = {"Angry": "Anger", "Jealous": "Jealousy"}

Cells = dict[tuple[Place, str], Cell]
Defaults = dict[str, Moments]


def _panas(ratings: dict[int, int]) -> list[float]:
    positive = sum(ratings[item] for item in POSITIVE)
    return [positive, sum(ratings.values()) - positive]


def _situation(emotion: str, factor: str, position: str) -> Place:
    return Place(emotion, f"{emotion}-{factor}", f"{emotion}-{factor}_scenario-{position}")


@cache
def people(release: Path) -> tuple[Defaults, Cells]:
    """The people of `crowd.xlsx`: default moments, and cells down to situations."""
    import openpyxl

    book = openpyxl.load_workbook(
        release / "results" / "PANAS Test" / "crowd.xlsx", read_only=True, data_only=True
    )
    table = [list(row) for row in book["Raw"].iter_rows(max_row=46, values_only=True)]
    book.close()
    places: dict[Place, int] = {}
    situation_of, default, evoked = [], [], []
    for column in zip(*table, strict=True):
        code = re.fullmatch(r"(\w+)_F(\d+)S(\d+)", str(column[0]))
        if code is None:
            continue
        emotion = EMOTIONS.get(code[1], code[1])
        place = _situation(emotion, str(int(code[2]) - 1), str(int(code[3]) - 1))
        situation_of.append(places.setdefault(place, len(places)))
        default.append(_panas({i + 1: int(column[6 + i]) for i in range(20)}))
        evoked.append(_panas({i + 1: int(column[26 + i]) for i in range(20)}))
    rows = Rows(list(places), situation_of, evoked, default, list(range(len(evoked))))
    return _defaults(default), group(rows, SUBSCALES, level=Level.SITUATION)


@cache
def model(release: Path, name: str) -> tuple[Defaults, Cells]:
    """A model's PANAS file: pooled default moments, and cells down to situations."""
    path = release / "results" / "PANAS Test" / f"{name}-PANAS-testing.csv"
    with path.open(encoding="utf-8", newline="") as file:
        table = list(csv.reader(file))
    places: dict[Place, int] = {}
    situation_of, default, evoked = [], [], []
    order: list[int] = []
    for column in zip(*table, strict=True):
        if column[0].startswith("order-"):
            order = [int(cell) for cell in column[-20:]]
        elif "_test-" in column[0] or column[0].startswith("General"):
            ratings = dict(zip(order, (int(cell) for cell in column[-20:]), strict=True))
            place = re.match(r"(\w+)-(\d+)_scenario-(\d+)_test", column[0])
            if place is None:
                default.append(_panas(ratings))
                continue
            key = _situation(place[1], place[2], place[3])
            situation_of.append(places.setdefault(key, len(places)))
            evoked.append(_panas(ratings))
    return _defaults(default), group(
        Rows(list(places), situation_of, evoked), SUBSCALES, level=Level.SITUATION
    )


def _defaults(scores: list[list[float]]) -> Defaults:
    return {key: moments_of([row[i] for row in scores]) for i, key in enumerate(SUBSCALES)}
