"""JSON lines: one object a row, text as it is, missing as null, yes and no as true and false."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

from surveys.exporting.cells import iso_time
from surveys.exporting.table import Table


def write_json_lines(table: Table, path: Path) -> None:
    names = [variable.name for variable in table.variables]
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in table.rows:
            values = [iso_time(value) if isinstance(value, datetime) else value for value in row]
            record = dict(zip(names, values, strict=True))
            file.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
