from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "surveys"
urlpatterns: list[URLPattern | URLResolver] = []
