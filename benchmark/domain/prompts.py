"""One measure of the protocol as messages to a language model, from a template.

Pure: a template, an instrument and a measure go in, messages come out. Templates are data with
a source (benchmark/data/prompts, or imported); this module knows their fields and nothing of any
one wording.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from string import Formatter
from typing import Any

from surveys.domain.instrument import Instrument, Item, ResponseOption
from surveys.domain.protocol import Measure, Phase


class PromptError(ValueError):
    """A template that cannot be rendered; the message names the field at fault."""


class ReplyFormat(StrEnum):
    """What the model is asked for: lines of text, or an object of a JSON schema."""

    TEXT = "text"
    JSON_SCHEMA = "json_schema"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation; `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class TemplateText:
    """A wording: the system line (may be empty) and the user message of either phase.

    Fields, in braces: situation, items (numbered, one a line, as presented), prompt (the
    instrument's own), scale (every option with its label), answer_format (what to reply with).
    A literal brace is doubled.
    """

    system_text: str
    default_text: str
    evoked_text: str


FIELDS = frozenset({"situation", "items", "prompt", "scale", "answer_format"})


def render_messages(
    template: TemplateText,
    instrument: Instrument,
    measure: Measure,
    reply_format: ReplyFormat | str = ReplyFormat.TEXT,
) -> tuple[Message, ...]:
    """The messages that put one measure to a model.

    Raises PromptError on an unknown field, on {situation} where nothing is imagined, and on an
    evoked measure whose template never shows the situation.
    """
    text = template.default_text if measure.phase is Phase.DEFAULT else template.evoked_text
    values: dict[str, Callable[[], str]] = {
        "items": lambda: numbered_items(measure.items),
        "prompt": lambda: instrument.prompt,
        "scale": lambda: scale_text(instrument, measure.items),
        "answer_format": lambda: answer_format_text(ReplyFormat(reply_format), measure.items),
    }
    if measure.situation is not None:
        situation = measure.situation.text
        values["situation"] = lambda: situation
    fields = template_fields(text)
    if measure.phase is Phase.EVOKED and "situation" not in fields:
        raise PromptError("the evoked text of the template has no field {situation}")
    user = Message("user", _fill(text, values))
    if not template.system_text:
        return (user,)
    return (Message("system", _fill(template.system_text, values)), user)


def template_fields(text: str) -> frozenset[str]:
    """The fields that a template text uses; PromptError where one is unknown or malformed."""
    try:
        parts = list(Formatter().parse(text))
    except ValueError as error:
        raise PromptError(f"the template cannot be read: {error}") from None
    fields = {name for _, name, _, _ in parts if name is not None}
    unknown = sorted(fields - FIELDS)
    if unknown or any(spec or conversion for _, _, spec, conversion in parts):
        known = ", ".join(sorted(FIELDS))
        raise PromptError(f"unknown field {unknown or 'format'} in a template; known: {known}")
    return frozenset(fields)


def check_template(template: TemplateText) -> None:
    """Raise PromptError unless both phases of the template can be rendered."""
    default, evoked = template_fields(template.default_text), template_fields(template.evoked_text)
    template_fields(template.system_text)
    if "items" not in default or "items" not in evoked:
        raise PromptError("each text of a template needs the field {items}")
    if "situation" in default:
        raise PromptError("the default text has the field {situation}, but nothing is imagined")
    if "situation" not in evoked:
        raise PromptError("the evoked text of the template has no field {situation}")


def numbered_items(items: Sequence[Item]) -> str:
    """`1. Interested`, one a line, in presented order."""
    return "\n".join(f"{number}. {item.text}" for number, item in enumerate(items, 1))


def scale_text(instrument: Instrument, items: Sequence[Item]) -> str:
    """Every response option with its label, and the items whose options differ, by number."""
    lines = _option_lines(instrument.options)
    special: dict[tuple[ResponseOption, ...], list[str]] = {}
    for number, item in enumerate(items, 1):
        if item.options:
            special.setdefault(item.options, []).append(str(number))
    for options, numbers in special.items():
        word = "item" if len(numbers) == 1 else "items"
        lines += [f"For {word} {', '.join(numbers)}:", *_option_lines(options)]
    return "\n".join(lines)


def answer_format_text(reply_format: ReplyFormat, items: Sequence[Item]) -> str:
    """What to reply with, so that the reply can be bound to the items."""
    if reply_format is ReplyFormat.JSON_SCHEMA:
        return (
            f"Answer with one JSON object whose ratings are the {len(items)} numbers "
            "in the order of the list."
        )
    return 'Answer with one line for each item and nothing else, as "number. item: rating".'


def messages_as_json(messages: Sequence[Message]) -> list[dict[str, str]]:
    """The messages as a request and a trial's record hold them."""
    return [{"role": message.role, "content": message.content} for message in messages]


def messages_hash(messages: Sequence[Message]) -> str:
    """SHA-256, hexadecimal, over the canonical JSON of the messages."""
    canonical = json.dumps(
        messages_as_json(messages), ensure_ascii=False, sort_keys=True, separators=(",", ":")
    )
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def template_from_dict(data: dict[str, Any]) -> TemplateText:
    """A template from a shipped file; PromptError where a text is missing or does not fit."""
    try:
        template = TemplateText(
            data.get("system_text", ""), data["default_text"], data["evoked_text"]
        )
    except KeyError as error:
        raise PromptError(f"a template needs the text {error}") from None
    check_template(template)
    return template


def _fill(text: str, values: dict[str, Callable[[], str]]) -> str:
    missing = sorted(template_fields(text) - set(values))
    if missing:
        raise PromptError(f"the template shows {missing} in a measure that has none")
    # One pass: braces inside a situation or an item are text, not fields.
    return text.format(**{field: values[field]() for field in template_fields(text)})


def _option_lines(options: Sequence[ResponseOption]) -> list[str]:
    return [f"{option.value} = {option.label}" for option in options]
