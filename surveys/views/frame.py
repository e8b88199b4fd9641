"""What every participant page shares: its headers, and a friendly page for whatever is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from surveys.services.errors import SurveyError

View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal in words: the page's status, its heading, and what to do now."""

    status: int
    heading: str | Promise
    advice: str | Promise


_UNKNOWN = Problem(
    404,
    _("There is no such study"),
    _("Check that the address is complete, or open the link that you were given once more."),
)
PROBLEMS: dict[str, Problem] = {
    "study_unknown": _UNKNOWN,
    # Drafts are nobody's business yet.
    "study_draft": _UNKNOWN,
    "study_imported": Problem(
        404,
        _("This study takes no participants here"),
        _("Its answers were collected elsewhere and before. Thank you for your interest."),
    ),
    "study_closed": Problem(
        410,
        _("This study has ended"),
        _(
            "It takes no new participants. If you came from Prolific, please return your "
            "submission there. Thank you for your interest."
        ),
    ),
    "study_full": Problem(
        409,
        _("This study has all the participants it needs just now"),
        _(
            "You have not missed anything, and nothing was stored. If you came from Prolific, "
            "please return your submission there, or try again in an hour: sometimes a place "
            "becomes free."
        ),
    ),
    "ids_missing": Problem(
        400,
        _("Please come in through your link from Prolific"),
        _(
            "This address alone does not tell us which submission is yours. Go back to the study "
            "on Prolific and open it from there once more; if that does not help, allow cookies "
            "for this site, or send us a message on Prolific."
        ),
    ),
    "consent_invalid": Problem(
        400,
        _("This form could not be read"),
        _("Nothing was stored. Please open the link that you were given once more."),
    ),
    "participation_unknown": Problem(
        404,
        _("We do not know this address"),
        _("Check that it is complete, or open the link that you were given once more."),
    ),
    "instrument_incomplete": Problem(
        503,
        _("This study is not ready"),
        _(
            "Its questionnaire lacks the words of its items, so it cannot be answered at present. "
            "Answers that were given are kept. Please try again later."
        ),
    ),
}


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
            try:
                response = view(request, *args, **kwargs)
            except SurveyError as error:
                if error.code not in PROBLEMS:
                    raise
                response = show_problem(request, error.code)
            # The addresses hold secrets, and the pages personal answers.
            response.headers["Referrer-Policy"] = "no-referrer"
            response.headers["Cache-Control"] = "no-store"
            response.headers["X-Robots-Tag"] = "noindex, nofollow"
            return response

        return wrapped

    return decorate


def show_problem(request: HttpRequest, code: str) -> HttpResponse:
    problem = PROBLEMS[code]
    return render(request, "surveys/problem.html", {"problem": problem}, status=problem.status)
