"""How a participation ends: debrief, completion code, withdrawing."""

from __future__ import annotations

import logging

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from surveys.domain.outcomes import Outcome
from surveys.models import Participation, Submission
from surveys.services.errors import SurveyError
from surveys.services.journey import find_by_code
from surveys.services.leaving import (
    LONGEST_COMMENT,
    completion_offer,
    last_day_to_withdraw,
    leave_study,
    offer_code,
)
from surveys.services.support import support_lines, uplifting_text
from surveys.services.withdrawal import may_withdraw, withdraw
from surveys.texts import render_markdown
from surveys.views.frame import participant_page, speak

logger = logging.getLogger(__name__)


def show_end(request: HttpRequest, participation: Participation) -> HttpResponse:
    """The page of a participation that is over, for the view that found it so."""
    speak(participation.study)
    if participation.state == Participation.State.WITHDRAWN:
        return _show_withdrawn(request, participation)
    if participation.left_at is None:
        return _show_debrief(request, participation)
    return _show_completion(request, participation)


@participant_page("GET", "POST")
def finish(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Leave the debrief, and see the completion code, which goes on to Prolific by itself."""
    if request.method == "POST":
        return _leave(request, slug, code)
    found = find_by_code(slug=slug, code=code)
    if found.state != Participation.State.COMPLETED or found.left_at is None:
        return redirect("surveys:participation", slug, code)
    speak(found.study)
    return _show_completion(request, found, is_on_the_way=True)


def _leave(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    comment = request.POST.get("comment", "")
    try:
        found = leave_study(slug=slug, code=code, comment=comment, now=timezone.now())
    except SurveyError as error:
        if error.code != "comment_too_long":
            raise
        found = find_by_code(slug=slug, code=code)
        speak(found.study)
        return _show_debrief(request, found, comment=comment, is_too_long=True)
    except DatabaseError:
        # Everything else was saved before, so the code is theirs; only the comment is not kept.
        found = find_by_code(slug=slug, code=code)
        if found.completed_at is None:
            raise
        logger.exception("A comment could not be saved; its author has their code")
        speak(found.study)
        return _show_completion(request, found, unsaved_comment=comment)
    # Whoever only tries a study has no submission that Prolific could close.
    stays = "stay" in request.POST or found.is_test or not _came_from_prolific(found)
    return redirect(f"surveys:{'participation' if stays else 'finish'}", slug, code)


def _show_debrief(
    request: HttpRequest,
    participation: Participation,
    *,
    comment: str = "",
    is_too_long: bool = False,
) -> HttpResponse:
    study = participation.study
    lines = support_lines()
    context = {
        "study": study,
        "code": participation.code,
        "debrief": render_markdown(study.debrief_text),
        "uplifting": uplifting_text(participation=participation),
        "support": lines.for_person(country=participation.country, language=study.language),
        "finder": lines.finder,
        "came_from_prolific": _came_from_prolific(participation),
        "last_day": last_day_to_withdraw(participation=participation),
        "comment": comment or participation.comment,
        "longest_comment": LONGEST_COMMENT,
        "is_too_long": is_too_long,
    }
    status = 422 if is_too_long else 200
    return render(request, "surveys/debrief.html", context, status=status)


def _show_completion(
    request: HttpRequest,
    participation: Participation,
    *,
    is_on_the_way: bool = False,
    unsaved_comment: str | None = None,
) -> HttpResponse:
    """The page with the code. `is_on_the_way` lets it go on to Prolific by itself."""
    context = {
        "study": participation.study,
        "code": participation.code,
        "offer": completion_offer(participation=participation),
        "came_from_prolific": _came_from_prolific(participation),
        "is_on_the_way": is_on_the_way,
        "may_withdraw": may_withdraw(participation=participation, now=timezone.now()),
        "last_day": last_day_to_withdraw(participation=participation),
        "is_unsaved": unsaved_comment is not None,
        "comment": unsaved_comment or "",
        "longest_comment": LONGEST_COMMENT,
    }
    status = 200 if unsaved_comment is None else 503
    return render(request, "surveys/finish.html", context, status=status)


def _show_withdrawn(request: HttpRequest, participation: Participation) -> HttpResponse:
    came_from_prolific = _came_from_prolific(participation)
    is_complete = participation.completed_at is not None
    context = {
        "study": participation.study,
        "is_complete": is_complete,
        "came_from_prolific": came_from_prolific,
        "is_return": came_from_prolific and not is_complete,
    }
    if is_complete:
        context["offer"] = completion_offer(participation=participation)
    elif came_from_prolific:
        context["offer"] = offer_code(study=participation.study, outcome=Outcome.WITHDRAWN)
    return render(request, "surveys/withdrawn.html", context)


@participant_page("GET", "POST")
def withdrawal(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Ask once, then delete the answers."""
    if request.method == "POST":
        withdraw(slug=slug, code=code, now=timezone.now())
        return redirect("surveys:participation", slug, code)
    found = find_by_code(slug=slug, code=code)
    if found.state == Participation.State.WITHDRAWN:
        return redirect("surveys:participation", slug, code)
    if not may_withdraw(participation=found, now=timezone.now()):
        raise SurveyError(code="withdrawal_over")
    speak(found.study)
    context = {"study": found.study, "code": code, "is_complete": found.completed_at is not None}
    return render(request, "surveys/withdraw.html", context)


def _came_from_prolific(participation: Participation) -> bool:
    return Submission.objects.filter(participation=participation).exists()
