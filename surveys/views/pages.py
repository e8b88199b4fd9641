"""The pages of one participation, under its secret address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from surveys import forms
from surveys.domain.pages import DemographicsPage, RatingsPage, SituationPage
from surveys.models import Participation
from surveys.services.journey import Journey, find_by_code, load_journey
from surveys.services.paradata import record_shown
from surveys.services.saving import save_page
from surveys.views.ends import show_end
from surveys.views.frame import participant_page, speak


@participant_page("GET")
def participation(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """The address that leads to wherever this participation stands, from any browser."""
    found = find_by_code(slug=slug, code=code)
    if found.state == Participation.State.ACTIVE:
        return redirect("surveys:page", slug, code, load_journey(slug=slug, code=code).current_page)
    return show_end(request, found)


@participant_page("GET", "POST")
def page(request: HttpRequest, slug: str, code: str, number: int) -> HttpResponse:
    """Show a page, or save it and go to the next."""
    if request.method == "POST":
        return _save(request, slug, code, number)
    journey = load_journey(slug=slug, code=code)
    if not journey.is_active:
        return redirect("surveys:participation", slug, code)
    if not journey.is_open(number):
        return redirect("surveys:page", slug, code, journey.current_page)
    if not _is_seen(request):
        return _show_page(request, Shown(journey, number))
    now = timezone.now()
    visit = record_shown(participation=journey.participation, number=number, now=now)
    return _show_page(request, Shown(journey, number, wait_s=journey.wait_s(visit, now)))


def _is_seen(request: HttpRequest) -> bool:
    """Whether somebody looks at the answer: previews and pages fetched ahead start no clock."""
    purpose = request.headers.get("Sec-Purpose") or request.headers.get("Purpose") or ""
    return request.method != "HEAD" and "prefetch" not in purpose.lower()


def _save(request: HttpRequest, slug: str, code: str, number: int) -> HttpResponse:
    sent = {
        name.removeprefix(forms.ITEM_PREFIX): str(text)
        for name, text in request.POST.items()
        if name != forms.REPORT_FIELD
    }
    report = str(request.POST.get(forms.REPORT_FIELD, ""))
    saved = save_page(
        slug=slug, code=code, number=number, sent=sent, now=timezone.now(), report=report
    )
    if saved.faults or saved.wait_s:
        shown = Shown(saved.journey, number, sent, saved.faults, saved.wait_s, is_too_early=True)
        return _show_page(request, shown, status=422)
    if saved.next_page is None:
        return redirect("surveys:participation", slug, code)
    return redirect("surveys:page", slug, code, saved.next_page)


@dataclass(frozen=True, slots=True)
class Shown:
    """A page to show, with what was sent just now, or else with what is stored."""

    journey: Journey
    number: int
    sent: Mapping[str, str] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)
    wait_s: int = 0
    is_too_early: bool = False


def _show_page(request: HttpRequest, shown: Shown, status: int = 200) -> HttpResponse:
    journey, number = shown.journey, shown.number
    speak(journey.participation.study)
    context: dict[str, Any] = {
        "study": journey.participation.study,
        "code": journey.participation.code,
        "number": number,
        "total": len(journey.pages),
        "back": number - 1 if journey.is_open(number - 1) else None,
    }
    match journey.pages[number - 1]:
        case DemographicsPage() as page:
            template = "surveys/demographics.html"
            chosen = shown.sent or forms.saved_demographics(journey.participation)
            context["fields"] = forms.demographic_fields(chosen, shown.faults, page.questions)
        case SituationPage() as page:
            template = "surveys/situation.html"
            wait = forms.waiting(shown.wait_s, is_too_early=shown.is_too_early)
            context |= {"page": page, "wait": wait}
        case RatingsPage() as page:
            template = "surveys/ratings.html"
            stored = {k: str(v) for k, v in journey.answers(page.measure_position).items()}
            context |= {"page": page, "instrument": journey.instrument}
            context["fields"] = forms.rating_fields(
                journey.instrument, page, stored | dict(shown.sent), shown.faults
            )
    context["error_heading"] = forms.error_count(context.get("fields", ()))
    return render(request, template, context, status=status)
