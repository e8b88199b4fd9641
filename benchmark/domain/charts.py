"""The change of each emotion as a Vega-Lite specification: plain dictionaries from pure functions.

People are a blue circle; models and baselines differ in colour and in shape, so that neither a
colour-blind reader nor a printer loses them. The colours are the set of Okabe and Ito (2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from benchmark.domain.cells import Kind, Level, Place
from benchmark.domain.comparison import Column, Comparison

MOST_SERIES = 12
ROW_STEP = 13
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
SHAPES = ("square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right")


class Theme(StrEnum):
    """Light or dark paper."""

    LIGHT = "light"
    DARK = "dark"


class Ink(NamedTuple):
    """The colours of one theme; `models` are taken in turn."""

    paper: str
    text: str
    grid: str
    people: str
    models: Sequence[str]
    baseline: str


INKS = {
    Theme.LIGHT: Ink(
        "#fdfdfb", "#1b1d20", "#d7d7d0", "#0072b2",
        ("#d55e00", "#009e73", "#aa4499", "#8c6d00", "#56b4e9", "#7a3b00"), "#6b6b6b",
    ),
    Theme.DARK: Ink(
        "#15171a", "#eceded", "#363b41", "#56b4e9",
        ("#f09b52", "#4fd0a5", "#e09acb", "#f0e442", "#9ad0f5", "#d9a679"), "#a3a3a3",
    ),
}  # fmt: skip


class Series(NamedTuple):
    """One source as drawn: its name, colour and shape."""

    name: str
    colour: str
    shape: str


def series_of(comparison: Comparison, theme: Theme) -> list[Series]:
    """The sources that are drawn, in the order of the table, at most MOST_SERIES."""
    ink = INKS[theme]
    series: list[Series] = []
    models = 0
    for column in comparison.columns[:MOST_SERIES]:
        if column.source.kind is Kind.PEOPLE:
            shape = "circle" if not any(s.shape == "circle" for s in series) else "stroke"
            series.append(Series(column.source.name, ink.people, shape))
            continue
        colour = ink.models[models % len(ink.models)]
        if column.source.kind is Kind.BASELINE:
            colour = ink.baseline
        shift = models // len(ink.models)
        series.append(Series(column.source.name, colour, SHAPES[(models + shift) % len(SHAPES)]))
        models += 1
    return series


def charted_places(comparison: Comparison) -> list[Place]:
    """The rows of the chart: every emotion, or an emotion's factors where it stands alone."""
    level = Level.EMOTION
    if comparison.options.emotion and comparison.options.by.depth >= Level.FACTOR.depth:
        level = Level.FACTOR
    return [place for place in comparison.places if place.level is level]


def change_chart(comparison: Comparison, subscale: str, theme: Theme) -> dict[str, Any]:
    """Change with its 95 % interval, a row a place, sources side by side, for one subscale."""
    series = series_of(comparison, theme)
    places = charted_places(comparison)
    columns = comparison.columns[:MOST_SERIES]
    ink = INKS[theme]
    names = [s.name for s in series]
    shared = {
        "y": {
            "field": "place", "type": "nominal", "sort": [place.label for place in places],
            "axis": {"title": None, "ticks": False, "domain": False, "labelLimit": 220},
        },
        "yOffset": {"field": "source", "sort": names},
        "color": {
            "field": "source", "sort": names,
            "scale": {"domain": names, "range": [s.colour for s in series]},
            "legend": {
                "title": None, "orient": "bottom", "columns": 1, "labelLimit": 420, "symbolSize": 80
            },
        },
    }  # fmt: skip
    title = f"Change in {comparison.subscales[subscale]}"
    change = {
        "field": "change", "type": "quantitative", "title": f"{title} (points, 95% CI)",
        "scale": {"zero": True, "nice": True},
    }  # fmt: skip
    return {
        "$schema": SCHEMA,
        "description": title,
        "width": 320,
        "height": {"step": ROW_STEP, "for": "offset"} if places else 40,
        "background": ink.paper,
        # The reader's font may be wider than the one that the converter measures with.
        "padding": {"left": 26, "right": 16, "top": 5, "bottom": 5},
        "data": {"values": _values(columns, places, subscale)},
        "layer": [
            {
                "mark": {"type": "rule", "color": ink.text, "strokeWidth": 1, "opacity": 0.55},
                "encoding": {"x": {"datum": 0}},
            },
            {
                "transform": [{"filter": "isValid(datum.low)"}],
                "mark": {"type": "rule", "strokeWidth": 1.6},
                "encoding": {
                    **shared,
                    "x": {**change, "field": "low"},
                    "x2": {"field": "high"},
                },
            },
            {
                "transform": [{"filter": "isValid(datum.change)"}],
                "mark": {"type": "point", "filled": True, "size": 58, "opacity": 1},
                "encoding": {
                    **shared,
                    "x": change,
                    "shape": {
                        "field": "source", "sort": names,
                        "scale": {"domain": names, "range": [s.shape for s in series]},
                        "legend": {"title": None},
                    },
                },
            },
        ],
        "config": _config(ink),
    }  # fmt: skip


def _values(
    columns: Sequence[Column], places: Sequence[Place], subscale: str
) -> list[dict[str, Any]]:
    """A row a source and place; what was not asked or does not exist stays null, never zero."""
    rows = []
    for column in columns:
        for place in places:
            result = column.cells[place, subscale].result
            low, high = result.ci or (None, None)
            rows.append(
                {
                    "source": column.source.name,
                    "place": place.label,
                    "change": result.change,
                    "low": low,
                    "high": high,
                }
            )
    return rows


def _config(ink: Ink) -> dict[str, Any]:
    text = {
        "labelColor": ink.text,
        "titleColor": ink.text,
        "labelFontSize": 13,
        "titleFontSize": 13,
    }
    return {
        "font": "system-ui, sans-serif",
        "view": {"stroke": None},
        "axis": {
            **text, "gridColor": ink.grid, "domainColor": ink.grid, "tickColor": ink.grid,
            "titleFontWeight": "normal",
        },
        "axisY": {"grid": True, "gridColor": ink.grid, "tickBand": "extent"},
        "legend": {**text},
    }  # fmt: skip
