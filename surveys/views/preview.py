"""What a participant would see, for those who write it; nothing is stored."""

from __future__ import annotations

import copy
from dataclasses import dataclass

from csp.constants import SELF
from csp.decorators import csp_replace
from django.contrib.admin.views.decorators import staff_member_required
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from surveys.domain.pages import SituationPage
from surveys.domain.protocol import ImaginedSituation
from surveys.models import Situation, Study
from surveys.services.errors import SurveyError
from surveys.services.journey import load_journey
from surveys.services.rehearsal import finish, go_to_page, rehearse, rehearse_entry
from surveys.services.withdrawal import withdraw
from surveys.study_words import page_title, sentence
from surveys.views import ends, entry, pages

# Besides the numbered pages; those before the first and those after the last.
BEFORE = {"consent": "Information and consent"}
AFTER = {
    "debriefing": "Debriefing",
    "end": "Completion code",
    "declined": "After declining",
    "withdraw": "Withdrawing",
    "withdrawn": "After withdrawing",
}


@staff_member_required
@permission_required("surveys.view_situation", raise_exception=True)
@require_safe
def situation_preview(request: HttpRequest, pk: int) -> HttpResponse:
    """The newest words of a situation, drafts included, on the page that participants get."""
    situation = get_object_or_404(Situation.objects.select_related("factor__emotion"), pk=pk)
    version = situation.current_version
    if version is None:
        raise Http404("this situation has no words yet")
    page = SituationPage(ImaginedSituation(version.pk, version.text), ordinal=1, total=1)
    context = {"situation": situation, "page": page}
    return render(request, "surveys/situation_preview.html", context)


@dataclass(frozen=True, slots=True)
class Step:
    """One page of a study in the preview: its name in the address, and its title."""

    name: str
    title: str


@staff_member_required
@permission_required("surveys.view_study", raise_exception=True)
@require_safe
def study_preview(request: HttpRequest, slug: str, step: str = "") -> HttpResponse:
    """Any page of a study, on a phone and on a desktop beside each other."""
    study = _own_study(slug)
    if not step:
        return redirect("surveys:study_preview", slug, next(iter(BEFORE)))
    context: dict[str, object] = {"study": study}
    try:
        steps = _steps(study)
    except SurveyError as error:
        context["fault"] = sentence(error.code)
        return render(request, "surveys/study_preview.html", context, status=409)
    names = [each.name for each in steps]
    if step not in names:
        raise Http404("this study has no such page")
    place = names.index(step)
    context |= {
        "steps": steps,
        "step": steps[place],
        "place": place + 1,
        "before": steps[place - 1] if place else None,
        "after": steps[place + 1] if place + 1 < len(steps) else None,
    }
    return render(request, "surveys/study_preview.html", context)


@staff_member_required
@permission_required("surveys.view_study", raise_exception=True)
@require_safe
@xframe_options_sameorigin
@csp_replace({"frame-ancestors": [SELF]})  # type: ignore[arg-type]  # its types know no arguments
def previewed_page(request: HttpRequest, slug: str, step: str) -> HttpResponse:
    """The page itself, as the participants' own view answers; for the frames of the preview."""
    study = _own_study(slug)
    request = _without_ids(request)
    if step == "consent":
        with rehearse_entry(study=study, now=timezone.now()):
            return entry.study(request, slug)
    if step == "declined":
        return entry.declined(request, slug)
    return _rehearsed_page(request, study, step)


def _rehearsed_page(request: HttpRequest, study: Study, step: str) -> HttpResponse:
    now = timezone.now()
    with rehearse(study=study, now=now) as participation:
        address = (request, study.slug, participation.code)
        n_pages = len(load_journey(slug=study.slug, code=participation.code).pages)
        if step.isdecimal() and 1 <= int(step) <= n_pages:
            go_to_page(participation, int(step))
            return pages.page(*address, int(step))
        if step == "withdraw":
            return ends.withdrawal(*address)
        if step == "withdrawn":
            withdraw(slug=study.slug, code=participation.code, now=now)
            return pages.participation(*address)
        if step not in AFTER:
            raise Http404("this study has no such page")
        finish(participation, n_pages=n_pages, now=now, has_left=step == "end")
        return pages.participation(*address)


def _own_study(slug: str) -> Study:
    studies = Study.objects.select_related("instrument").filter(origin=Study.Origin.OWN)
    study: Study = get_object_or_404(studies, slug=slug)
    return study


def _without_ids(request: HttpRequest) -> HttpRequest:
    """The same request from a browser that never saw the study."""
    fresh = copy.copy(request)
    fresh.COOKIES = {}
    fresh.GET = QueryDict()
    return fresh


def _steps(study: Study) -> list[Step]:
    with rehearse(study=study, now=timezone.now()) as participation:
        numbered = load_journey(slug=study.slug, code=participation.code).pages
    return [
        *(Step(name, title) for name, title in BEFORE.items()),
        *(Step(str(number), page_title(page)) for number, page in enumerate(numbered, 1)),
        *(Step(name, title) for name, title in AFTER.items()),
    ]
