"""How a participation ends: the last page with the code, and withdrawing."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys.domain.outcomes import Outcome
from surveys.models import Participation, Submission
from surveys.services.journey import find_by_code
from surveys.services.withdrawal import withdraw
from surveys.texts import render_markdown
from surveys.views.frame import participant_page

PROLIFIC_COMPLETION = "https://app.prolific.com/submissions/complete?cc="


def show_end(request: HttpRequest, participation: Participation) -> HttpResponse:
    """The page of a participation that is over, for the view that found it so."""
    study = participation.study
    came_from_prolific = Submission.objects.filter(participation=participation).exists()
    completion_code = study.code_for(Outcome.COMPLETED)
    context = {
        "study": study,
        "code": participation.code,
        "is_complete": participation.completed_at is not None,
        "debrief": render_markdown(study.debrief_text),
        "came_from_prolific": came_from_prolific,
        "completion_code": completion_code,
        "completion_address": PROLIFIC_COMPLETION + completion_code,
    }
    is_withdrawn = participation.state == Participation.State.WITHDRAWN
    return render(request, f"surveys/{'withdrawn' if is_withdrawn else 'finish'}.html", context)


@participant_page("GET", "POST")
def withdrawal(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Ask once, then delete the answers."""
    if request.method == "POST":
        withdraw(slug=slug, code=code)
        return redirect("surveys:participation", slug, code)
    found = find_by_code(slug=slug, code=code)
    if found.state == Participation.State.WITHDRAWN:
        return redirect("surveys:participation", slug, code)
    return render(request, "surveys/withdraw.html", {"study": found.study, "code": code})
