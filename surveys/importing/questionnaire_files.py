"""The release's questionnaires: items, prompt, scale, reverse-keyed items, subscales, scoring."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
            f"not JSON at character {error.colno}: {error.msg}", row=error.lineno
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

    _check_fields(entry, where)
    items = _items(entry.get("questions"))
    if items is None:
        raise _fault(where, "questions", "expected texts under the keys 1, 2, … without a gap")
    reverse = _numbers(entry.get("reverse"), len(items))
    if reverse is None:
        raise _fault(where, "reverse", f"expected numbers of items, 1 to {len(items)}")
    return Questionnaire(
        name=entry["name"].strip(),
        items=items,
        scoring=SCORING[entry["compute_mode"]],
        prompt=entry["prompt"],
        system_text=entry["inner_setting"],
        scale=entry["scale"],
        reverse=reverse,
        subscales=tuple(_subscales(entry.get("categories"), len(items), where)),
    )


def _check_fields(entry: dict[str, Any], where: str) -> None:
    for field in ("name", "prompt", "inner_setting"):
        if not isinstance(entry.get(field), str) or not entry[field].strip():
            raise _fault(where, field, "expected a text")
    if "SCENARIO" not in entry["prompt"]:
        raise _fault(where, "prompt", "the word SCENARIO, where the situation stands, is missing")
    if type(entry.get("scale")) is not int:
        raise _fault(where, "scale", "expected an integer")
    if entry.get("compute_mode") not in SCORING:
        raise _fault(where, "compute_mode", f"expected one of {', '.join(SCORING)}")


def _fault(where: str, field: str, message: str) -> ReleaseFileError:
    return ReleaseFileError(message, header=f"{where}.{field}")


def _subscales(categories: Any, count: int, where: str) -> Iterator[tuple[str, frozenset[int]]]:
    for category in categories if isinstance(categories, list) and categories else [None]:
        numbers = name = None
        if isinstance(category, dict):
            numbers, name = _numbers(category.get("cat_questions"), count), category.get("cat_name")
        if numbers is None or not isinstance(name, str):
            fault = f"expected names and numbers of items, 1 to {count}"
            raise _fault(where, "categories", fault)
        yield name, numbers


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
