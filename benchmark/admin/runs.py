"""Runs and trials, to be read: settings, what was sent, what came back."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from benchmark.admin.ask_form import AskForm
from benchmark.models import ModelAdministration, Run, Trial
from benchmark.services.enqueueing import enqueue_run
from benchmark.services.errors import BenchmarkError
from surveys.admin.reading import ReadOnlyAdmin, ReadOnlyInline, short


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = (
        "short_code", "language_model", "instrument", "preset", "variant", "state", "state_reason",
        "origin", "trial_count", "created_at",
    )  # fmt: skip
    list_filter = ("state", "origin", "language_model", "instrument", "preset")
    search_fields = ("code", "language_model__name", "source_key")
    list_select_related = ("language_model", "instrument")
    readonly_fields = ("trials_by_state",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask a model: plan a run and hand it to a worker."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = AskForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            try:
                with transaction.atomic():
                    run = form.plan(request.user)
                    enqueue_run(run)
            except BenchmarkError as error:
                form.add_error(None, str(error))
            else:
                messages.success(request, f"{run} is planned; a worker asks it now.")
                return redirect("admin:benchmark_run_change", run.pk)
        context = {**self.admin_site.each_context(request), "title": "Ask a model", "form": form}
        return TemplateResponse(request, "admin/benchmark/run/ask.html", context)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        return super().get_queryset(request).annotate(n_trials=Count("trials"))

    @admin.display(description="run")
    def short_code(self, run: Run) -> str:
        return run.code[:8]

    @admin.display(description="trials")
    def trial_count(self, run: Any) -> int:
        return int(run.n_trials)

    @admin.display(description="trials by state")
    def trials_by_state(self, run: Run) -> SafeString:
        address = reverse("admin:benchmark_trial_changelist")
        counts = run.trials.order_by().values_list("state").annotate(n=Count("pk"))
        return format_html_join(
            ", ",
            '<a href="{}?run__id__exact={}&amp;state__exact={}">{} {}</a>',
            ((address, run.pk, state, n, state) for state, n in counts),
        )


class AnswersInline(ReadOnlyInline):
    model = ModelAdministration
    fields = ("phase", "answers", "scores")
    readonly_fields = ("answers",)

    @admin.display(description="ratings")
    def answers(self, administration: ModelAdministration) -> str:
        return ", ".join(f"{key} {r}" for key, r in administration.ratings_by_item.items())


@admin.register(Trial)
class TrialAdmin(ReadOnlyAdmin):
    list_display = (
        "number", "run", "phase", "situation", "repeat", "state", "reply", "latency_ms", "asked_at",
    )  # fmt: skip
    list_filter = ("state", "phase", "run__language_model", "run")
    search_fields = ("source_key", "raw_reply", "state_reason", "run__code")
    list_select_related = (
        "run__language_model", "run__instrument", "situation_version__situation__factor__emotion",
    )  # fmt: skip
    inlines = (AnswersInline,)
    readonly_fields = ("conversation", "reply_in_full", "what_was_sent")
    exclude = ("messages", "raw_reply", "parameters_sent")

    @admin.display(description="situation")
    def situation(self, trial: Trial) -> str:
        version = trial.situation_version
        return f"{version.situation.code} v{version.number}" if version else "–"

    @admin.display(description="reply")
    def reply(self, trial: Trial) -> str:
        return short(trial.raw_reply or trial.state_reason or "–", 60)

    @admin.display(description="messages, exactly as sent")
    def conversation(self, trial: Trial) -> SafeString:
        turns = ((m.get("role", ""), m.get("content", "")) for m in trial.messages)
        return format_html_join("", "<p><strong>{}</strong></p><pre>{}</pre>", turns)

    @admin.display(description="raw reply")
    def reply_in_full(self, trial: Trial) -> SafeString | str:
        return "–" if trial.raw_reply is None else format_html("<pre>{}</pre>", trial.raw_reply)

    @admin.display(description="parameters sent")
    def what_was_sent(self, trial: Trial) -> SafeString:
        return format_html("<pre>{}</pre>", json.dumps(trial.parameters_sent, indent=2))
