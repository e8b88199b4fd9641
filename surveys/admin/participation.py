"""Participations and their answers, to be read. Prolific's ids are not shown here."""

from __future__ import annotations

from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from surveys.admin.reading import ReadOnlyAdmin, ReadOnlyInline
from surveys.models import Administration, Assignment, Participation


class AssignmentInline(ReadOnlyInline):
    model = Assignment
    fields = ("position", "situation_version", "words")
    readonly_fields = ("words",)

    @admin.display(description="words")
    def words(self, assignment: Assignment) -> str:
        return assignment.situation_version.text


class AdministrationInline(ReadOnlyInline):
    model = Administration
    fields = ("phase", "answers", "scores", "started_at", "completed_at")
    readonly_fields = ("answers",)

    @admin.display(description="ratings, in the order shown")
    def answers(self, administration: Administration) -> SafeString:
        keys = administration.instrument.spec.item_keys
        order = administration.item_order or range(len(keys))
        shown = ((keys[i], _rating(administration.ratings, i)) for i in order)
        return format_html("{}", format_html_join(", ", "{} {}", shown))


def _rating(ratings: list[int | None], position: int) -> str:
    rating = ratings[position] if position < len(ratings) else None
    return "–" if rating is None else str(rating)


@admin.register(Participation)
class ParticipationAdmin(ReadOnlyAdmin):
    list_display = (
        "short_code", "study", "state", "is_test", "excluded_because", "pages_done",
        "consented_at", "completed_at",
    )  # fmt: skip
    list_filter = ("study", "state", "is_test", "gender", "country")
    search_fields = ("code", "source_key")
    list_select_related = ("study",)
    date_hierarchy = "completed_at"
    inlines = (AssignmentInline, AdministrationInline)
    exclude = ("participant",)

    @admin.display(description="participation")
    def short_code(self, participation: Participation) -> str:
        return participation.code[:8]
