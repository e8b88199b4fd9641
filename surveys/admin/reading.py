"""Admin pages that only read: what was collected is not edited by hand."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest


class ReadOnlyMixin:
    """No adding, changing or deleting; looking needs the view permission as ever."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyAdmin(ReadOnlyMixin, admin.ModelAdmin):
    """A list and its pages, read-only; counts of unfiltered long lists are not asked for."""

    show_full_result_count = False
    list_per_page = 50


class ReadOnlyInline(ReadOnlyMixin, admin.TabularInline):
    extra = 0
    can_delete = False
    show_change_link = False


def short(text: str, length: int = 80) -> str:
    """The beginning of a text, for a column."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def latest_text() -> models.Subquery:
    """The newest words of each listed situation, without a query a row."""
    from surveys.models import SituationVersion

    newest = SituationVersion.objects.filter(situation=models.OuterRef("pk")).order_by("-number")
    return models.Subquery(newest.values("text")[:1])
