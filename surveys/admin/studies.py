"""Studies: made, filled with situations, opened and closed."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html

from surveys.models import (
    Collection,
    CompletionCode,
    Factor,
    Situation,
    Study,
    StudySituation,
)
from surveys.services.errors import SurveyError
from surveys.services.studies import add_situations, close_study, open_study

FAULTS = {
    "study_imported": "An imported study holds answers from elsewhere and takes in nobody.",
    "instrument_incomplete": "The instrument's items have no words yet: import or enter them.",
    "consent_text_missing": "Write the information and consent text first.",
    "completion_code_missing": "Set the completion code first.",
    "situations_too_few": "Add at least as many open situations as each person is given.",
    "situations_unpublished": "Publish every situation of the study first, or close it there.",
}


class StudyForm(forms.ModelForm):
    """A study, with a way to add whole factors of the catalogue to it."""

    add_factors = forms.ModelMultipleChoiceField(
        Factor.objects.all(),
        required=False,
        help_text="Adds every published situation of these factors.",
    )
    add_collections = forms.ModelMultipleChoiceField(
        Collection.objects.all(),
        required=False,
        help_text="Only situations of these collections. None chosen: all of them.",
    )
    add_kinds = forms.MultipleChoiceField(
        choices=Situation.Kind.choices,
        initial=[Situation.Kind.STANDARD],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Neutral situations belong to no factor and are added whichever are chosen.",
    )

    class Meta:
        model = Study
        exclude = ("created_at",)

    def situations_to_add(self) -> QuerySet[Situation]:
        data = self.cleaned_data
        of_factors = Q(factor__in=data["add_factors"], kind__in=data["add_kinds"])
        neutral = (
            Q(kind=Situation.Kind.NEUTRAL)
            if Situation.Kind.NEUTRAL in data["add_kinds"]
            else Q(pk__in=())
        )
        published = Situation.objects.published().prefetch_related("versions")
        chosen = published.filter(of_factors | neutral)
        collections = data["add_collections"]
        return chosen.filter(collection__in=collections) if collections else chosen


class StudySituationInline(admin.TabularInline):
    model = StudySituation
    fields = ("situation_version", "words", "is_closed")
    readonly_fields = ("situation_version", "words")
    extra = 0
    can_delete = True
    verbose_name = "situation"

    def get_queryset(self, request: HttpRequest) -> QuerySet[StudySituation]:
        related = "situation_version__situation__factor__emotion"
        return super().get_queryset(request).select_related(related)

    @admin.display(description="words")
    def words(self, row: StudySituation) -> str:
        return row.situation_version.text

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Taking a situation out of a study that has begun would leave answers without a place.
        return obj is not None and obj.state == Study.State.DRAFT


class CompletionCodeInline(admin.TabularInline):
    model = CompletionCode
    fields = ("outcome", "code", "action")
    extra = 0


@admin.register(Study)
class StudyAdmin(admin.ModelAdmin):
    form = StudyForm
    inlines = (CompletionCodeInline, StudySituationInline)
    list_display = ("title", "address", "state", "origin", "situation_count", "completed_count")
    list_filter = ("state", "origin", "instrument")
    search_fields = ("title", "slug")
    prepopulated_fields = {"slug": ("title",)}
    readonly_fields = ("state", "origin")
    change_form_template = "admin/surveys/study/change_form.html"
    fieldsets = (
        (None, {"fields": ("title", "slug", "state", "instrument")}),
        ("Situations", {"fields": ("add_factors", "add_collections", "add_kinds")}),
        (
            "What a participant goes through",
            {
                "fields": (
                    "situations_per_person", "target_per_situation", "item_order",
                    "items_per_page", "demographic_questions", "has_uplifting_task",
                    "admits_without_ids",
                )
            },
        ),
        (
            "Texts",
            {"fields": ("consent_text", "consent_version", "debrief_text", "contact", "language")},
        ),
        (
            "Quality of the answers",
            {
                "fields": (
                    "attention_items", "reading_words_per_minute", "flag_item_seconds",
                    "flag_reading_words_per_minute", "flag_synonym_difference",
                    "exclusion_flags",
                ),
                "classes": ("collapse",),
            },
        ),
        (
            "Recruitment and keeping",
            {
                "fields": (
                    "planned_minutes", "reward_minor", "reward_currency", "n_places",
                    "withdrawal_days", "identity_retention_days",
                ),
                "classes": ("collapse",),
            },
        ),
        ("Where it comes from", {"fields": ("origin", "citation"), "classes": ("collapse",)}),
    )  # fmt: skip

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

    def get_readonly_fields(self, request: HttpRequest, obj: Study | None = None) -> Any:
        if obj and (obj.state != Study.State.DRAFT or obj.participations.exists()):
            # What people answered under must stay what they answered under.
            return (*self.readonly_fields, "slug", "instrument", "item_order",
                    "situations_per_person")  # fmt: skip
        return self.readonly_fields

    def get_prepopulated_fields(self, request: HttpRequest, obj: Study | None = None) -> Any:
        return {} if "slug" in self.get_readonly_fields(request, obj) else self.prepopulated_fields

    def has_delete_permission(self, request: HttpRequest, obj: Study | None = None) -> bool:
        if obj and obj.participations.exists():
            return False
        return super().has_delete_permission(request, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        situations = list(form.situations_to_add())
        if situations:
            added = add_situations(study=form.instance, situations=situations)
            messages.success(request, f"{added} situations added.")

    def response_change(self, request: HttpRequest, obj: Study) -> HttpResponse:
        for button, transition, done in (
            ("_open", open_study, "The study is open."),
            ("_close", close_study, "The study is closed."),
        ):
            if button in request.POST:
                try:
                    transition(study=obj)
                    messages.success(request, done)
                except SurveyError as error:
                    messages.error(request, FAULTS.get(error.code, str(error)))
                return HttpResponseRedirect(request.path)
        return super().response_change(request, obj)
