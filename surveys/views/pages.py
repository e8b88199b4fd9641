"""The pages of one participation, under its secret address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from surveys import forms
from surveys.domain.pages import DemographicsPage, RatingsPage, SituationPage
from surveys.models import Participation
from surveys.services.journey import Journey, find_by_code, load_journey
from surveys.services.saving import save_page
from surveys.views.ends import show_end
from surveys.views.frame import participant_page


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
    return _show_page(request, journey, number, None, {})


def _save(request: HttpRequest, slug: str, code: str, number: int) -> HttpResponse:
    sent = {name.removeprefix(forms.ITEM_PREFIX): str(text) for name, text in request.POST.items()}
    saved = save_page(slug=slug, code=code, number=number, sent=sent, now=timezone.now())
    if saved.faults:
        return _show_page(request, saved.journey, number, sent, saved.faults)
    if saved.next_page is None:
        return redirect("surveys:participation", slug, code)
    return redirect("surveys:page", slug, code, saved.next_page)


def _show_page(
    request: HttpRequest,
    journey: Journey,
    number: int,
    sent: Mapping[str, str] | None,
    faults: Mapping[str, str],
) -> HttpResponse:
    """The page with what was sent just now, or else with what is stored."""
    context: dict[str, Any] = {
        "study": journey.participation.study,
        "code": journey.participation.code,
        "number": number,
        "total": len(journey.pages),
        "back": number - 1 if journey.is_open(number - 1) else None,
    }
    match journey.pages[number - 1]:
        case DemographicsPage():
            template = "surveys/demographics.html"
            chosen = sent or forms.saved_demographics(journey.participation)
            context["fields"] = forms.demographic_fields(chosen, faults)
        case SituationPage() as page:
            template = "surveys/situation.html"
            context["page"] = page
        case RatingsPage() as page:
            template = "surveys/ratings.html"
            stored = {k: str(v) for k, v in journey.ratings(page.measure_position).items()}
            context |= {"page": page, "instrument": journey.instrument}
            context["fields"] = forms.rating_fields(
                journey.instrument, page, stored | dict(sent or {}), faults
            )
    context["error_heading"] = forms.error_count(context.get("fields", ()))
    return render(request, template, context, status=422 if faults else 200)
