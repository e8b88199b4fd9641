"""Parquet: typed columns, times as instants, labels in the metadata of each field."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from surveys.exporting.table import Kind, Table, Variable

ROWS_A_GROUP = 2_000
TYPES = {
    Kind.TEXT: pa.string(),
    Kind.INTEGER: pa.int64(),
    Kind.NUMBER: pa.float64(),
    Kind.YES_NO: pa.bool_(),
    Kind.TIME: pa.timestamp("us", tz="UTC"),
}


def write_parquet(table: Table, path: Path) -> None:
    schema = pa.schema([_field(variable) for variable in table.variables])
    rows = iter(table.rows)
    with pq.ParquetWriter(path, schema) as writer:
        while batch := list(islice(rows, ROWS_A_GROUP)):
            columns = zip(*batch, strict=True)
            arrays = [
                pa.array(column, type=field.type)
                for column, field in zip(columns, schema, strict=True)
            ]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def _field(variable: Variable) -> pa.Field:
    metadata = {"label": variable.label}
    if variable.value_labels:
        metadata["value_labels"] = json.dumps(variable.value_labels, ensure_ascii=False)
    return pa.field(variable.name, TYPES[variable.kind], metadata=metadata)
