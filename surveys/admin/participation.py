"""Participations and their answers, to be read. Prolific's ids are not shown here."""

from __future__ import annotations

from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from surveys.admin.reading import ReadOnlyAdmin, ReadOnlyInline
from surveys.models import (
    Administration,
    Assignment,
    AttentionCheck,
    PageVisit,
    Participation,
)


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


class AttentionCheckInline(ReadOnlyInline):
    model = AttentionCheck
    fields = ("measure_position", "text", "asked_value", "answered_value", "answered_at")


class PageVisitInline(ReadOnlyInline):
    model = PageVisit
    fields = ("number", "first_shown_at", "saved_at", "seconds", "visits", "in_view")
    readonly_fields = ("seconds", "in_view")

    @admin.display(description="seconds to saving")
    def seconds(self, visit: PageVisit) -> str:
        if visit.saved_at is None:
            return "–"
        return f"{(visit.saved_at - visit.first_shown_at).total_seconds():.1f}"

    @admin.display(description="seconds in view")
    def in_view(self, visit: PageVisit) -> str:
        return f"{visit.visible_ms / 1000:.1f}" if visit.visible_ms else "–"


@admin.register(Participation)
class ParticipationAdmin(ReadOnlyAdmin):
    list_display = (
        "short_code", "study", "state", "is_test", "outcome", "sign_count", "excluded_because",
        "pages_done", "consented_at", "completed_at",
    )  # fmt: skip
    list_filter = ("study", "state", "is_test", "outcome", "gender", "country")
    search_fields = ("code", "source_key")
    list_select_related = ("study",)
    date_hierarchy = "completed_at"
    inlines = (AssignmentInline, AdministrationInline, AttentionCheckInline, PageVisitInline)
    exclude = ("participant", "flags")
    readonly_fields = ("signs",)

    @admin.display(description="participation")
    def short_code(self, participation: Participation) -> str:
        return participation.code[:8]

    @admin.display(description="signs of careless answers")
    def signs(self, participation: Participation) -> str:
        return "; ".join(flag["reason"] for flag in participation.flags) or "–"

    @admin.display(description="signs")
    def sign_count(self, participation: Participation) -> str:
        return str(len(participation.flags)) if participation.flags else "–"
