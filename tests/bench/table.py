"""Rows of measurements and how they are printed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Row(NamedTuple):
    """One measurement: what, the value as it was seen, and what we aim for ("" where nothing)."""

    what: str
    value: str
    aim: str = ""


def print_table(title: str, rows: Iterable[Row]) -> None:
    table = [Row("", "measured", "aim"), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(3)]
    print(f"\n{title}")
    for row in table:
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )
