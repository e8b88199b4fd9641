"""What the model files of a release quote as shown, read before anything of them is imported."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from benchmark.importing.trial_files import shown_words
from benchmark.importing.trial_tables import EVOKED_HEADER
from surveys.importing.places import Place, emotion_name


def quoted_situations(paths: Iterable[Path]) -> dict[Place, str]:
    """The words at each place, from the first file that quotes it.

    Only the header and the row below it are read. A file that cannot be read quotes nothing
    here: its own import says what is wrong with it.
    """
    quoted: dict[Place, str] = {}
    for path in paths:
        for place, words in _quotes(path):
            quoted.setdefault(place, words)
    return quoted


def _quotes(path: Path) -> Iterable[tuple[Place, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file)
            header, shown = next(rows, []), next(rows, [])
    except (OSError, UnicodeDecodeError, csv.Error):
        return
    for name, cell in zip(header, shown, strict=False):
        match = EVOKED_HEADER.fullmatch(name.strip())
        words = shown_words(cell)
        if match and words:
            yield Place(emotion_name(match[1]), int(match[2]), int(match[3])), words
