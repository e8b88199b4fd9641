"""Instruments as JSON files: read, validated, and turned into `Instrument`.

A file says everything about an instrument except, where they are their authors', the sentences of
its items: such items are only counted, and their texts are brought by an import or an admin.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from surveys.domain.instrument import (
    Instrument,
    InstrumentError,
    Item,
    ResponseOption,
    Scoring,
    Subscale,
)

REQUIRED = {
    "key", "version", "name", "items", "options", "subscales", "scoring", "instruction", "prompt",
    "source",
}  # fmt: skip
OPTIONAL = {"aliases", "reverse", "emotion", "licence", "item_options"}


def read_instrument_files(directory: Path) -> tuple[Instrument, ...]:
    """Every `*.json` in the directory, PANAS first, then by key.

    Raises InstrumentError that names the file on anything that cannot be read or does not fit.
    """
    instruments = [read_instrument_file(path) for path in sorted(directory.glob("*.json"))]
    return tuple(sorted(instruments, key=lambda i: (i.key != "PANAS", i.key)))


def read_instrument_file(path: Path) -> Instrument:
    """One instrument file; InstrumentError names the file and the fault."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InstrumentError(f"{path.name}: cannot be read: {error}") from error
    try:
        return instrument_from_dict(data)
    except InstrumentError as error:
        raise InstrumentError(f"{path.name}: {error}") from error


def instrument_from_dict(data: Any) -> Instrument:
    """An instrument from the parsed JSON of a file; InstrumentError names the field at fault."""
    if not isinstance(data, Mapping):
        raise InstrumentError("an instrument is a JSON object")
    missing, unknown = REQUIRED - set(data), set(data) - REQUIRED - OPTIONAL
    if missing or unknown:
        raise InstrumentError(f"fields missing {sorted(missing)}, unknown {sorted(unknown)}")
    items = _items(data)
    try:
        scoring = Scoring(data["scoring"])
    except ValueError:
        known = ", ".join(s.value for s in Scoring)
        raise InstrumentError(f"scoring {data['scoring']!r} is not one of {known}") from None
    return Instrument(
        key=_text(data, "key"),
        version=_text(data, "version"),
        name=_text(data, "name"),
        aliases=tuple(data.get("aliases", ())),
        items=items,
        options=_options(data["options"]),
        subscales=_subscales(data["subscales"]),
        reverse=frozenset(data.get("reverse", ())),
        scoring=scoring,
        instruction=_text(data, "instruction"),
        prompt=_text(data, "prompt"),
        emotion=data.get("emotion", ""),
        source=_text(data, "source"),
        licence=data.get("licence", ""),
    )


def _text(data: Mapping[str, Any], field: str) -> str:
    value = data[field]
    if not isinstance(value, str) or not value.strip():
        raise InstrumentError(f"{field} must be a text")
    return value


def _items(data: Mapping[str, Any]) -> tuple[Item, ...]:
    """`items` is a number (texts not shipped; keys "1", "2", …) or a list of key and text."""
    special = {
        key: _options(block["options"])
        for block in data.get("item_options", ())
        for key in block["items"]
    }
    items = data["items"]
    if type(items) is int:
        return tuple(Item(str(n), "", special.get(str(n))) for n in range(1, items + 1))
    if not isinstance(items, Sequence) or isinstance(items, str):
        raise InstrumentError("items must be a number or a list")
    try:
        return tuple(Item(i["key"], i["text"], special.get(i["key"])) for i in items)
    except (KeyError, TypeError):
        raise InstrumentError("each item needs a key and a text") from None


def _options(options: Any) -> tuple[ResponseOption, ...]:
    try:
        result = tuple(ResponseOption(option["value"], option["label"]) for option in options)
    except (KeyError, TypeError):
        raise InstrumentError("each response option needs a value and a label") from None
    if any(type(option.value) is not int for option in result):
        raise InstrumentError("the value of a response option must be an integer")
    return result


def _subscales(subscales: Any) -> tuple[Subscale, ...]:
    try:
        return tuple(Subscale(s["key"], s["name"], tuple(s["items"])) for s in subscales)
    except (KeyError, TypeError):
        raise InstrumentError("each subscale needs a key, a name and items") from None
