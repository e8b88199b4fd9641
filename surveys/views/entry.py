"""From the link to the consent, or away again."""

from __future__ import annotations

from random import SystemRandom

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from surveys import entry_tokens
from surveys.domain.entry_ids import EntryIds, names_ids
from surveys.domain.outcomes import Outcome
from surveys.models import Participation, ProlificStudy, Study
from surveys.models.participation import new_code
from surveys.prolific.launching import names_launch, read_launch
from surveys.services.declining import decline_study
from surveys.services.entry import check_admission, enter_study, find_participation
from surveys.services.errors import SurveyError
from surveys.services.leaving import offer_code
from surveys.services.rejoining import has_begun_again, rejoin_study
from surveys.texts import render_markdown
from surveys.views.frame import participant_page, speak


@participant_page("GET", "POST")
def study(request: HttpRequest, slug: str) -> HttpResponse:
    """Information and consent; a link with ids, or that tries to, loses them first."""
    if request.method == "POST":
        return _decide(request, slug)
    parameters = dict(request.GET.lists())
    if names_ids(parameters) or names_launch(parameters):
        response = redirect("surveys:study", slug)
        entry_tokens.keep_ids(response, request, slug, read_launch(parameters))
        return response
    return _show_consent(request, slug, entry_tokens.kept_ids(request, slug))


def _show_consent(request: HttpRequest, slug: str, ids: EntryIds | None) -> HttpResponse:
    study = _find_study(slug)
    speak(study)
    participation = find_participation(study=study, ids=ids, code="")
    if participation is not None and has_begun_again(participation=participation, ids=ids):
        return _ask_to_rejoin(request, study, participation, ids)
    if participation is not None:
        return redirect("surveys:participation", slug, participation.code)
    _check_origin(study, ids)
    check_admission(study=study, ids=ids, now=timezone.now())
    form = entry_tokens.ConsentForm(ids, new_code(), study.consent_version)
    context = {
        "study": study,
        "consent": render_markdown(study.consent_text),
        "token": entry_tokens.sign_form(slug, form),
    }
    return render(request, "surveys/consent.html", context)


def _find_study(slug: str) -> Study:
    study: Study | None = Study.objects.select_related("instrument").filter(slug=slug).first()
    if study is None:
        raise SurveyError(code="study_unknown")
    return study


def _check_origin(study: Study, ids: EntryIds | None) -> None:
    """Refuse a link of another study on Prolific, where it is known which one recruits for ours."""
    if ids is None or study.is_pilot:
        return
    recruiting = ProlificStudy.objects.filter(study=study).first()
    if recruiting is not None and recruiting.prolific_id != ids.study:
        raise SurveyError(code="study_other")


def _ask_to_rejoin(
    request: HttpRequest, study: Study, participation: Participation, ids: EntryIds | None
) -> HttpResponse:
    form = entry_tokens.ConsentForm(ids, participation.code)
    context = {
        "study": study,
        "is_complete": participation.completed_at is not None,
        "token": entry_tokens.sign_form(study.slug, form),
    }
    return render(request, "surveys/rejoin.html", context)


def _decide(request: HttpRequest, slug: str) -> HttpResponse:
    form = entry_tokens.read_form(slug, request.POST.get("entry", ""))
    match request.POST.get("decision"):
        case "agree":
            participation = enter_study(
                slug=slug, ids=form.ids, code=form.code, now=timezone.now(), rng=SystemRandom(),
                consent_version=form.consent_version,
            )  # fmt: skip
        case "rejoin":
            participation = rejoin_study(slug=slug, ids=form.ids, now=timezone.now())
        case _:
            begun = find_participation(study=_find_study(slug), ids=form.ids, code=form.code)
            if begun is not None:
                # They agreed in another window: only withdrawing undoes that.
                return redirect("surveys:withdraw", slug, begun.code)
            decline_study(slug=slug, key=form.ids.participant if form.ids else form.code)
            return redirect("surveys:declined", slug)
    return redirect("surveys:participation", slug, participation.code)


@participant_page("GET")
def declined(request: HttpRequest, slug: str) -> HttpResponse:
    """Thanks to whoever decided not to take part; nothing of them is stored."""
    study = _find_study(slug)
    speak(study)
    # A browser that refuses cookies is not to blame, and the code is worth nothing to others.
    came_from_prolific = (
        entry_tokens.kept_ids(request, slug) is not None or not study.admits_without_ids
    )
    context = {
        "study": study,
        "is_return": came_from_prolific,
        "offer": offer_code(study=study, outcome=Outcome.NO_CONSENT)
        if came_from_prolific
        else None,
    }
    return render(request, "surveys/declined.html", context)
