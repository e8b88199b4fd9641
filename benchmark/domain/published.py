"""Published cells of statistics as a data file: figures only, no text and no individual answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmark.domain.cells import Cell, Kind, Origin, Place, Source, SourceCells
from benchmark.domain.statistics import Moments

FORMAT = 1


class PublishedTableError(ValueError):
    """A published table that cannot be read; the message says where."""


def table_to_dict(
    sources: Sequence[SourceCells], *, title: str, citation: str, release: str
) -> dict[str, Any]:
    """The file's content. Situations are left out: a handful of answers each is no norm."""
    return {
        "format": FORMAT,
        "title": title,
        "citation": citation,
        "release": release,
        "sources": [_source_to_dict(cells) for cells in sources],
    }


def _source_to_dict(cells: SourceCells) -> dict[str, Any]:
    source = cells.source
    return {
        "name": source.group or source.name,
        "kind": source.kind.value,
        "instrument": source.instrument,
        "counts": dict(source.counts),
        "missing": source.missing,
        "default": {key: _moments(moments) for key, moments in cells.default.items()},
        "cells": [
            _cell_to_dict(place, subscale, cell)
            for (place, subscale), cell in cells.cells.items()
            if place.situation is None
        ],
    }


def _cell_to_dict(place: Place, subscale: str, cell: Cell) -> dict[str, Any]:
    return {
        "emotion": place.emotion,
        "factor": place.factor,
        "subscale": subscale,
        **_moments(cell.evoked),
        "change": None if cell.change is None else _moments(cell.change),
        "clusters": cell.clusters,
        "variance_of_mean": cell.variance_of_mean,
    }


def _moments(moments: Moments) -> dict[str, Any]:
    return {"n": moments.n, "mean": moments.mean, "sd": moments.sd}


def table_from_dict(data: Mapping[str, Any], *, where: str) -> list[SourceCells]:
    """The sources of a file; PublishedTableError where it does not fit."""
    if data.get("format") != FORMAT:
        raise PublishedTableError(f"{where}: format {data.get('format')!r} is not {FORMAT}")
    try:
        return [_source_from_dict(row, data["citation"]) for row in data["sources"]]
    except (KeyError, TypeError, ValueError) as error:
        raise PublishedTableError(f"{where}: {error!r}") from error


def _source_from_dict(row: Mapping[str, Any], citation: str) -> SourceCells:
    source = Source(
        key=f"published:{row['name']}",
        name=row["name"],
        group=row["name"],
        kind=Kind(row["kind"]),
        origin=Origin.PUBLISHED,
        instrument=row["instrument"],
        counts=row["counts"],
        missing=row["missing"],
        is_partial=row["missing"] > 0,
        citation=citation,
    )
    cells = {
        (Place(cell["emotion"], cell["factor"]), cell["subscale"]): Cell(
            evoked=Moments(cell["n"], cell["mean"], cell["sd"]),
            change=None if cell["change"] is None else Moments(**cell["change"]),
            clusters=cell["clusters"],
            variance_of_mean=cell["variance_of_mean"],
        )
        for cell in row["cells"]
    }
    default = {key: Moments(**moments) for key, moments in row["default"].items()}
    return SourceCells(source, default, cells)


def renamed(cells: SourceCells, name: str) -> SourceCells:
    """The same cells under another column name."""
    return replace(cells, source=replace(cells.source, name=name))
