"""Endpoints, language models and the wording they are asked in."""

from __future__ import annotations

import os
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from benchmark.models import Endpoint, LanguageModel, PromptTemplate
from benchmark.services.previews import preview_prompts
from surveys.models import Situation


@admin.register(Endpoint)
class EndpointAdmin(admin.ModelAdmin):
    list_display = ("name", "provider", "base_url", "api_key_env", "has_key")
    search_fields = ("name", "base_url")
    # A bare localhost:8080 is meant, and served, without TLS.
    formfield_overrides = {models.URLField: {"assume_scheme": "http"}}

    @admin.display(boolean=True, description="key is set")
    def has_key(self, endpoint: Endpoint) -> bool | None:
        """Whether the named variable is set for this process; nothing of it is shown."""
        return bool(os.environ.get(endpoint.api_key_env)) if endpoint.api_key_env else None


@admin.register(LanguageModel)
class LanguageModelAdmin(admin.ModelAdmin):
    list_display = ("name", "kind", "identifier", "endpoint", "created_at")
    list_filter = ("kind", "endpoint")
    list_select_related = ("endpoint",)
    search_fields = ("name", "identifier")
    readonly_fields = ("unsupported_parameters",)
    autocomplete_fields = ("endpoint",)


@admin.register(PromptTemplate)
class PromptTemplateAdmin(admin.ModelAdmin):
    list_display = ("preset", "instrument", "version", "created_at")
    list_filter = ("preset", "instrument")
    list_select_related = ("instrument",)
    search_fields = ("preset", "instrument__key", "evoked_text")

    def get_urls(self) -> list[URLPattern]:
        preview = self.admin_site.admin_view(self.situation_prompts)
        return [
            path("situation/<int:pk>/", preview, name="benchmark_situation_prompts"),
            *super().get_urls(),
        ]

    def situation_prompts(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The newest words of a situation, drafts included, as models are asked about them."""
        if not request.user.has_perm("surveys.view_situation"):
            raise PermissionDenied
        situation = get_object_or_404(Situation.objects.select_related("factor__emotion"), pk=pk)
        version = situation.current_version
        context = {
            **self.admin_site.each_context(request),
            "title": f"{situation}, as models are asked",
            "situation": situation,
            "previews": preview_prompts(version) if version else [],
        }
        return TemplateResponse(request, "admin/benchmark/situation_prompts.html", context)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        # A wording that a run has used is part of that run's record.
        if obj and obj.runs.exists():
            return tuple(field.name for field in PromptTemplate._meta.fields)
        return ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return not (obj and obj.runs.exists()) and super().has_delete_permission(request, obj)
