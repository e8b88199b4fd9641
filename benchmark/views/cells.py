"""From a number to where it comes from: raw answers, or the citation of a published figure."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from benchmark.comparison.answers import cells_of
from benchmark.comparison.catalogue import instruments, situation_places, subscale_names
from benchmark.comparison.cell_answers import (
    answers_at,
    count_ratings,
    read_rows,
    shows_rows_to_all,
)
from benchmark.comparison.parameters import ParameterError, choice, choose, one_of
from benchmark.comparison.published import published_by_name
from benchmark.domain.cells import Origin, Place, Source
from benchmark.domain.comparison import Options, change_of
from benchmark.domain.formatting import interval, mean_sd, number, p_value
from benchmark.domain.statistics import Moments
from benchmark.views.dashboard import show_problem
from surveys.domain.protocol import Phase

PER_PAGE = 50


@require_safe
def cell(request: HttpRequest) -> HttpResponse:
    """Every answer that one number pools, with the figures made from them."""
    try:
        source, place, phase = _asked(request)
    except ParameterError as error:
        return show_problem(request, error)
    version = instruments()[source.instrument]
    spec, names, places = version.spec, subscale_names(version), situation_places()
    answers = answers_at(source, place=place, phase=phase, places=places)
    page = Paginator(answers, PER_PAGE).get_page(request.GET.get("page"))
    shows_rows = shows_rows_to_all(source) or request.user.is_staff
    values = [option.value for option in spec.options]
    labels = [f"{item.key}. {item.text}" if item.text != item.key.capitalize() else item.text
              for item in spec.items]  # fmt: skip
    context: dict[str, Any] = {
        "source": source,
        "place": place,
        "phase": phase,
        "figures": _figures(source, place, phase, names, places),
        "subscales": list(names.values()),
        "items": labels,
        "options": spec.options,
        "distribution": count_ratings(answers, items=labels, options=values),
        "page": page,
        "rows": read_rows(page.object_list, source, places=places, subscales=list(names))
        if shows_rows
        else [],
        "shows_rows": shows_rows,
        "query": _without_page(request),
    }
    return render(request, "benchmark/cell.html", context)


def _asked(request: HttpRequest) -> tuple[Source, Place, Phase]:
    given = request.GET
    instrument = one_of("instrument", given.get("instrument", "PANAS"), instruments())
    found = choose([given.get("source", "")], instrument=instrument)
    sources = [source for source in found if source.origin is not Origin.PUBLISHED]
    if len(sources) != 1:
        raise ParameterError("source", "Name one source whose answers are here.")
    place = Place(*(given.get(part) or None for part in Place._fields))
    known = {p[:depth] for p in situation_places().values() for depth in range(4)}
    if tuple(place[: place.level.depth]) not in known:
        raise ParameterError("emotion", f"There is no place “{place.label}” in the catalogue.")
    return sources[0], place, choice("phase", given.get("phase", Phase.EVOKED.value), Phase)


def _figures(
    source: Source, place: Place, phase: Phase, names: dict[str, str], places: dict[int, Place]
) -> list[dict[str, str]]:
    """The numbers of the cell, made anew from the answers listed below them."""
    cells = cells_of(source, places=places, subscales=list(names), level=place.level)
    figures = []
    for key, name in names.items():
        default = cells.default.get(key, Moments(0))
        found = cells.cells.get((place, key))
        if phase is Phase.DEFAULT or found is None:
            moments = default if phase is Phase.DEFAULT else Moments(0)
            figures.append({"name": name, "n": str(moments.n), "score": _score(moments)})
            continue
        result = change_of(found, default, Options(instrument=source.instrument))
        figures.append(
            {
                "name": name,
                "n": str(found.evoked.n),
                "score": _score(found.evoked),
                "default": _score(default),
                "change": number(result.change, 2, signed=True),
                "interval": interval(*result.ci, 2) if result.ci else "",
                "p": p_value(result.p),
                "test": result.test.value if result.test else result.reason,
            }
        )
    return figures


def _score(moments: Moments) -> str:
    return mean_sd(moments.mean, moments.sd, 2)


def _without_page(request: HttpRequest) -> str:
    query = request.GET.copy()
    query.pop("page", None)
    return query.urlencode()


@require_safe
def published(request: HttpRequest, name: str) -> HttpResponse:
    """What is published under a name, and what to cite for it."""
    tables = published_by_name(name)
    if not tables:
        raise Http404(f"nothing is published under the name {name}")
    known = instruments()
    context = {
        "name": name,
        "citation": tables[0].source.citation,
        "kind": tables[0].source.kind,
        "tables": [
            {
                "instrument": cells.source.instrument,
                "counts": cells.source.counts,
                "subscales": _named(cells.default, known.get(cells.source.instrument)),
                "rows": _published_rows(cells),
            }
            for cells in tables
        ],
    }
    return render(request, "benchmark/published.html", context)


def _named(keys: Any, version: Any) -> list[str]:
    names = subscale_names(version) if version else {}
    return [names.get(key, key) for key in keys]


def _published_rows(cells: Any) -> list[dict[str, Any]]:
    keys = list(cells.default)
    rows = [
        {"label": "Default", "level": "default",
         "values": [(_score(cells.default[key]), cells.default[key].n) for key in keys]}
    ]  # fmt: skip
    for place in dict.fromkeys(place for place, _ in cells.cells):
        moments = [cells.cells[place, key].evoked for key in keys]
        rows.append(
            {
                "label": place.label,
                "level": place.level.value,
                "values": [(_score(m), m.n) for m in moments],
            }
        )
    return rows
