"""The comparison page, its downloads and its charts: one address, one answer."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from benchmark.comparison.build import build_comparison
from benchmark.comparison.catalogue import emotion_names, instruments
from benchmark.comparison.drawing import draw_png, draw_svg
from benchmark.comparison.parameters import ALPHAS, Asked, ParameterError, ask
from benchmark.domain.cells import Level
from benchmark.domain.charts import MOST_SERIES, Theme, change_chart, charted_places
from benchmark.domain.comparison import Comparison
from benchmark.domain.files import to_csv, to_json, to_latex, to_markdown
from benchmark.domain.methods import methods_paragraph
from benchmark.domain.sentence import summary
from benchmark.domain.statistics import Method
from benchmark.views import table

DOWNLOADS = {
    "csv": (to_csv, "text/csv; charset=utf-8"),
    "json": (to_json, "application/json"),
    "md": (to_markdown, "text/markdown; charset=utf-8"),
    "tex": (to_latex, "application/x-tex; charset=utf-8"),
}


@require_safe
def dashboard(request: HttpRequest) -> HttpResponse:
    """The answer first: a sentence, the table, the charts; then how to change the view."""
    try:
        asked = _ask(request)
    except ParameterError as error:
        return show_problem(request, error)
    comparison = build_comparison(asked.options, asked.sources)
    query = request.GET.urlencode()
    places = charted_places(comparison)
    context: dict[str, Any] = {
        "asked": asked,
        "comparison": comparison,
        "sentence": summary(comparison),
        "heads": table.heads(comparison),
        "rows": table.rows(comparison),
        "untested": table.untested(comparison),
        "width": len(comparison.subscales),
        "methods": methods_paragraph(comparison),
        "query": query,
        "charts": [
            {"key": key, "name": name, "rows": table.chart_rows(comparison, places, key)}
            for key, name in comparison.subscales.items()
        ]
        if places and comparison.columns
        else [],
        "not_drawn": max(len(comparison.columns) - MOST_SERIES, 0),
        "choices": _choices(asked),
        "alpha_text": f"{asked.options.alpha:g}",
        "is_filtered": bool(query),
    }
    return render(request, "benchmark/dashboard.html", context)


def _choices(asked: Asked) -> dict[str, Any]:
    chosen = {source.key for source in asked.sources}
    return {
        "instruments": list(instruments()),
        "levels": [(level.value, f"by {level.value}" if level is not Level.OVERALL else "overall")
                   for level in Level],
        "emotions": emotion_names(),
        "alphas": ALPHAS,
        "methods": [method.value for method in Method],
        "sources": [
            (source, source.key in chosen and not asked.is_everything)
            for source in asked.available
        ],
    }  # fmt: skip


@require_safe
def download(request: HttpRequest, extension: str) -> HttpResponse:
    """The table of the same view as a file."""
    if extension not in DOWNLOADS:
        raise Http404(f"no file of the kind {extension}")
    try:
        asked = _ask(request)
    except ParameterError as error:
        return HttpResponse(f"{error}\n", status=400, content_type="text/plain; charset=utf-8")
    write, content_type = DOWNLOADS[extension]
    response = HttpResponse(
        write(build_comparison(asked.options, asked.sources)), content_type=content_type
    )
    name = f"comparison-{asked.options.instrument}.{extension}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
def chart(request: HttpRequest, subscale: str, extension: str) -> HttpResponse:
    """The chart of one subscale of the same view; `theme=dark` for dark paper."""
    try:
        asked = _ask(request, "theme", "download")
        theme = Theme(request.GET.get("theme", Theme.LIGHT))
    except (ParameterError, ValueError) as error:
        return HttpResponse(f"{error}\n", status=400, content_type="text/plain; charset=utf-8")
    comparison = build_comparison(asked.options, asked.sources)
    if subscale not in comparison.subscales:
        raise Http404(f"no subscale {subscale}")
    response = _drawn(comparison, subscale, theme, extension)
    if request.GET.get("download"):
        name = f"change-{asked.options.instrument}-{subscale}.{extension}"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _drawn(comparison: Comparison, subscale: str, theme: Theme, extension: str) -> HttpResponse:
    spec = change_chart(comparison, subscale, theme)
    if extension == "svg":
        return HttpResponse(draw_svg(spec), content_type="image/svg+xml")
    if extension == "png":
        return HttpResponse(draw_png(spec), content_type="image/png")
    raise Http404(f"no chart of the kind {extension}")


def _ask(request: HttpRequest, *extra: str) -> Asked:
    given = dict(request.GET.lists())
    return ask(given, instruments=instruments(), emotions=emotion_names(), extra=extra)


def show_problem(request: HttpRequest, error: ParameterError) -> HttpResponse:
    """A page that says which part of an address cannot be answered."""
    return render(request, "benchmark/problem.html", {"error": error}, status=400)
