"""Addresses of the dashboards; every view is one."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from benchmark.views import cells, dashboard

app_name = "benchmark"
urlpatterns: list[URLPattern | URLResolver] = [
    path("dashboards/", dashboard.dashboard, name="dashboard"),
    path("dashboards/comparison.<slug:extension>", dashboard.download, name="download"),
    path("dashboards/change/<slug:subscale>.<slug:extension>", dashboard.chart, name="chart"),
    path("dashboards/cell/", cells.cell, name="cell"),
    path("dashboards/published/<path:name>/", cells.published, name="published"),
]
