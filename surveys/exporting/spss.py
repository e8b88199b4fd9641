"""SPSS files with labels of variables and values.

The format is written as a whole, so all rows are in memory: about 10 MB for 10,000 participants.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pyreadstat

from surveys.exporting.cells import plain, shorten
from surveys.exporting.table import Kind, Table, Value, Variable

# SPSS's own limits, in bytes.
MAX_TEXT, MAX_LABEL, MAX_VALUE_LABEL = 32_767, 256, 120
NUMERIC = {Kind.INTEGER: "F8.0", Kind.YES_NO: "F1.0", Kind.NUMBER: "F12.4"}


def write_spss(table: Table, path: Path) -> None:
    """Numbers are numeric with system-missing; times are text in ISO 8601 with offset.

    An SPSS date has no time zone, so a time as a date would be wrong for somebody.
    """
    variables = table.variables
    columns: Sequence[Sequence[Value]] = list(zip(*table.rows, strict=True)) or [()] * len(
        variables
    )
    frame = pd.DataFrame(
        {v.name: _column(v, values) for v, values in zip(variables, columns, strict=True)}
    )
    pyreadstat.write_sav(
        frame,
        path,
        file_label=shorten(table.name, 64),
        column_labels={v.name: shorten(v.label, MAX_LABEL) for v in variables},
        variable_value_labels={v.name: _labels(v) for v in variables if v.value_labels},
        variable_measure={v.name: _level(v) for v in variables},
        variable_format={v.name: NUMERIC[v.kind] for v in variables if v.kind in NUMERIC},
    )


def _column(variable: Variable, values: Sequence[Value]) -> pd.Series:
    if variable.kind in NUMERIC:
        return pd.Series([plain(value) for value in values], dtype="float64")
    texts = ["" if value is None else shorten(str(plain(value)), MAX_TEXT) for value in values]
    return pd.Series(texts, dtype="str")


def _labels(variable: Variable) -> dict[int | float, str]:
    return {value: shorten(text, MAX_VALUE_LABEL) for value, text in variable.value_labels.items()}


def _level(variable: Variable) -> str:
    if variable.kind in (Kind.TEXT, Kind.TIME, Kind.YES_NO):
        return "nominal"
    return "ordinal" if variable.value_labels else "scale"
