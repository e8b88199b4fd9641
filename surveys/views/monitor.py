"""A running study on one page that refreshes itself, with a button where one step helps."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.admin.views.decorators import staff_member_required
from django.contrib.auth.decorators import permission_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from surveys.domain.money import in_words, money
from surveys.domain.quality import Sign
from surveys.models import ProlificStudy, Study
from surveys.prolific.client import connect
from surveys.prolific.pay import read_rates
from surveys.services.errors import SurveyError
from surveys.services.monitoring import Monitor, observe
from surveys.services.pilot import reset_pilot
from surveys.services.quality import judge_study
from surveys.services.studies import change_state, set_situation_closed
from surveys.staff import staff_of
from surveys.study_words import (
    REMEDIES,
    STEPS,
    need_sentence,
    page_title,
    sentence,
    steps_from,
)

LATEST_EVENTS = 12


@never_cache
@staff_member_required
@permission_required("surveys.view_study", raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def monitor(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the study, or only what changes of it with `?part=live`; or take one step."""
    studies = Study.objects.select_related("instrument").filter(origin=Study.Origin.OWN)
    study = get_object_or_404(studies, slug=slug)
    if request.method == "POST":
        return _act(request, study)
    template = "live" if request.GET.get("part") == "live" else "page"
    return render(request, f"surveys/monitor/{template}.html", _context(request, study))


def _act(request: HttpRequest, study: Study) -> HttpResponse:
    if not request.user.has_perm("surveys.change_study"):
        raise PermissionDenied
    try:
        messages.success(request, _take(request, study))
    except SurveyError as error:
        messages.error(request, sentence(error.code, str(error)))
    return redirect("surveys:monitor", study.slug)


def _take(request: HttpRequest, study: Study) -> str:
    """Do what the button says; what to tell about it. Raises SurveyError."""
    value, actor = request.POST.get("value", ""), staff_of(request)
    match request.POST.get("action"):
        case "step":
            before = study.state
            if value not in Study.State.values:
                raise SurveyError(code="transition_illegal")
            change_state(study=study, state=value, actor=actor)
            return STEPS[before, value][1] if before != value else "Nothing to do."
        case "close-situation" | "open-situation" as action:
            is_closed = action == "close-situation"
            place = int(value) if value.isdecimal() else 0
            row = set_situation_closed(study=study, place=place, is_closed=is_closed, actor=actor)
            name = row.situation_version.situation
            return f"{name} is given to {'nobody new' if is_closed else 'people again'}."
        case "judge":
            judged = judge_study(study=study)
            return f"Checked {judged.judged}: {judged.flagged} flagged, {judged.excluded} excluded."
        case "ask-rates":
            with connect() as client:
                rates = read_rates(currency=study.reward_currency, client=client)
            return f"Prolific's minimum: {money(rates.minimum, rates.currency, 'an hour')}."
        case "reset-pilot":
            return f"Tests deleted: {reset_pilot(study=study, actor=actor).total}."
    raise SurveyError(code="action_unknown")


def _context(request: HttpRequest, study: Study) -> dict[str, Any]:
    found = observe(study=study, now=timezone.now())
    return {
        "study": study,
        "found": found,
        "seen": found.seen,
        "headline": _headline(found),
        "can_change": request.user.has_perm("surveys.change_study"),
        "steps": steps_from(study.state),
        "needs": [
            (need, need_sentence(need), REMEDIES.get((need.code, need.action)))
            for need in found.needs
        ],
        "prolific": ProlificStudy.objects.filter(study=study).first(),
        "pages": [(page_title(each.page), each) for each in found.pages],
        "flags": [
            (Sign(code).label if code in list(Sign) else code, n)
            for code, n in found.seen.flags.by_code.items()
        ],
        "pay": _pay_lines(found),
        "duration": "" if found.median_s is None else in_words(found.median_s),
        "events": study.events.select_related("actor")[:LATEST_EVENTS],
        "is_entered_freely": study.is_pilot or study.admits_without_ids,
    }


def _headline(found: Monitor) -> str:
    """The one number that matters, as a sentence."""
    study, funnel = found.study, found.seen.funnel
    given = [fill for fill in found.seen.situations if fill.is_given]
    counted = f"{funnel.counted} completed and count"
    if study.target_per_situation and given:
        # An answer is one person's answer to one situation; somebody with three gives three.
        wanted = study.target_per_situation * len(given)
        answers = sum(min(fill.counted, study.target_per_situation) for fill in given)
        counted += f"; {answers} of {wanted} wanted answers are there"
    return f"{counted}. {funnel.under_way} under way."


def _pay_lines(found: Monitor) -> list[tuple[str, str]]:
    """What is known about pay, each with its label."""
    study, pay, rates = found.study, found.seen.pay, found.rates
    currency = study.reward_currency
    source = "Prolific's times" if found.is_prolific_time else "our own times"
    lines = [
        ("Reward", money(study.reward_minor, currency)),
        (f"Planned, at {study.planned_minutes} minutes", money(pay.planned, currency, "an hour")),
        (
            f"Actual, at the median of {in_words(pay.median_s)} ({source})",
            money(pay.actual, currency, "an hour"),
        ),
    ]
    if rates is None:
        lines.append(("Prolific asks for", "not known: nobody has asked Prolific today"))
    else:
        lines += [
            ("Prolific's minimum", money(rates.minimum, currency, "an hour")),
            ("Prolific recommends", money(rates.recommended, currency, "an hour")),
        ]
    lines += [
        ("Paid so far, without fees", money(found.cost.so_far, currency)),
        ("Still to be paid", money(found.cost.to_come, currency)),
    ]
    return lines
