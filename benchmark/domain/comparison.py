"""A comparison: sources as columns, places as rows, each cell tested by one method.

`compare` is pure: cells of statistics in, a `Comparison` out. The command, the pages, the files
and the API all show this one object, so their numbers agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmark.domain.cells import Cell, Kind, Level, Place, PlaceOrder, Source, SourceCells
from benchmark.domain.statistics import (
    ChangeTest,
    Method,
    Moments,
    clustered_independent,
    clustered_within,
    independent_change,
    paired_change,
)

NOT_ASKED = "not asked"
STATES = ("valid", "refused", "invalid", "empty", "truncated", "failed")


@dataclass(frozen=True, slots=True)
class Options:
    """What is compared and how. `emotion` "" is all; `alpha` is two-sided."""

    instrument: str = "PANAS"
    by: Level = Level.EMOTION
    alpha: float = 0.01
    method: Method = Method.PAPER
    emotion: str = ""


@dataclass(frozen=True, slots=True)
class ComparedCell:
    """One number of the table: the evoked scores of a place, and the tested change."""

    place: Place
    subscale: str
    evoked: Moments
    result: ChangeTest

    @property
    def is_asked(self) -> bool:
        return self.evoked.n > 0


@dataclass(frozen=True, slots=True)
class Column:
    """A source with its default phase and its cells, keyed by place and subscale."""

    source: Source
    default: Mapping[str, Moments]
    cells: Mapping[tuple[Place, str], ComparedCell]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The whole table. `subscales` maps keys to names; `places` are its rows in order."""

    options: Options
    subscales: Mapping[str, str]
    places: Sequence[Place]
    columns: Sequence[Column]

    @property
    def people(self) -> list[Column]:
        return [column for column in self.columns if column.source.kind is Kind.PEOPLE]

    @property
    def models(self) -> list[Column]:
        return [column for column in self.columns if column.source.kind is Kind.MODEL]


def compare(
    sources: Sequence[SourceCells],
    *,
    subscales: Mapping[str, str],
    order: PlaceOrder,
    options: Options,
) -> Comparison:
    """Compare sources over the places that at least one of them has.

    People come first, then models, then baselines, each kind in the order given. A place that a
    source was not asked about stays in its column, empty and with the reason.
    """
    kinds = list(Kind)
    ordered = sorted(sources, key=lambda s: kinds.index(s.source.kind))
    places = {place for source in ordered for place in source.places() if _shown(place, options)}
    rows = order.sort(places)
    columns = [_column(source, rows, subscales, options) for source in ordered]
    return Comparison(options, subscales, rows, columns)


def _shown(place: Place, options: Options) -> bool:
    if place.level.depth > options.by.depth:
        return False
    return not options.emotion or place.emotion == options.emotion


def _column(
    source: SourceCells, places: Sequence[Place], subscales: Mapping[str, str], options: Options
) -> Column:
    cells = {
        (place, subscale): _compared(source, place, subscale, options)
        for place in places
        for subscale in subscales
    }
    default = {subscale: source.default.get(subscale, Moments(0)) for subscale in subscales}
    return Column(source.source, default, cells)


def _compared(source: SourceCells, place: Place, subscale: str, options: Options) -> ComparedCell:
    cell = source.cells.get((place, subscale))
    if cell is None:
        reason = _why_empty(source, place)
        return ComparedCell(place, subscale, Moments(0), ChangeTest(None, reason=reason))
    default = source.default.get(subscale, Moments(0))
    return ComparedCell(place, subscale, cell.evoked, change_of(cell, default, options))


def _why_empty(source: SourceCells, place: Place) -> str:
    """A published table may stop at factors: then the finer cell was asked but is not known."""
    coarser = Place(*(*place[: place.level.depth - 1], None, None, None)[:3])
    is_published = source.source.origin == "published"
    levels = {known.level for known in source.places()}
    if is_published and place.level not in levels and coarser in source.places():
        return f"not published by {place.level.value}"
    return NOT_ASKED


def change_of(cell: Cell, default: Moments, options: Options) -> ChangeTest:
    """The change of a cell, tested by the method asked for."""
    if options.method is Method.CLUSTERED:
        if cell.change is None:
            return clustered_independent(cell.clustered, default, alpha=options.alpha)
        return clustered_within(cell.clustered, alpha=options.alpha)
    if cell.change is None:
        return independent_change(cell.evoked, default, alpha=options.alpha)
    return paired_change(cell.change, alpha=options.alpha)


def as_dict(comparison: Comparison) -> dict[str, Any]:
    """The comparison as the command, the API and the download write it, in full precision.

    What does not exist is null, with a `reason`; `situation` is given only where rows go that far.
    """
    options = comparison.options
    return {
        "instrument": options.instrument,
        "alpha": options.alpha,
        "method": options.method.value,
        "sources": [_source_dict(column, comparison) for column in comparison.columns],
    }


def _source_dict(column: Column, comparison: Comparison) -> dict[str, Any]:
    source = column.source
    return {
        "name": source.name,
        "kind": source.kind.value,
        "key": source.key,
        "origin": source.origin.value,
        "counts": {state: source.counts.get(state, 0) for state in STATES},
        "missing": source.missing,
        "partial": source.is_partial,
        "default": {key: _moments_dict(column.default[key]) for key in comparison.subscales},
        "cells": [
            _cell_dict(column.cells[place, key], comparison.options)
            for place in comparison.places
            for key in comparison.subscales
        ],
    }


def _moments_dict(moments: Moments) -> dict[str, Any]:
    return {"n": moments.n, "mean": moments.mean, "sd": moments.sd}


def _cell_dict(cell: ComparedCell, options: Options) -> dict[str, Any]:
    result = cell.result
    place = {"emotion": cell.place.emotion, "factor": cell.place.factor}
    if options.by is Level.SITUATION:
        place["situation"] = cell.place.situation
    return {
        **place,
        "subscale": cell.subscale,
        **_moments_dict(cell.evoked),
        "change": result.change,
        "ci95": None if result.ci is None else list(result.ci),
        "direction": result.direction.value,
        "p": result.p,
        "test": None if result.test is None else result.test.value,
        "reason": result.reason or result.caution or None,
    }
