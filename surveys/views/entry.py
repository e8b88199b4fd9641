"""From the link to the consent."""

from __future__ import annotations

from random import SystemRandom

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from surveys import entry_tokens
from surveys.domain.entry_ids import EntryIds, names_ids, read_ids
from surveys.models import Study
from surveys.models.participation import new_code
from surveys.services.entry import check_admission, enter_study, find_participation
from surveys.services.errors import SurveyError
from surveys.texts import render_markdown
from surveys.views.frame import participant_page


@participant_page("GET", "POST")
def study(request: HttpRequest, slug: str) -> HttpResponse:
    """Information and consent; a link with ids, or that tries to, loses them first."""
    if request.method == "POST":
        return _decide(request, slug)
    parameters = dict(request.GET.lists())
    if names_ids(parameters):
        response = redirect("surveys:study", slug)
        entry_tokens.keep_ids(response, request, slug, read_ids(parameters))
        return response
    return _show_consent(request, slug, entry_tokens.kept_ids(request, slug))


def _show_consent(request: HttpRequest, slug: str, ids: EntryIds | None) -> HttpResponse:
    study = Study.objects.select_related("instrument").filter(slug=slug).first()
    if study is None:
        raise SurveyError(code="study_unknown")
    participation = find_participation(study=study, ids=ids, code="")
    if participation is not None:
        return redirect("surveys:participation", slug, participation.code)
    check_admission(study=study, ids=ids, now=timezone.now())
    form = entry_tokens.ConsentForm(ids, new_code())
    context = {
        "study": study,
        "consent": render_markdown(study.consent_text),
        "token": entry_tokens.sign_form(slug, form),
    }
    return render(request, "surveys/consent.html", context)


def _decide(request: HttpRequest, slug: str) -> HttpResponse:
    form = entry_tokens.read_form(slug, request.POST.get("entry", ""))
    if request.POST.get("decision") != "agree":
        return redirect("surveys:declined", slug)
    participation = enter_study(
        slug=slug, ids=form.ids, code=form.code, now=timezone.now(), rng=SystemRandom()
    )
    return redirect("surveys:participation", slug, participation.code)


@participant_page("GET")
def declined(request: HttpRequest, slug: str) -> HttpResponse:
    """Thanks to whoever decided not to take part; nothing of them is stored."""
    return render(request, "surveys/declined.html", {"slug": slug})
