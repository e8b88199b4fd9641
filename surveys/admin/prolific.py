"""Prolific in the administration: studies there, submissions, bonuses, and what it delivered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone

from surveys.admin.reading import ReadOnlyAdmin, short
from surveys.models import BonusPayment, ProlificStudy, Study, Submission, WebhookDelivery
from surveys.prolific.acts import ACTS, perform, remedy_case
from surveys.prolific.bonuses import plan_again, plan_bonus
from surveys.prolific.client import connect
from surveys.prolific.drafts import connect_study, draft_study
from surveys.prolific.forms import BonusForm, ConnectForm, ReturnForm
from surveys.prolific.overview import describe
from surveys.prolific.payments import approve_submissions, ask_for_return
from surveys.services.errors import SurveyError
from surveys.staff import staff_of


@admin.register(ProlificStudy)
class ProlificStudyAdmin(ReadOnlyAdmin):
    list_display = ("study", "state_here", "status", "n_places", "synced_at", "problem")
    list_select_related = ("study",)
    fields = ("study", "prolific_id", "status", "n_places", "synced_at", "sync_error")
    change_form_template = "admin/surveys/prolific/study.html"

    @admin.display(description="state here")
    def state_here(self, row: ProlificStudy) -> str:
        return row.study.get_state_display()

    @admin.display(description="last problem")
    def problem(self, row: ProlificStudy) -> str:
        return short(row.sync_error) or "–"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        own = [
            path("<int:pk>/act/<slug:name>/", view(self.act), name="surveys_prolific_act"),
            path("<int:pk>/case/<int:case>/", view(self.remedy), name="surveys_prolific_case"),
        ]
        return own + super().get_urls()

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Draft a study on Prolific, or connect one that is there."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = ConnectForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            try:
                row = _connect(form, request)
            except SurveyError as error:
                form.add_error(None, str(error))
            else:
                messages.success(request, f"{row} is connected. Nothing is published yet.")
                return redirect("admin:surveys_prolificstudy_change", row.pk)
        return _form_page(self, request, form, "Connect a study with Prolific", "Connect")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:  # fmt: skip
        row: ProlificStudy | None = self.get_object(request, unquote(object_id))
        context = describe(row=row, now=timezone.now()) if row else {}
        context["may_act"] = _may_act(request)
        return super().change_view(request, object_id, form_url, context | (extra_context or {}))

    def act(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """One of the buttons; grave ones need their tick."""
        row = self._row_to_act_on(request, pk)
        if name not in ACTS:
            raise Http404
        if ACTS[name].is_grave and "sure" not in request.POST:
            messages.warning(request, f"“{ACTS[name].words}” needs the tick beside it.")
        else:
            _try(request, lambda: perform(row=row, name=name, actor=staff_of(request)))
        return redirect("admin:surveys_prolificstudy_change", pk)

    def remedy(self, request: HttpRequest, pk: int, case: int) -> HttpResponse:
        """What helps with one submission that does not fit."""
        row = self._row_to_act_on(request, pk)
        submission = get_object_or_404(row.study.submissions, pk=case)
        remedy, reason = request.POST.get("remedy", ""), request.POST.get("reason", "")
        _try(
            request,
            lambda: remedy_case(
                submission=submission, remedy=remedy, reason=reason, actor=staff_of(request)
            ),
        )
        return redirect("admin:surveys_prolificstudy_change", pk)

    def _row_to_act_on(self, request: HttpRequest, pk: int) -> ProlificStudy:
        if request.method != "POST" or not _may_act(request):
            raise PermissionDenied
        return get_object_or_404(ProlificStudy.objects.select_related("study"), pk=pk)


def _may_act(request: HttpRequest) -> bool:
    return staff_of(request).has_perm("surveys.change_prolificstudy")


def _connect(form: ConnectForm, request: HttpRequest) -> ProlificStudy:
    study, prolific_id = form.cleaned_data["study"], form.cleaned_data["prolific_id"]
    actor = staff_of(request)
    with connect() as client:
        if prolific_id:
            return connect_study(study=study, prolific_id=prolific_id, client=client, actor=actor)
        return draft_study(study=study, client=client, actor=actor)


def _try(request: HttpRequest, act: Callable[[], str]) -> None:
    try:
        messages.success(request, act())
    except SurveyError as error:
        messages.error(request, str(error))


def _form_page(
    page: ReadOnlyAdmin, request: HttpRequest, form: Form, title: str, button: str, **more: Any
) -> TemplateResponse:
    context = {
        **page.admin_site.each_context(request),
        "title": title,
        "form": form,
        "button": button,
        "opts": page.opts,
        **more,
    }
    return TemplateResponse(request, "admin/surveys/prolific/form.html", context)


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyAdmin):
    list_display = (
        "pk", "study", "state_here", "status", "entered_code", "is_proven", "approved_at",
        "return_requested_at",
    )  # fmt: skip
    list_filter = ("study", "status", "participation__state", "is_proven")
    search_fields = ("prolific_participant_id", "prolific_session_id", "entered_code")
    list_select_related = ("study", "participation")
    actions = ("approve", "request_return", "give_bonus")

    @admin.display(description="state here", ordering="participation__state")
    def state_here(self, submission: Submission) -> str:
        participation = submission.participation
        return participation.get_state_display() if participation else "never came"

    def has_pay_permission(self, request: HttpRequest) -> bool:
        return staff_of(request).has_perm("surveys.change_submission")

    @admin.action(description="Approve on Prolific", permissions=["pay"])
    def approve(self, request: HttpRequest, chosen: QuerySet[Submission]) -> None:
        keys: dict[Study, list[int]] = {}
        for row in chosen.select_related("study"):
            keys.setdefault(row.study, []).append(row.pk)
        _try(request, lambda: _approve(keys, request))

    @admin.action(description="Ask for the return", permissions=["pay"])
    def request_return(
        self, request: HttpRequest, chosen: QuerySet[Submission]
    ) -> HttpResponse | None:
        form = ReturnForm(request.POST if "confirmed" in request.POST else None)
        if not form.is_valid():
            return self._ask(request, form, chosen, "request_return", "Ask for the return")
        _try(request, lambda: _ask_for_returns(chosen, form.cleaned_data["reason"], request))
        return None

    @admin.action(description="Plan a bonus", permissions=["pay"])
    def give_bonus(self, request: HttpRequest, chosen: QuerySet[Submission]) -> HttpResponse | None:
        form = BonusForm(request.POST if "confirmed" in request.POST else None)
        if not form.is_valid():
            return self._ask(request, form, chosen, "give_bonus", "Plan the bonus")
        _try(request, lambda: _plan(chosen, form))
        return None

    def _ask(
        self,
        request: HttpRequest,
        form: Form,
        chosen: QuerySet[Submission],
        action: str,
        title: str,
    ) -> TemplateResponse:
        keys = list(chosen.values_list("pk", flat=True))
        return _form_page(self, request, form, title, title, keys=keys, action=action)


def _approve(keys: dict[Study, list[int]], request: HttpRequest) -> str:
    n_asked = n_skipped = 0
    with connect() as client:
        for study, pks in keys.items():
            done = approve_submissions(
                study=study, submissions=pks, client=client, now=timezone.now(),
                actor=staff_of(request),
            )  # fmt: skip
            n_asked, n_skipped = n_asked + done.n_asked, n_skipped + done.n_skipped
    return f"Approval was asked for {n_asked}; {n_skipped} do not await a review."


def _ask_for_returns(chosen: QuerySet[Submission], reason: str, request: HttpRequest) -> str:
    n_asked, refused = 0, []
    with connect() as client:
        for row in chosen.select_related("study"):
            try:
                n_asked += ask_for_return(
                    submission=row, reason=reason, client=client, now=timezone.now(),
                    actor=staff_of(request),
                )  # fmt: skip
            except SurveyError as error:
                refused.append(f"Submission {row.pk}: {error}")
    return " ".join([f"{n_asked} were asked to return their submission.", *refused])


def _plan(chosen: QuerySet[Submission], form: BonusForm) -> str:
    reason = form.cleaned_data["reason"]
    for row in chosen:
        plan_bonus(submission=row, amount_minor=form.amount_minor(), reason=reason)
    return f"{len(chosen)} bonuses are planned. Pay them on the study's Prolific page."


@admin.register(BonusPayment)
class BonusPaymentAdmin(ReadOnlyAdmin):
    list_display = ("pk", "study", "submission_key", "amount_minor", "reason", "state", "paid_at")
    list_filter = ("state", "submission__study")
    list_select_related = ("submission__study",)
    actions = ("plan_again",)

    @admin.display(description="study")
    def study(self, bonus: BonusPayment) -> str:
        return str(bonus.submission.study)

    @admin.display(description="submission")
    def submission_key(self, bonus: BonusPayment) -> int:
        return bonus.submission_id

    def has_pay_permission(self, request: HttpRequest) -> bool:
        return staff_of(request).has_perm("surveys.change_bonuspayment")

    @admin.action(description="Not paid on Prolific: plan again", permissions=["pay"])
    def plan_again(self, request: HttpRequest, chosen: QuerySet[BonusPayment]) -> None:
        rows = chosen.select_related("submission__study")
        n = sum(plan_again(bonus=bonus, actor=staff_of(request)) for bonus in rows)
        messages.success(request, f"{n} bonuses are planned again.")


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ReadOnlyAdmin):
    list_display = ("event_type", "sent_at", "received_at", "outcome")
    list_filter = ("event_type",)
    search_fields = ("event_id",)
