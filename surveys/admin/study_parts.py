"""What stands below a study: completion codes, and what happened to it. And its situations."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest

from surveys.admin.reading import ReadOnlyInline, short
from surveys.domain.study_changes import Refusal, refused_codes
from surveys.models import CompletionCode, Study, StudyEvent, StudySituation
from surveys.services.errors import SurveyError
from surveys.services.studies import set_situation_closed
from surveys.services.study_rules import has_takers
from surveys.services.study_situations import remove_situations
from surveys.staff import staff_of
from surveys.study_words import REFUSALS, sentence


class CompletionCodeForm(forms.ModelForm):
    def clean_code(self) -> str:
        code = self.cleaned_data["code"].strip()
        if not re.fullmatch(r"[A-Za-z0-9_-]{4,40}", code):
            raise forms.ValidationError("Use 4 to 40 letters, digits, hyphens or underscores.")
        return code


class CompletionCodeFormSet(BaseInlineFormSet):
    """Refuses to alter or take away a code that somebody may already have handed in."""

    def add_fields(self, form: forms.ModelForm, index: int | None) -> None:
        super().add_fields(form, index)
        # The table's headings are not bound to the fields of its rows.
        which = "new completion code" if index is None else f"completion code {index + 1}"
        for name, field in form.fields.items():
            field.widget.attrs["aria-label"] = f"{name.lower()} of {which}"

    def clean(self) -> None:
        super().clean()
        study = self.instance
        if not study.pk or any(self.errors):
            return
        if study.state == Study.State.ARCHIVED and self.has_changed():
            raise forms.ValidationError(REFUSALS[Refusal.ARCHIVE])
        before = dict(study.completion_codes.values_list("outcome", "code"))
        kept = [form.cleaned_data for form in self.forms if form not in self.deleted_forms]
        after = {data["outcome"]: data["code"] for data in kept if data.get("outcome")}
        refused = refused_codes(before, after)
        if refused and has_takers(study):
            names = ", ".join(refused).replace("_", " ")
            raise forms.ValidationError(f"{names}: {REFUSALS[Refusal.CODE]}")


class CompletionCodeInline(admin.TabularInline):
    model = CompletionCode
    form = CompletionCodeForm
    formset = CompletionCodeFormSet
    fields = ("outcome", "code", "action")
    extra = 0
    verbose_name = "completion code"
    verbose_name_plural = "completion codes: what each end of a participation hands to Prolific"


class StudyEventInline(ReadOnlyInline):
    model = StudyEvent
    fields = readonly_fields = ("at", "kind", "detail", "actor")
    verbose_name_plural = "what happened to this study"


@admin.register(StudySituation)
class StudySituationAdmin(admin.ModelAdmin):
    """The situations of a study, many at a time: closed, opened, taken out."""

    list_display = ("situation_version", "words", "kind", "is_closed", "study")
    list_display_links = None
    list_filter = (
        "is_closed",
        "situation_version__situation__kind",
        "situation_version__situation__factor__emotion",
        "study",
    )
    search_fields = ("situation_version__text",)
    list_select_related = ("study", "situation_version__situation__factor__emotion")
    list_per_page = 50
    ordering = ("study", "id")
    actions = ("close", "open", "take_out")

    @admin.display(description="words")
    def words(self, row: StudySituation) -> str:
        return short(row.situation_version.text, 140)

    @admin.display(description="kind")
    def kind(self, row: StudySituation) -> str:
        return row.situation_version.situation.get_kind_display()

    def get_model_perms(self, request: HttpRequest) -> dict[str, bool]:
        # It is reached from a study; a list over all studies means little.
        return {}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("study", "situation_version", "is_closed")

    @admin.action(description="Close: give them to nobody new", permissions=["change"])
    def close(self, request: HttpRequest, queryset: QuerySet[StudySituation]) -> None:
        self._set_closed(request, queryset, True)

    @admin.action(description="Open: give them to people again", permissions=["change"])
    def open(self, request: HttpRequest, queryset: QuerySet[StudySituation]) -> None:
        self._set_closed(request, queryset, False)

    def _set_closed(
        self, request: HttpRequest, queryset: QuerySet[StudySituation], is_closed: bool
    ) -> None:
        rows = list(queryset.exclude(is_closed=is_closed))
        for row in rows:
            set_situation_closed(
                study=row.study, place=row.pk, is_closed=is_closed, actor=staff_of(request)
            )
        messages.success(request, f"{len(rows)} situations {'closed' if is_closed else 'opened'}.")

    @admin.action(description="Take them out of the study", permissions=["change"])
    def take_out(self, request: HttpRequest, queryset: QuerySet[StudySituation]) -> None:
        rows = list(queryset)
        for study in {row.study for row in rows}:
            places = [row.pk for row in rows if row.study_id == study.pk]
            try:
                removed = remove_situations(study=study, places=places, actor=staff_of(request))
            except SurveyError as error:
                messages.error(request, f"{study}: {sentence(error.code)}")
            else:
                messages.success(request, f"{study}: {removed} situations taken out.")
