"""What every participant page shares: its language, its headers, and a page for refusals."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from surveys import entry_tokens
from surveys.models import Study
from surveys.services.errors import SurveyError
from surveys.services.leaving import offer_code
from surveys.views.outage import OUTAGES, show_outage
from surveys.views.problems import PROBLEMS

View = Callable[..., HttpResponse]


def participant_page(*methods: str) -> Callable[[View], View]:
    """A view for participants that answers only to these methods.

    No cookie authorises anything here: what may be changed hangs on the secret code in the path,
    or on the signed form in the body. A forged request would have to know either, so the token
    against such requests protects nothing, while its expiry would lose answers. It could not work
    either: with the policy `no-referrer` browsers send the origin "null" with every form.
    """

    def decorate(view: View) -> View:
        @csrf_exempt
        @require_http_methods([*methods, "HEAD"] if "GET" in methods else list(methods))
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            # The reader's language, until the study is known. What a view speaks ends with it, as
            # the thread serves other people next.
            with translation.override(translation.get_language_from_request(request)):
                try:
                    response = _answer(view, request, *args, **kwargs)
                except OUTAGES as error:
                    response = show_outage(request, error)
                response.headers["Content-Language"] = translation.get_language() or ""
            # The addresses hold secrets, and the pages personal answers.
            response.headers["Referrer-Policy"] = "no-referrer"
            response.headers["Cache-Control"] = "no-store"
            response.headers["X-Robots-Tag"] = "noindex, nofollow"
            return response

        return wrapped

    return decorate


def _answer(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """What the view answers, or the page of its refusal."""
    try:
        return view(request, *args, **kwargs)
    except SurveyError as error:
        if error.code not in PROBLEMS:
            raise
        return show_problem(request, error.code, slug=kwargs.get("slug", ""))


def speak(study: Study) -> None:
    """From here on, the interface of this page is in the study's language."""
    translation.activate(study.language)


def show_problem(request: HttpRequest, code: str, *, slug: str) -> HttpResponse:
    """The page of a refusal, in the study's language and with the way back to Prolific."""
    study = Study.objects.filter(slug=slug).first()
    if study is not None:
        speak(study)
        if code == "study_closed" and study.state == Study.State.ARCHIVED:
            code = "study_archived"
    problem = PROBLEMS[code]
    came_from_prolific = entry_tokens.brought_ids(request, slug) is not None
    context: dict[str, Any] = {
        "problem": problem,
        "study": study,
        "is_return": problem.is_return and (came_from_prolific or _recruits_there(study)),
    }
    if study is not None and problem.outcome is not None and came_from_prolific:
        context["offer"] = offer_code(study=study, outcome=problem.outcome)
    return render(request, "surveys/problem.html", context, status=problem.status)


def _recruits_there(study: Study | None) -> bool:
    """Whether everybody in this study comes from Prolific, ids or not."""
    return study is not None and not study.admits_without_ids
