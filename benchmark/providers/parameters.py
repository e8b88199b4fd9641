"""Which parameters a request carries, and what an endpoint that refuses one teaches.

Nothing here knows a model's name: what is unsupported is learned from the endpoint's own words,
remembered with the model, and written into each trial that was asked without it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from benchmark.domain.prompts import Message, messages_as_json
from benchmark.providers.base import Question
from benchmark.providers.refusals import Refusal

SYSTEM_ROLE = "system_role"
OTHER_NAME = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
ALSO_CALLED = {
    "response_format": r"response_format|json_schema|structured[ _]outputs?|grammar",
    "top_p": r"top_p|topP|nucleus",
    SYSTEM_ROLE: (
        r"system['\"`]? ?(?:role|message|prompt|instruction)|role['\"`:= ]{1,4}system"
        r"|developer instruction"
    ),
}


def build_request(
    model: str, question: Question, unsupported: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The body of a request without what is unsupported, and what was left out with the reason.

    `unsupported` maps parameters to the endpoint's own words.
    """
    dropped: dict[str, str] = {}
    messages = messages_sent(question, unsupported)
    if messages is not question.messages:
        dropped[SYSTEM_ROLE] = (
            f"folded into the user turn (unsupported): {unsupported[SYSTEM_ROLE]}"
        )
    body: dict[str, Any] = {"model": model, "messages": messages_as_json(messages)}
    for name, value in _asked_for(question).items():
        if name not in unsupported:
            body[name] = value
            continue
        other = OTHER_NAME.get(name, "")
        if other and other not in unsupported:
            body[other] = value
            dropped[name] = f"sent as {other} (unsupported): {unsupported[name]}"
        else:
            dropped[name] = f"not sent (unsupported): {unsupported[name]}"
    return body, dropped


def messages_sent(question: Question, unsupported: Mapping[str, str]) -> tuple[Message, ...]:
    """The question's messages, the system line within the user turn where its role is refused."""
    if SYSTEM_ROLE not in unsupported or question.messages[0].role != "system":
        return question.messages
    system, user, *rest = question.messages
    return (Message(user.role, f"{system.content}\n\n{user.content}"), *rest)


def parameters_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """What a trial records as sent: everything but the messages, which it holds anyway."""
    return {name: value for name, value in body.items() if name != "messages"}


def refused_parameter(refusal: Refusal, body: Mapping[str, Any]) -> str | None:
    """The parameter of this request that the refusal is about; None where it names none of them."""
    sent = [name for name in body if name not in {"model", "messages"}]
    if body["messages"][0]["role"] == "system":
        sent.append(SYSTEM_ROLE)
    named = refusal.param.split(".")[0].split("[")[0]
    if named in sent:
        return named
    found = {name: _mention(name, refusal.message) for name in sent}
    mentioned = sorted((at, name) for name, at in found.items() if at is not None)
    if not mentioned:
        return None
    # "temperature and top_p cannot both be specified": the first of them may stay.
    is_conflict = len(mentioned) > 1 and re.search(r"\b(both|together|only one)\b", refusal.message)
    return mentioned[1 if is_conflict else 0][1]


def _mention(name: str, message: str) -> int | None:
    pattern = ALSO_CALLED.get(name, re.escape(name))
    match = re.search(rf"(?<![A-Za-z_])(?:{pattern})(?![A-Za-z_])", message, re.IGNORECASE)
    return match.start() if match else None


def _asked_for(question: Question) -> dict[str, Any]:
    asked = {**question.parameters, "seed": question.seed}
    if question.schema is not None:
        asked["response_format"] = {
            "type": "json_schema",
            "json_schema": dict(question.schema),
        }
    return asked
