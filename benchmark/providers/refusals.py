"""What an endpoint means when it refuses: read from status, code and words, never from names.

An error's body is only ever a reason. It never becomes an answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

LONGEST_MESSAGE = 500


class Fault(Enum):
    """What can be done about a refused request."""

    NO_CREDIT = auto()
    RATE_LIMITED = auto()
    TRANSIENT = auto()
    DENIED = auto()
    NOT_FOUND = auto()
    CONTENT_FILTER = auto()
    BAD_REQUEST = auto()


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error answer: its HTTP status, and what its body says, "" where it does not."""

    status: int
    message: str
    code: str = ""
    param: str = ""

    @property
    def fault(self) -> Fault:
        if self.status == 402 or "insufficient_quota" in self.code:
            return Fault.NO_CREDIT
        if self.status == 429:
            return Fault.RATE_LIMITED
        if self.status in {408, 409, 425} or self.status >= 500:
            return Fault.TRANSIENT
        if self.status in {401, 403}:
            return Fault.DENIED
        if self.status == 404:
            return Fault.NOT_FOUND
        if re.search(r"content_filter|content_policy|ResponsibleAI", self.code):
            return Fault.CONTENT_FILTER
        return Fault.BAD_REQUEST


def read_refusal(status: int, content: bytes) -> Refusal:
    """The error that a body describes, in any of the shapes that endpoints use."""
    try:
        body = json.loads(content)
    except ValueError:
        text = content[:20_000].decode("utf-8", "replace")
        if text.lstrip()[:1] == "<":
            return Refusal(status, _title_of(text))
        return Refusal(status, _short(text))
    return refusal_from_body(status, body)


def _title_of(page: str) -> str:
    """What a web page is called; the rest of it is for browsers."""
    title = re.search(r"<title[^>]{0,200}>([^<]{0,300})", page, re.IGNORECASE)
    return _short(f"a web page, {title[1].strip()!r}" if title else "a web page without a title")


def refusal_from_body(status: int, body: Any) -> Refusal:
    """`{"error": {...}}`, `{"error": "..."}`, `{"detail": ...}`, a flat object, a list of one."""
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return Refusal(status, _short(str(body)))
    error = body.get("error", body)
    if not isinstance(error, Mapping):
        error = {**body, "message": error}
    message, located = error.get("message"), ""
    if message is None and "detail" in body:
        message, located = _validation_detail(body["detail"])
    codes = (error.get("code"), error.get("type"), error.get("status"), _inner_code(error))
    return Refusal(
        status,
        _short(str(message if message is not None else json.dumps(body))),
        code=" ".join(str(code) for code in codes if code),
        param=str(error.get("param") or located),
    )


def _validation_detail(detail: Any) -> tuple[str, str]:
    """Message and parameter of `[{"loc": ["body", "top_p"], "msg": "..."}]`, or a plain text."""
    if isinstance(detail, list) and detail and isinstance(detail[0], Mapping):
        loc = [str(part) for part in detail[0].get("loc", ()) if part != "body"]
        return str(detail[0].get("msg", "")), ".".join(loc)
    return str(detail), ""


def _inner_code(error: Mapping[str, Any]) -> Any:
    inner = error.get("innererror")
    return inner.get("code") if isinstance(inner, Mapping) else None


def _short(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()[:LONGEST_MESSAGE]
