"""Addresses of participants, whose code in the path is a secret and the only authority there."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from surveys.prolific.hook_view import prolific_hook
from surveys.views import ends, entry, exports, monitor, pages, preview

app_name = "surveys"
urlpatterns: list[URLPattern | URLResolver] = [
    path("s/<slug:slug>/", entry.study, name="study"),
    path("s/<slug:slug>/declined/", entry.declined, name="declined"),
    path("s/<slug:slug>/p/<slug:code>/", pages.participation, name="participation"),
    path("s/<slug:slug>/p/<slug:code>/finish/", ends.finish, name="finish"),
    path("s/<slug:slug>/p/<slug:code>/withdraw/", ends.withdrawal, name="withdraw"),
    path("s/<slug:slug>/p/<slug:code>/<int:number>/", pages.page, name="page"),
    path("hooks/prolific/", prolific_hook, name="prolific_hook"),
    path("preview/situations/<int:pk>/", preview.situation_preview, name="situation_preview"),
    path("preview/studies/<slug:slug>/", preview.study_preview, name="study_preview"),
    path("preview/studies/<slug:slug>/<slug:step>/", preview.study_preview, name="study_preview"),
    path(
        "preview/studies/<slug:slug>/<slug:step>/page/",
        preview.previewed_page,
        name="previewed_page",
    ),
    path("studies/<slug:slug>/monitor/", monitor.monitor, name="monitor"),
    path("studies/<slug:slug>/data/", exports.exports, name="exports"),
    path("studies/<slug:slug>/data/identities/", exports.identities, name="identities"),
]
