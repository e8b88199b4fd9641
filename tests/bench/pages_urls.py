"""The participant's pages, and an empty view to measure them against."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def empty(request: HttpRequest) -> HttpResponse:
    request.session["visits"] = request.session.get("visits", 0) + 1
    return HttpResponse("ok")


urlpatterns = [path("empty/", empty), path("", include("surveys.urls"))]
