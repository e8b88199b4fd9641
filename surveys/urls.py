"""Addresses of participants. The code in the path is a secret and the only authority there."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from surveys.views import entry, pages

app_name = "surveys"
urlpatterns: list[URLPattern | URLResolver] = [
    path("s/<slug:slug>/", entry.study, name="study"),
    path("s/<slug:slug>/declined/", entry.declined, name="declined"),
    path("s/<slug:slug>/p/<slug:code>/", pages.participation, name="participation"),
    path("s/<slug:slug>/p/<slug:code>/withdraw/", pages.withdrawal, name="withdraw"),
    path("s/<slug:slug>/p/<slug:code>/<int:number>/", pages.page, name="page"),
]
