"""Emotions, factors, situations: adding, revising, publishing, retiring."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from surveys.admin.reading import ReadOnlyInline, latest_text, short
from surveys.models import Collection, Emotion, Factor, Situation, SituationVersion
from surveys.services.catalogue import is_in_use, revise_situation
from surveys.services.situations import add_situation


class SituationForm(forms.ModelForm):
    """A situation with its newest words."""

    text = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 5, "cols": 80}),
        help_text="What the respondent is to imagine. Words that somebody has been given stay as "
        "they are; changing them makes a new version.",
    )
    source = forms.CharField(
        required=False, max_length=300, help_text="The paper it comes from, if any."
    )

    class Meta:
        model = Situation
        fields = ("factor", "kind", "state")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk and (version := self.instance.current_version):
            self.initial.update(text=version.text, source=version.source)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        kind, factor = cleaned.get("kind"), cleaned.get("factor")
        if kind == Situation.Kind.NEUTRAL and factor:
            self.add_error("factor", "A neutral situation belongs to no factor.")
        elif kind and kind != Situation.Kind.NEUTRAL and not factor:
            self.add_error("factor", "Choose the factor that the situation belongs to.")
        return cleaned


class VersionInline(ReadOnlyInline):
    model = SituationVersion
    fields = readonly_fields = ("number", "text", "source", "created_at")


@admin.register(Situation)
class SituationAdmin(admin.ModelAdmin):
    form = SituationForm
    inlines = (VersionInline,)
    list_display = ("code", "words", "state", "kind", "collection")
    list_filter = ("state", "kind", "collection", "factor__emotion", "factor")
    search_fields = ("versions__text", "factor__name", "factor__emotion__name")
    list_select_related = ("factor__emotion", "collection")
    list_per_page = 50
    actions = ("publish", "retire")
    change_form_template = "admin/surveys/situation/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Situation]:
        return super().get_queryset(request).annotate(newest_text=latest_text())

    @admin.display(description="situation")
    def words(self, situation: Any) -> str:
        return short(situation.newest_text or "")

    def get_readonly_fields(
        self, request: HttpRequest, obj: Situation | None = None
    ) -> tuple[str, ...]:
        # Its place is part of what answers refer to.
        return ("factor", "kind") if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Situation | None = None) -> bool:
        if obj and any(is_in_use(version) for version in obj.versions.all()):
            return False
        return super().has_delete_permission(request, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions = super().get_actions(request)
        # Bulk deletion would pass by the check above; a situation in use is retired instead.
        actions.pop("delete_selected", None)
        return actions

    def save_model(self, request: HttpRequest, obj: Situation, form: Any, change: bool) -> None:
        data = form.cleaned_data
        if not change:
            added = add_situation(
                factor=data["factor"],
                kind=data["kind"],
                text=data["text"],
                source=data["source"],
                state=data["state"],
            )
            obj.pk = added.pk
            obj.refresh_from_db()
            return
        super().save_model(request, obj, form, change)
        before = obj.versions.count()
        revise_situation(situation=obj, text=data["text"], source=data["source"])
        if obj.versions.count() > before:
            messages.info(
                request,
                "The earlier words have been given to respondents and stay as they are: "
                "a new version was made. Studies keep the version they hold.",
            )

    @admin.action(description="Publish the selected situations")
    def publish(self, request: HttpRequest, queryset: QuerySet[Situation]) -> None:
        changed = queryset.update(state=Situation.State.PUBLISHED)
        messages.success(request, f"{changed} published: new studies and runs find them.")

    @admin.action(description="Retire the selected situations")
    def retire(self, request: HttpRequest, queryset: QuerySet[Situation]) -> None:
        changed = queryset.update(state=Situation.State.RETIRED)
        messages.success(request, f"{changed} retired: their answers stay, nobody new gets them.")


class FactorInline(admin.TabularInline):
    model = Factor
    extra = 0


@admin.register(Emotion)
class EmotionAdmin(admin.ModelAdmin):
    list_display = ("name", "position")
    search_fields = ("name",)
    inlines = (FactorInline,)


@admin.register(Factor)
class FactorAdmin(admin.ModelAdmin):
    list_display = ("name", "emotion", "position")
    list_filter = ("emotion",)
    list_select_related = ("emotion",)
    search_fields = ("name", "emotion__name")


@admin.register(Collection)
class CollectionAdmin(admin.ModelAdmin):
    list_display = ("name", "slug", "licence")
    search_fields = ("name",)
