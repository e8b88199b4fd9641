"""The release's questionnaires: items, prompt, scale, reverse-keyed items, subscales, scoring."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from surveys.importing.faults import ReleaseFileError
from surveys.importing.tables import read_text

SCORING = {"SUM": "sum", "SUM*2": "doubled_sum", "AVG": "mean", "MEAN": "mean"}


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """One questionnaire as the release has it; items count from 1.

    `scale` is what a reversed rating is taken from: the lowest and the highest rating together.
    """

    name: str
    items: tuple[str, ...]
    scoring: str
    prompt: str
    system_text: str
    scale: int
    reverse: frozenset[int]
    subscales: tuple[tuple[str, frozenset[int]], ...]


def read_questionnaires(path: Path) -> tuple[Questionnaire, ...]:
    """Every questionnaire of the file; ReleaseFileError names the entry and the field at fault."""
    try:
        data = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise ReleaseFileError(
            f"not JSON: {error.msg}", header=f"at character {error.colno}", row=error.lineno
        ) from error
    if not isinstance(data, list) or not data:
        raise ReleaseFileError("expected a list of questionnaires", row=1)
    questionnaires = tuple(_questionnaire(entry, index) for index, entry in enumerate(data))
    names = [questionnaire.name.casefold() for questionnaire in questionnaires]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise ReleaseFileError("the questionnaire is there twice", header=f"[{index}].name")
    return questionnaires


def _questionnaire(entry: Any, index: int) -> Questionnaire:
    if not isinstance(entry, dict):
        raise ReleaseFileError("expected a questionnaire", header=f"[{index}]")
    name = entry.get("name")
    where = f"[{index}] {name}" if isinstance(name, str) else f"[{index}]"

    def fault(field: str, message: str) -> ReleaseFileError:
        return ReleaseFileError(message, header=f"{where}.{field}")

    for field in ("name", "prompt", "inner_setting"):
        if not isinstance(entry.get(field), str) or not entry[field].strip():
            raise fault(field, "expected a text")
    if "SCENARIO" not in entry["prompt"]:
        raise fault("prompt", "the word SCENARIO, where the situation stands, is missing")
    if type(entry.get("scale")) is not int:
        raise fault("scale", "expected an integer")
    if entry.get("compute_mode") not in SCORING:
        raise fault("compute_mode", f"expected one of {', '.join(SCORING)}")
    items = _items(entry.get("questions"))
    if items is None:
        raise fault("questions", "expected texts under the keys 1, 2, … without a gap")
    reverse = _numbers(entry.get("reverse"), len(items))
    if reverse is None:
        raise fault("reverse", f"expected numbers of items, 1 to {len(items)}")
    subscales = []
    for category in entry.get("categories") or [None]:
        numbers = _numbers((category or {}).get("cat_questions"), len(items))
        if numbers is None or not isinstance(category.get("cat_name"), str):
            raise fault("categories", f"expected names and numbers of items, 1 to {len(items)}")
        subscales.append((category["cat_name"], numbers))
    return Questionnaire(
        name=entry["name"].strip(),
        items=items,
        scoring=SCORING[entry["compute_mode"]],
        prompt=entry["prompt"],
        system_text=entry["inner_setting"],
        scale=entry["scale"],
        reverse=reverse,
        subscales=tuple(subscales),
    )


def _items(questions: Any) -> tuple[str, ...] | None:
    if not isinstance(questions, dict) or not questions:
        return None
    keys = [str(number) for number in range(1, len(questions) + 1)]
    texts = [questions.get(key) for key in keys]
    if any(not isinstance(text, str) or not text.strip() for text in texts):
        return None
    return tuple(str(text).strip() for text in texts)


def _numbers(values: Any, count: int) -> frozenset[int] | None:
    if not isinstance(values, list):
        return None
    if any(type(value) is not int or not 1 <= value <= count for value in values):
        return None
    return frozenset(values)
