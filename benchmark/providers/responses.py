"""Reading the body of an answer that came with status 200: text, or honestly none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from benchmark.providers.base import Reply
from benchmark.providers.refusals import Refusal, refusal_from_body


class UnreadableBody(ValueError):
    """A body that is no chat completion; `is_page` where it is a web page."""

    def __init__(self, message: str, *, is_page: bool = False) -> None:
        super().__init__(message)
        self.is_page = is_page


def read_completion(content: bytes) -> Reply | Refusal:
    """The reply in a body, or the error that some endpoints send with status 200.

    Raises UnreadableBody on anything else: a truncated body is never completed.
    """
    try:
        body = json.loads(content)
    except ValueError:
        if content.lstrip()[:1] == b"<":
            raise UnreadableBody("a web page instead of an answer", is_page=True) from None
        raise UnreadableBody("a body that is not whole JSON") from None
    if not isinstance(body, Mapping):
        raise UnreadableBody("JSON that is no chat completion")
    if body.get("error"):
        return _error_with_200(body)
    if "choices" not in body:
        raise UnreadableBody("JSON that is no chat completion")
    return _reply(body)


def _error_with_200(body: Mapping[str, Any]) -> Refusal:
    error = body["error"]
    code = error.get("code") if isinstance(error, Mapping) else None
    is_status = isinstance(code, int) and 400 <= code < 600
    return refusal_from_body(code if is_status and code else 500, body)


def _reply(body: Mapping[str, Any]) -> Reply:
    choices = body["choices"]
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, Mapping):
        return _with_origin(body, text=None, refusal=_block_reason(body), note="no choices")
    message = choice.get("message")
    message = message if isinstance(message, Mapping) else {}
    text = _text(message.get("content"))
    note = ""
    if not (text or "").strip() and (message.get("reasoning_content") or message.get("reasoning")):
        note = "text stood in the reasoning only, which is not the answer"
    return _with_origin(
        body,
        text=text,
        finish_reason=str(choice.get("finish_reason") or "")[:40],
        refusal=_text(message.get("refusal")) or None,
        note=note,
    )


def _with_origin(body: Mapping[str, Any], **reply: Any) -> Reply:
    usage = body.get("usage")
    return Reply(
        usage=dict(usage) if isinstance(usage, Mapping) else {},
        response_model=str(body.get("model") or "")[:200],
        system_fingerprint=str(body.get("system_fingerprint") or "")[:120],
        **reply,
    )


def _text(content: Any) -> str | None:
    """A message's content: a text, or the text parts of a list."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else None


def _block_reason(body: Mapping[str, Any]) -> str | None:
    """Why a prompt was blocked, where the endpoint says so instead of sending choices."""
    for name in ("promptFeedback", "prompt_feedback"):
        feedback = body.get(name)
        if isinstance(feedback, Mapping):
            reason = feedback.get("blockReason") or feedback.get("block_reason")
            return f"blocked: {reason}" if reason else None
    return None
