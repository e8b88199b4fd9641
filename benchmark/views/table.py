"""The comparison as rows and cells of a page: texts, words for screen readers, addresses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from urllib.parse import urlencode

from django.urls import reverse

from benchmark.domain.cells import Kind, Origin, Place, Source
from benchmark.domain.charts import INKS, Theme
from benchmark.domain.comparison import Column, ComparedCell, Comparison
from benchmark.domain.files import ARROWS
from benchmark.domain.formatting import MISSING, count, interval, mean_sd, number, p_value
from benchmark.domain.statistics import Direction, Moments
from surveys.domain.protocol import Phase

N_COLOURS = len(INKS[Theme.LIGHT].models)
WORDS = {
    Direction.UP: "significant increase",
    Direction.DOWN: "significant decrease",
    Direction.NONE: "not significant",
}


@dataclass(frozen=True, slots=True)
class HeadCell:
    """A source above its columns; `series` counts the colours of models as the charts do."""

    source: Source
    counts: str
    address: str
    series: int | None


@dataclass(frozen=True, slots=True)
class BodyCell:
    """One number: what is shown, what is said, the lines below it, and where it leads."""

    text: str
    arrow: str
    words: str
    small: list[str]
    address: str
    kind: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table; `level` is overall, emotion, factor or situation."""

    label: str
    level: str
    cells: list[BodyCell]


def heads(comparison: Comparison) -> list[HeadCell]:
    models = 0
    result = []
    for column in comparison.columns:
        is_people = column.source.kind is Kind.PEOPLE
        series = None if is_people else models % N_COLOURS
        models += not is_people
        result.append(
            HeadCell(column.source, _counts(column.source), _source_address(column), series)
        )
    return result


def _counts(source: Source) -> str:
    """As "1,266 people" or "1,740 valid, 60 invalid"; what is missing is said."""
    parts = [f"{count(n)} {state}" for state, n in source.counts.items() if n]
    if source.missing:
        parts.append(f"{count(source.missing)} missing")
    return ", ".join(parts) or "no answers yet"


def _source_address(column: Column) -> str:
    source = column.source
    if source.origin is Origin.PUBLISHED:
        return _published_address(source)
    return cell_address(source, Place(), Phase.EVOKED)


def untested(comparison: Comparison) -> dict[str, str]:
    """Every reason why a change has no test, with the letter that stands for it in the table."""
    reasons = (
        column.cells[place, key].result.reason
        for place in comparison.places
        for column in comparison.columns
        for key in comparison.subscales
        if column.cells[place, key].is_asked
    )
    distinct = dict.fromkeys(reason for reason in reasons if reason)
    return dict(zip(distinct, ascii_lowercase, strict=False))


def rows(comparison: Comparison) -> list[Row]:
    """The default phase, then every place in catalogue order."""
    letters = untested(comparison)
    default = [
        _default_cell(column, column.default[key])
        for column in comparison.columns
        for key in comparison.subscales
    ]
    table = [Row("Default", "default", default)] if comparison.columns else []
    for place in comparison.places:
        cells = [
            _cell(column, column.cells[place, key], letters)
            for column in comparison.columns
            for key in comparison.subscales
        ]
        table.append(Row(place.label, place.level.value, cells))
    return table


def _default_cell(column: Column, moments: Moments) -> BodyCell:
    return BodyCell(
        text=mean_sd(moments.mean, moments.sd),
        arrow="",
        words="",
        small=[f"n = {count(moments.n)}" if moments.n else "not asked"],
        address=_answer_address(column.source, Place(), Phase.DEFAULT) if moments.n else "",
        kind=column.source.kind.value,
    )


def _cell(column: Column, cell: ComparedCell, letters: Mapping[str, str]) -> BodyCell:
    result = cell.result
    if not cell.is_asked:
        return BodyCell(MISSING, "", "", [result.reason], "", column.source.kind.value)
    small = [f"n = {count(cell.evoked.n)}"]
    if result.p is not None:
        small.append(_p(result.p))
    if result.reason:
        small.append(f"no test ({letters[result.reason]})")
    return BodyCell(
        text=number(result.change, signed=True),
        arrow=ARROWS[result.direction],
        words=WORDS[result.direction] if result.p is not None else "",
        small=small,
        address=_answer_address(column.source, cell.place, Phase.EVOKED),
        kind=column.source.kind.value,
    )


def _p(p: float) -> str:
    text = p_value(p)
    return f"p {text}" if text[0] in "<>" else f"p = {text}"


def _answer_address(source: Source, place: Place, phase: Phase) -> str:
    if source.origin is Origin.PUBLISHED:
        return _published_address(source)
    return cell_address(source, place, phase)


def _published_address(source: Source) -> str:
    address = reverse("benchmark:published", args=[source.group])
    return f"{address}?{urlencode({'instrument': source.instrument})}"


def cell_address(source: Source, place: Place, phase: Phase) -> str:
    """The page of the raw answers that a cell pools."""
    query = {"source": source.key, "instrument": source.instrument, "phase": phase.value}
    query |= {name: value for name, value in place._asdict().items() if value}
    return f"{reverse('benchmark:cell')}?{urlencode(query)}"


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A row of the table behind a chart: a place and each source's change with its interval."""

    label: str
    values: list[str]


def chart_rows(comparison: Comparison, places: list[Place], subscale: str) -> list[ChartRow]:
    return [
        ChartRow(
            place.label,
            [_with_interval(column.cells[place, subscale]) for column in comparison.columns],
        )
        for place in places
    ]


def _with_interval(cell: ComparedCell) -> str:
    result = cell.result
    if result.change is None:
        return f"{MISSING} ({result.reason})" if result.reason else MISSING
    if result.ci is None:
        return number(result.change, signed=True)
    return f"{number(result.change, signed=True)}, {interval(*result.ci)}"
