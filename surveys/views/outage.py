"""The page for when the storage cannot be reached: honest, and it keeps what was just sent.

It asks neither the database nor the session, because those are what is missing: the answers wait
in the page itself, and sending them again is safe. As the study's language may be unknown, it
speaks every language of the site, the reader's first.
"""

from __future__ import annotations

import logging

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language

# Lost connections, locked or full databases, full disks; no error of the program's own.
OUTAGES = (OperationalError, InterfaceError, OSError)
RETRY_SECONDS = 30

logger = logging.getLogger(__name__)


def show_outage(request: HttpRequest, error: Exception) -> HttpResponse:
    """Status 503, with the fields of the request in a form that sends them again."""
    # The path would give the participation's secret to the log.
    logger.error("A participant met an outage: %s: %s", type(error).__name__, error)
    is_post = request.method == "POST"
    fields = [(name, text) for name, texts in request.POST.lists() for text in texts]
    context = {
        "address": request.get_full_path(),
        "method": "post" if is_post else "get",
        "fields": fields if is_post else [(n, t) for n, ts in request.GET.lists() for t in ts],
        "is_kept": is_post,
        "languages": _languages(),
    }
    page = render_to_string("surveys/outage.html", context)
    response = HttpResponse(page, status=503)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _languages() -> list[str]:
    """Codes of all languages of the site, the one that this reader gets first."""
    own = (get_language() or settings.LANGUAGE_CODE).partition("-")[0]
    codes = [code for code, _ in settings.LANGUAGES]
    return sorted(codes, key=lambda code: code != own)
