"""HTTP to Prolific: token, time limits, and patience when it is busy.

A 429 says that nothing was done, so any request is tried again after it. After a server error or
a broken connection only requests that may safely be repeated are; of others it stays unclear
what came of them, and the caller must treat them so.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import httpx2

from surveys.prolific.errors import ProlificError

TOKEN_NAME = "PROLIFIC_API_TOKEN"
_NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long one attempt may take, and all attempts of one call with the pauses between."""

    attempt_s: float = 20.0
    total_s: float = 60.0
    max_attempts: int = 6
    first_pause_s: float = 0.5
    longest_pause_s: float = 20.0


def read_token() -> str:
    """The token from the environment, or from the file named by PROLIFIC_API_TOKEN_FILE."""
    file = os.environ.get(f"{TOKEN_NAME}_FILE", "")
    try:
        token = Path(file).read_text(encoding="utf-8") if file else os.environ.get(TOKEN_NAME, "")
    except (OSError, UnicodeDecodeError) as error:
        raise ProlificError(
            code="token_missing", detail=f"{TOKEN_NAME}_FILE cannot be read: {error}"
        ) from error
    token = token.strip()
    if not token or not token.isascii() or not token.isprintable():
        raise ProlificError(
            code="token_missing",
            detail=f"Set {TOKEN_NAME} to a token from Prolific's settings, then restart.",
        )
    return token


class Transport:
    """A connection to one API address, to be closed; an empty token is not sent."""

    def __init__(
        self,
        address: str,
        token: str,
        *,
        patience: Patience,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._token = token
        self._patience = patience
        self._sleep = sleep
        self._http = httpx2.Client(base_url=address, timeout=patience.attempt_s)

    def close(self) -> None:
        self._http.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        body: Mapping[str, Any] | None = None,
        is_repeatable: bool = True,
    ) -> Any:
        """The answer's JSON, {} where it has none. Raises ProlificError."""
        return self.send_raw(method, path, params, body, is_repeatable)[0]

    def send_raw(
        self,
        method: str,
        path: str,
        params: Mapping[str, str | int] | None,
        body: Mapping[str, Any] | None,
        is_repeatable: bool,
    ) -> tuple[Any, Mapping[str, str]]:
        """The answer's JSON and its headers. Raises ProlificError."""
        end = time.monotonic() + self._patience.total_s
        for attempt in range(1, self._patience.max_attempts + 1):
            response, fault = self._attempt(method, path, params, body, is_repeatable)
            if response is not None and response.is_success:
                return self._json(response), response.headers
            if fault is None:
                raise self._refusal(response)
            pause = self._pause(attempt, response)
            if attempt == self._patience.max_attempts or time.monotonic() + pause > end:
                raise fault
            self._sleep(pause)
        raise AssertionError("max_attempts is at least 1")

    def _attempt(
        self,
        method: str,
        path: str,
        params: Mapping[str, str | int] | None,
        body: Mapping[str, Any] | None,
        is_repeatable: bool,
    ) -> tuple[httpx2.Response | None, ProlificError | None]:
        """The response, if any, and the fault to raise unless trying again helps."""
        headers = {"Accept": "application/json"}
        if self._token:
            headers["Authorization"] = f"Token {self._token}"
        try:
            response = self._http.request(method, path, params=params, json=body, headers=headers)
        except _NEVER_SENT as error:
            return None, _not_reached(error)
        except httpx2.HTTPError as error:
            if not is_repeatable:
                raise _unclear(method, path, type(error).__name__) from error
            return None, _not_reached(error)
        if response.status_code == 429:
            return response, ProlificError(
                code="busy", detail="Prolific is busy and did nothing: try again in some minutes."
            )
        if response.status_code >= 500:
            fault = _unclear(method, path, f"status {response.status_code}")
            if not is_repeatable:
                raise fault
            return response, fault
        return response, None

    def _pause(self, attempt: int, response: httpx2.Response | None) -> float:
        longest = self._patience.longest_pause_s
        pause = min(longest, self._patience.first_pause_s * 2.0 ** (attempt - 1))
        ordered = _retry_after(response.headers.get("Retry-After", "")) if response else 0.0
        # Jitter keeps two workers that were refused together from coming back together.
        return max(ordered, pause * (0.5 + random.random() / 2))

    def _refusal(self, response: httpx2.Response | None) -> ProlificError:
        status = response.status_code if response is not None else 0
        said = _said(response)
        if self._token:
            said = said.replace(self._token, "[token]")
        if status in (401, 403):
            return ProlificError(
                code="token_refused",
                detail=f"Prolific does not accept {TOKEN_NAME}: make a new one there. {said}",
            )
        if status == 404:
            return ProlificError(
                code="not_found", detail=f"Prolific does not know what was asked for. {said}"
            )
        return ProlificError(code="refused", detail=f"Prolific refused ({status}): {said}")

    def _json(self, response: httpx2.Response) -> Any:
        if not response.content.strip():
            return {}
        try:
            return response.json()
        except ValueError as error:
            raise nonsense("it is not JSON") from error


def nonsense(what: str) -> ProlificError:
    """An answer that cannot be used; `what` says why, in a few words."""
    return ProlificError(
        code="nonsense", detail=f"Prolific's answer could not be used: {what}. Try again later."
    )


def _not_reached(error: Exception) -> ProlificError:
    return ProlificError(
        code="not_reached",
        detail=f"Prolific could not be reached ({type(error).__name__}): try again later.",
    )


def _unclear(method: str, path: str, what: str) -> ProlificError:
    return ProlificError(
        code="unclear",
        detail=f"Prolific did not answer properly ({method} {path}: {what}); "
        "look there whether it was done.",
    )


def _retry_after(value: str) -> float:
    """Seconds to wait by a Retry-After header, which names seconds or a date."""
    if value.strip().isdigit():
        return float(value)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return 0.0
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - datetime.now(UTC)).total_seconds())


def _said(response: httpx2.Response | None) -> str:
    """Prolific's own words about an error, shortened."""
    try:
        body = response.json() if response is not None else ""
    except ValueError:
        return ""
    error = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict):
        error = error.get("detail") or error.get("title") or error
    return str(error)[:300]
