"""The published tables that the project ships, read once in a process."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from benchmark.domain.cells import SourceCells
from benchmark.domain.published import table_from_dict

DIRECTORY = Path(__file__).resolve().parent.parent / "data" / "published"


def published_sources(instrument: str) -> list[SourceCells]:
    """Sources of every shipped table for the instrument, in the order of the files.

    Raises PublishedTableError where a file is broken.
    """
    return [cells for cells in _tables(DIRECTORY) if cells.source.instrument == instrument]


def published_by_name(name: str) -> list[SourceCells]:
    """What the tables hold under a name, one for each instrument; empty where unknown."""
    return [cells for cells in _tables(DIRECTORY) if cells.source.name == name]


@cache
def _tables(directory: Path) -> tuple[SourceCells, ...]:
    sources: list[SourceCells] = []
    for path in sorted(directory.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        sources += table_from_dict(data, where=path.name)
    return tuple(sources)
