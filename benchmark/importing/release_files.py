"""Which files of a folder belong to the release, and what each of them is."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from surveys.importing.situation_files import FACTOR_CODE

KINDS = ("situations", "instruments", "people", "models")
"""In the order in which they need each other."""


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    """A file and its kind. `name` is its path within the folder that was given."""

    path: Path
    name: str
    kind: str


def find_release_files(root: Path) -> tuple[tuple[ReleaseFile, ...], tuple[str, ...]]:
    """The release's files in the order of import, and the names of files it does not have.

    `root` is the release, a folder of it, or one of its files. Hidden files are passed over.
    """
    found: list[ReleaseFile] = []
    unknown: list[str] = []
    for path, name in _files(root):
        kind = kind_of(path)
        if kind:
            found.append(ReleaseFile(path, name, kind))
        else:
            unknown.append(name)
    return tuple(sorted(found, key=_order)), tuple(unknown)


def _files(root: Path) -> Iterator[tuple[Path, str]]:
    if root.is_file():
        yield root, root.name
        return
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith((".", "~$")):
                path = Path(folder) / name
                yield path, path.relative_to(root).as_posix()


def _order(file: ReleaseFile) -> tuple[int, int, str]:
    # The plain list of situations is the catalogue; the others are compared with it, and the
    # workbook only says where the situations come from.
    rank = {"situations.csv": 0, "situations.json": 1}.get(file.path.name.lower(), 2)
    if file.kind == "situations" and file.path.suffix.lower() == ".xlsx":
        rank = 3
    return KINDS.index(file.kind), rank, file.name


def kind_of(path: Path) -> str:
    """The kind of a file by its name, or by a look inside where that says nothing; "" unknown."""
    stem, suffix = path.stem.casefold(), path.suffix.casefold()
    if suffix == ".jsonl":
        return "situations"
    if suffix == ".xlsx":
        return "people" if "crowd" in stem else "situations" if _lists_situations(stem) else ""
    if suffix == ".csv":
        if stem.endswith("-testing"):
            return "models"
        return "situations" if _lists_situations(stem) else _csv_kind(path)
    if suffix == ".json":
        if "questionnaire" in stem:
            return "instruments"
        return "situations" if _lists_situations(stem) else _json_kind(path)
    return ""


def _lists_situations(stem: str) -> bool:
    return stem.startswith(("situation", "scenario"))


def _csv_kind(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = next(csv.reader(file), [])
    except (OSError, UnicodeDecodeError, csv.Error):
        return ""
    if header and header[0].startswith("question-"):
        return "models"
    return "situations" if header and all(map(FACTOR_CODE.fullmatch, header)) else ""


def _json_kind(path: Path) -> str:
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return ""
    if isinstance(data, dict) and isinstance(data.get("emotions"), list):
        return "situations"
    first = data[0] if isinstance(data, list) and data else None
    return "instruments" if isinstance(first, dict) and "questions" in first else ""
