"""Importing the published release, against pandas that only reads the same files."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.database import fresh_database
from tests.bench.table import Row

READINGS = 3


def measure() -> list[Row]:
    with fresh_database():
        from django.conf import settings

        from benchmark.importing.release import import_files
        from benchmark.importing.release_files import find_release_files
        from surveys.services.catalogue import load_catalogue

        root = Path(settings.SHARED_DATA_DIR) / "emotionbench"
        if not root.is_dir():
            return [Row(f"the published release is not at {root}", "–")]
        files, _ = find_release_files(root)
        load_catalogue()
        read_with_pandas([files[0].path])  # so that importing pandas itself is not measured
        reading = statistics.median(
            seconds(lambda: read_with_pandas([file.path for file in files]))
            for _ in range(READINGS)
        )
        outcomes = []
        first = seconds(lambda: outcomes.extend(import_files(files)))
        again = seconds(lambda: outcomes.extend(import_files(files)))
    broken = [outcome.error for outcome in outcomes if outcome.error]
    if broken:
        raise RuntimeError(broken[0])
    created = sum(outcome.created for outcome in outcomes)
    return [
        Row("pandas reading the files", f"{reading:.2f} s"),
        Row(f"importing them ({created:,} rows created)", f"{first:.2f} s"),
        Row("ratio", f"{first / reading:.2f}", "at most 5"),
        Row("importing them again, nothing changes", f"{again:.2f} s"),
    ]


def seconds(action: Callable[[], object]) -> float:
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def read_with_pandas(paths: list[Path]) -> None:
    import json

    import pandas as pd

    for path in paths:
        if path.suffix == ".csv":
            pd.read_csv(path)
        elif path.suffix == ".xlsx":
            pd.read_excel(path)
        else:
            pd.json_normalize(json.loads(path.read_text(encoding="utf-8")))
