"""Proof that a launch is real: Prolific's API says so, or Prolific signed the link.

The ids of a plain link can be made up or mistyped. Nobody is kept waiting or refused for want of
a proof: who is unproven is marked, and listed where Prolific knows nothing of them.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import jwt
from django.conf import settings
from django.core.cache import cache

from surveys.domain.entry_ids import EntryIds, read_ids
from surveys.models import Submission
from surveys.prolific.client import ProlificClient, fetch_launch_keys
from surveys.prolific.errors import ProlificError
from surveys.prolific.sync import store_records

_log = logging.getLogger(__name__)
KEYS_LAST_S = 24 * 3600
# An unknown key is asked for again, but not for each of a thousand forged links.
REFETCH_AFTER_S = 60
_KEYS, _FETCHED = "prolific-launch-keys", "prolific-launch-keys-fetched"
_NAMES = {
    "PROLIFIC_PID": ("participant_id", "participant", "prolific_pid"),
    "STUDY_ID": ("study_id", "study"),
    "SESSION_ID": ("session_id", "submission_id", "submission", "session"),
}


def prove_launch(*, submission_id: int, client: ProlificClient, now: datetime) -> bool:
    """Ask Prolific about the session of a submission and compare the person and the study.

    A test, a purged or a proven submission is not asked about. What Prolific does not know stays
    unproven. Raises ProlificError where Prolific gives no answer.
    """
    row = Submission.objects.select_related("participation", "study").get(pk=submission_id)
    is_test = row.participation is not None and row.participation.is_test
    if row.is_proven or is_test or not row.prolific_session_id:
        return row.is_proven
    try:
        record = client.get_submission(row.prolific_session_id)
    except ProlificError as error:
        if error.code == "not_found":
            return False
        raise
    connected = getattr(row.study, "prolific", None)
    expected = connected.prolific_id if connected else row.prolific_study_id
    if (record.participant, record.study) != (row.prolific_participant_id, expected):
        return False
    store_records(study=row.study, found=[record], asked_at=now)
    row.refresh_from_db()
    return row.is_proven


def names_launch(parameters: Mapping[str, Sequence[str]]) -> bool:
    """Whether a link brings, or tries to bring, a signed token."""
    return any(name.lower() == settings.PROLIFIC_LAUNCH_PARAMETER.lower() for name in parameters)


def read_launch(parameters: Mapping[str, Sequence[str]]) -> EntryIds | None:
    """The ids of a link, proven where Prolific signed them; None where there are none.

    Signed ids win over plain ones. A link whose signature is broken, too old or cannot be checked
    just now counts as a plain one.
    """
    wanted = settings.PROLIFIC_LAUNCH_PARAMETER.lower()
    tokens = {t for name, values in parameters.items() if name.lower() == wanted for t in values}
    if len(tokens) == 1:
        try:
            return read_launch_token(tokens.pop())
        except ProlificError as error:
            _log.warning("A signed link was not believed: %s", error.code)
    return read_ids(parameters)


def read_launch_token(token: str) -> EntryIds:
    """The ids of a link that Prolific signed for this site.

    Raises ProlificError: `launch_expired`; `launch_invalid` for a wrong signature, another
    audience or missing ids; `launch_keys_unavailable` where Prolific's keys cannot be had.
    """
    try:
        key = _find_key(str(jwt.get_unverified_header(token).get("kid", "")))
        claims = jwt.decode(
            token,
            key,
            algorithms=["RS256"],
            audience=_audience(),
            options={"require": ["exp", "aud"]},
        )
    except jwt.ExpiredSignatureError as error:
        raise ProlificError(
            code="launch_expired", detail="This link is too old: open it from Prolific again."
        ) from error
    except jwt.PyJWTError as error:
        raise _invalid(f"{type(error).__name__}") from error
    ids = _ids(claims)
    if ids is None:
        raise _invalid("it names no person, study and submission")
    return replace(ids, is_proven=True)


def _invalid(why: str) -> ProlificError:
    return ProlificError(
        code="launch_invalid", detail=f"This link was not signed by Prolific for this site: {why}."
    )


def _audience() -> list[str]:
    """The names under which Prolific may mean this site."""
    if settings.PROLIFIC_LAUNCH_AUDIENCE:
        return list(settings.PROLIFIC_LAUNCH_AUDIENCE)
    site = urlsplit(settings.SITE_URL)
    origin = f"{site.scheme}://{site.netloc}"
    return [site.hostname or "", site.netloc, origin, f"{origin}/"]


def _ids(claims: Mapping[str, Any]) -> EntryIds | None:
    """The three ids by any of the names under which the claim may hold them."""
    claim = claims.get("prolific")
    given = {str(k).lower(): v for k, v in claim.items()} if isinstance(claim, Mapping) else {}
    found: dict[str, list[str]] = {}
    for name, keys in _NAMES.items():
        value = next((given[key] for key in keys if isinstance(given.get(key), str)), "")
        found[name] = [value]
    if found["SESSION_ID"] == [""]:
        found["SESSION_ID"] = [str(claims.get("sub", ""))]
    return read_ids(found)


def _find_key(kid: str) -> Any:
    keys = _by_id(cache.get(_KEYS) or [])
    if kid not in keys and cache.add(_FETCHED, True, REFETCH_AFTER_S):
        keys = _by_id(_fetch_keys())
    if not keys:
        raise ProlificError(
            code="launch_keys_unavailable", detail="Prolific's keys cannot be had just now."
        )
    if kid not in keys:
        raise jwt.InvalidKeyError("unknown key")
    return jwt.PyJWK.from_dict(keys[kid]).key


def _fetch_keys() -> list[dict[str, Any]]:
    try:
        keys = fetch_launch_keys()
    except ProlificError as error:
        raise ProlificError(code="launch_keys_unavailable", detail=str(error)) from error
    cache.set(_KEYS, keys, KEYS_LAST_S)
    return keys


def _by_id(keys: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {str(key.get("kid", "")): key for key in keys if key.get("kty") == "RSA"}
