"""Studies: made, filled with situations, piloted, opened, paused, closed, archived."""

from __future__ import annotations

from random import SystemRandom
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html

from surveys.admin.study_form import StudyForm
from surveys.admin.study_parts import CompletionCodeInline, StudyEventInline
from surveys.models import Study
from surveys.services.completion_codes import propose_codes
from surveys.services.errors import SurveyError
from surveys.services.studies import add_situations, change_state, record_event
from surveys.services.study_rules import opening_advice, opening_faults
from surveys.staff import staff_of
from surveys.study_words import ADVICE, FAULTS, STEPS, sentence, steps_from

STEP_BUTTON = "_step-"
TAKES_PEOPLE_SOON = {Study.State.DRAFT, Study.State.PILOT, Study.State.PAUSED}
FIELDSETS = (
    ("The study", {"fields": ("title", "slug", "state")}),
    (
        "What people read",
        {"fields": ("consent_text", "consent_version", "debrief_text", "contact", "language")},
    ),
    (
        "What people answer",
        {
            "fields": (
                "instrument", "demographic_questions", "situations_per_person", "items_per_page",
                "item_order", "reading_words_per_minute", "attention_items", "has_uplifting_task",
            )
        },
    ),
    ("Situations in the study", {"fields": ("situations_now", "target_per_situation")}),
    (
        "Add situations",
        {
            "fields": (
                "add_emotions", "add_factors", "add_kinds", "add_collections", "add_per_factor",
            ),
            "description": "Choose and save. What is in the study already is not added again.",
        },
    ),
    (
        "Careless answers",
        {
            "fields": (
                "exclusion_flags", "flag_item_seconds", "flag_reading_words_per_minute",
                "flag_synonym_difference",
            ),
            "description": "Signs of careless answers are flagged, and flags can exclude. The rule "
            "is fixed by the first person who takes part.",
        },
    ),
    (
        "Time and pay",
        {"fields": ("planned_minutes", "reward_minor", "reward_currency", "n_places")},
    ),
    (
        "Entering, withdrawing, keeping",
        {"fields": ("admits_without_ids", "withdrawal_days", "identity_retention_days")},
    ),
)  # fmt: skip
IMPORTED_FIELDSETS = ((None, {"fields": ("title", "slug", "state", "instrument", "citation")}),)


@admin.register(Study)
class StudyAdmin(admin.ModelAdmin):
    form = StudyForm
    inlines = (CompletionCodeInline, StudyEventInline)
    list_display = (
        "title", "address", "state", "origin", "situation_count", "completed_count", "watch",
    )  # fmt: skip
    list_filter = ("state", "origin", "instrument")
    search_fields = ("title", "slug")
    prepopulated_fields = {"slug": ("title",)}
    readonly_fields = ("state", "situations_now")
    change_form_template = "admin/surveys/study/change_form.html"

    class Media:
        css = {"all": ("css/admin.css",)}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Study]:
        return Study.objects.with_counts()

    @admin.display(description="situations")
    def situation_count(self, study: Any) -> int:
        return study.n_situations

    @admin.display(description="completed")
    def completed_count(self, study: Any) -> int:
        return study.n_completed

    @admin.display(description="address")
    def address(self, study: Study) -> str:
        return format_html('<a href="/s/{}/">/s/{}/</a>', study.slug, study.slug)

    @admin.display(description="monitor")
    def watch(self, study: Study) -> str:
        if study.origin == Study.Origin.IMPORTED:
            return "–"
        address = reverse("surveys:monitor", args=[study.slug])
        return format_html('<a href="{}">how it goes</a>', address)

    @admin.display(description="now")
    def situations_now(self, study: Study) -> str:
        if not study.pk:
            return "none yet"
        counts = study.study_situations.aggregate(
            all=Count("pk"), closed=Count("pk", filter=Q(is_closed=True))
        )
        address = reverse("admin:surveys_studysituation_changelist")
        return format_html(
            '{} situations, {} of them closed · <a href="{}?study__id__exact={}">read, close or '
            "take out single ones</a>",
            counts["all"], counts["closed"], address, study.pk,
        )  # fmt: skip

    def get_fieldsets(self, request: HttpRequest, obj: Study | None = None) -> Any:
        return IMPORTED_FIELDSETS if obj and obj.origin == Study.Origin.IMPORTED else FIELDSETS

    def get_inlines(self, request: HttpRequest, obj: Study | None = None) -> Any:
        if obj and obj.origin == Study.Origin.IMPORTED:
            return ()
        return self.inlines if obj else self.inlines[:1]

    def get_prepopulated_fields(self, request: HttpRequest, obj: Study | None = None) -> Any:
        return {} if obj else self.prepopulated_fields

    def has_delete_permission(self, request: HttpRequest, obj: Study | None = None) -> bool:
        if obj and obj.participations.exists():
            return False
        return super().has_delete_permission(request, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        study = kwargs.get("obj")
        if study and study.origin == Study.Origin.OWN:
            context["steps"] = [
                (f"{STEP_BUTTON}{state}", words) for state, words in steps_from(study.state)
            ]
            if study.state in TAKES_PEOPLE_SOON:
                context["faults"] = [FAULTS[code] for code in opening_faults(study=study)]
                context["advice"] = [ADVICE[code] for code in opening_advice(study=study)]
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Study, form: Any, change: bool) -> None:
        if not change:
            super().save_model(request, obj, form, change)
            record_event(study=obj, kind="made", actor=staff_of(request))
            return
        fields = {field.name for field in Study._meta.concrete_fields}
        changed = [name for name in form.changed_data if name in fields]
        if changed:
            # Only these: the state and the counts may have moved on since the form was shown.
            obj.save(update_fields=changed)
            record_event(
                study=obj, kind="changed", detail=", ".join(changed), actor=staff_of(request)
            )

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        situations = form.situations_to_add()
        if not situations:
            return
        try:
            added = add_situations(study=form.instance, situations=situations)
        except SurveyError as error:
            messages.error(request, sentence(error.code, str(error)))
        else:
            messages.success(request, f"{added} situations added.")

    def response_add(
        self, request: HttpRequest, obj: Study, post_url_continue: str | None = None
    ) -> HttpResponse:
        if "_propose_codes" in request.POST:
            self._propose_codes(request, obj)
            return HttpResponseRedirect(reverse("admin:surveys_study_change", args=[obj.pk]))
        return super().response_add(request, obj, post_url_continue)

    def response_change(self, request: HttpRequest, obj: Study) -> HttpResponse:
        if "_propose_codes" in request.POST:
            self._propose_codes(request, obj)
            return HttpResponseRedirect(request.path)
        step = next((name for name in request.POST if name.startswith(STEP_BUTTON)), None)
        if step is None:
            return super().response_change(request, obj)
        self._take_step(request, obj, step.removeprefix(STEP_BUTTON))
        return HttpResponseRedirect(request.path)

    def _propose_codes(self, request: HttpRequest, study: Study) -> None:
        codes = propose_codes(study=study, rng=SystemRandom())
        if codes:
            messages.success(request, f"{len(codes)} completion codes drawn.")
        else:
            messages.info(request, "Every outcome has its code already.")

    def _take_step(self, request: HttpRequest, study: Study, state: str) -> None:
        before = study.state
        try:
            change_state(study=study, state=state, actor=staff_of(request))
        except SurveyError as error:
            messages.error(request, sentence(error.code, str(error)))
        else:
            messages.success(request, STEPS.get((before, state), ("", "Nothing to do."))[1])
