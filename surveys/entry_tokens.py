"""What a browser keeps between the link and the consent: signed, and nowhere in the database.

The ids of a link live in a cookie of that study until the form is sent, and in the form itself,
so that neither a lost cookie nor two people at one browser mix anybody up. A session row would be
a second home for Prolific's ids, and a write for every visit of a link scanner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core import signing
from django.http import HttpRequest, HttpResponse

from surveys.domain.entry_ids import EntryIds
from surveys.services.errors import SurveyError

COOKIE = "entry"
_COOKIE_SALT = "surveys.entry.cookie"
_FORM_SALT = "surveys.entry.form"


@dataclass(frozen=True, slots=True)
class ConsentForm:
    """What a consent form carries: the ids, the code that the participation will have, and the
    version of the text that was shown.
    """

    ids: EntryIds | None
    code: str
    consent_version: str = ""


def sign_form(slug: str, form: ConsentForm) -> str:
    values = [slug, _as_list(form.ids), form.code, form.consent_version]
    return signing.dumps(values, salt=_FORM_SALT)


def read_form(slug: str, token: str) -> ConsentForm:
    """The form that this site made for this study; SurveyError `consent_invalid` otherwise.

    A form does not expire: somebody may read for a day before consenting.
    """
    try:
        form_slug, ids, code, *version = signing.loads(token, salt=_FORM_SALT)
    except (signing.BadSignature, ValueError):
        raise SurveyError(code="consent_invalid") from None
    if form_slug != slug:
        raise SurveyError(code="consent_invalid")
    return ConsentForm(_from_list(ids), code, *version)


def keep_ids(response: HttpResponse, request: HttpRequest, slug: str, ids: EntryIds | None) -> None:
    """Keep the ids of a link for its study, or forget an earlier person's where it has none."""
    path = f"/s/{slug}/"
    if ids is None:
        response.delete_cookie(COOKIE, path=path, samesite="Lax")
        return
    value = signing.dumps([slug, _as_list(ids)], salt=_COOKIE_SALT)
    response.set_cookie(
        COOKIE, value, path=path, httponly=True, samesite="Lax", secure=request.is_secure()
    )


def kept_ids(request: HttpRequest, slug: str) -> EntryIds | None:
    """The ids that this browser came with, if any."""
    try:
        cookie_slug, ids = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_COOKIE_SALT)
    except (signing.BadSignature, ValueError):
        return None
    return _from_list(ids) if cookie_slug == slug else None


def brought_ids(request: HttpRequest, slug: str) -> EntryIds | None:
    """The ids of whoever sent this request, from the consent form or else from the cookie."""
    try:
        return read_form(slug, request.POST.get("entry", "")).ids
    except SurveyError:
        return kept_ids(request, slug)


def _as_list(ids: EntryIds | None) -> list[str | bool] | None:
    return None if ids is None else [ids.participant, ids.study, ids.session, ids.is_proven]


def _from_list(values: list[Any] | None) -> EntryIds | None:
    """The ids as `_as_list` wrote them; an earlier release wrote three and no proof."""
    if not values:
        return None
    return EntryIds(*values[:3], is_proven=values[3:] == [True])
