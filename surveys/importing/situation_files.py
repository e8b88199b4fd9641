"""Situations as the release lists them: a CSV by column, a JSON tree, or JSON lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from surveys.importing.faults import ReleaseFileError, location
from surveys.importing.places import Place, emotion_name
from surveys.importing.tables import read_csv_table, read_text

FACTOR_CODE = re.compile(r"(.*\S)-(\d{1,3})")
SITUATION_ID = re.compile(r"(.*\S)-(\d{1,3})/scenario-(\d{1,4})")


@dataclass(frozen=True, slots=True)
class ListedSituation:
    """A situation's words and place; `where` says where the file has it."""

    place: Place
    factor_name: str
    text: str
    where: str


@dataclass(frozen=True, slots=True)
class SituationList:
    """All situations of a file in its order, and what is odd about them."""

    situations: tuple[ListedSituation, ...]
    warnings: tuple[str, ...]


def read_situations(path: Path) -> SituationList:
    """The situations of a file, by its suffix; ReleaseFileError says where it is broken.

    A situation that is listed twice keeps both places, and a warning says so.
    """
    readers = {".csv": _from_csv, ".json": _from_json, ".jsonl": _from_json_lines}
    warnings: list[str] = []
    situations = tuple(readers[path.suffix.lower()](path, warnings))
    if not situations:
        raise ReleaseFileError("the file lists no situation", column=0, row=1)
    seen: dict[str, ListedSituation] = {}
    for situation in situations:
        first = seen.setdefault(situation.text, situation)
        if first is not situation:
            warnings.append(
                f"{situation.where}: {situation.place} has the words of {first.place} too"
            )
    return SituationList(situations, tuple(warnings))


def _from_csv(path: Path, warnings: list[str]) -> Iterator[ListedSituation]:
    table = read_csv_table(path)
    _check_numbering(table.header)
    for column, header in enumerate(table.header):
        match = FACTOR_CODE.fullmatch(header)
        if match is None:
            raise ReleaseFileError(
                "the header is not an emotion and a factor, such as Anger-0",
                column=column,
                header=header,
                row=1,
            )
        cells = [row[column].strip() for row in table.rows]
        if len(cells) < 2 or not cells[0] or not cells[1]:
            missing = "name of its factor" if not cells or not cells[0] else "situation"
            raise ReleaseFileError(
                f"the column has no {missing}",
                column=column,
                header=header,
                row=2 if not cells or not cells[0] else 3,
            )
        position = 0
        last = max(row for row, cell in enumerate(cells) if cell)
        for row, text in enumerate(cells[1 : last + 1], start=3):
            where = location(column=column, header=header, row=row)
            if not text:
                warnings.append(f"{where}: blank, so the situations below move up by one")
                continue
            place = Place(emotion_name(match[1]), int(match[2]), position)
            yield ListedSituation(place, cells[0], text, where)
            position += 1


def _check_numbering(header: list[str]) -> None:
    """The factors of an emotion count from 0; a number that is skipped is a lost column."""
    columns: dict[str, dict[int, int]] = {}
    for column, name in enumerate(header):
        if match := FACTOR_CODE.fullmatch(name):
            columns.setdefault(match[1], {})[int(match[2])] = column
    for emotion, numbers in columns.items():
        for number in range(max(numbers)):
            if number not in numbers:
                later = min(other for other in numbers if other > number)
                raise ReleaseFileError(
                    f"the column {emotion}-{number} is missing before this one",
                    column=numbers[later],
                    header=f"{emotion}-{later}",
                    row=1,
                )


def _from_json(path: Path, warnings: list[str]) -> Iterator[ListedSituation]:
    data = _parse(read_text(path), row=1)
    for e, emotion in enumerate(_list(data, "emotions", "")):
        at_emotion = f"emotions[{e}]"
        name = emotion_name(_text(emotion, "name", at_emotion))
        for f, factor in enumerate(_list(emotion, "factors", at_emotion)):
            at_factor = f"{at_emotion}.factors[{f}]"
            factor_name = _text(factor, "name", at_factor)
            key = "situations" if "situations" in factor else "scenarios"
            for s, text in enumerate(_list(factor, key, at_factor)):
                where = f"{at_factor}.{key}[{s}]"
                if not isinstance(text, str) or not text.strip():
                    raise ReleaseFileError("a situation is a text", header=where)
                place = Place(name, f, s)
                yield ListedSituation(place, factor_name, text.strip(), f"field {where}")


def _from_json_lines(path: Path, warnings: list[str]) -> Iterator[ListedSituation]:
    seen: dict[Place, int] = {}
    names: dict[str, str] = {}
    for row, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        data = _parse(line, row=row)
        values = {k: _text(data, k, "", row) for k in ("situation_id", "emotion", "factor", "text")}
        match = SITUATION_ID.fullmatch(values["situation_id"])
        emotion = emotion_name(values["emotion"])
        if match is None or emotion_name(match[1]).casefold() != emotion.casefold():
            raise ReleaseFileError(
                f"{values['situation_id']!r} is not an identifier such as anger-0/scenario-0 "
                "of the line's emotion",
                header="situation_id",
                row=row,
            )
        place = Place(emotion, int(match[2]), int(match[3]))
        if place in seen:
            raise ReleaseFileError(
                f"{values['situation_id']} stands in row {seen[place]} too",
                header="situation_id",
                row=row,
            )
        if names.setdefault(place.factor_code, values["factor"]) != values["factor"]:
            raise ReleaseFileError(
                f"{place.factor_code} has another factor name above", header="factor", row=row
            )
        seen[place] = row
        yield ListedSituation(place, values["factor"], values["text"], f"row {row}")


def _parse(text: str, *, row: int) -> Any:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise ReleaseFileError(
            f"not JSON at character {error.colno}: {error.msg}", row=row + error.lineno - 1
        ) from error
    if not isinstance(data, dict):
        raise ReleaseFileError("expected a JSON object", row=row)
    return data


def _list(data: Any, key: str, where: str) -> list[Any]:
    value = data.get(key) if isinstance(data, dict) else None
    if not isinstance(value, list):
        raise ReleaseFileError("expected a list", header=f"{where}.{key}".lstrip("."))
    return value


def _text(data: Any, key: str, where: str, row: int | None = None) -> str:
    value = data.get(key) if isinstance(data, dict) else None
    if not isinstance(value, str) or not value.strip():
        raise ReleaseFileError("expected a text", header=f"{where}.{key}".lstrip("."), row=row)
    return value.strip()
