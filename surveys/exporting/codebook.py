"""The codebook of a table: a table with one row a variable."""

from __future__ import annotations

from surveys.exporting.table import Kind, Table, Variable

COLUMNS = (
    Variable("variable", "Name of the column", Kind.TEXT),
    Variable("label", "What it holds", Kind.TEXT),
    Variable("type", "text, integer, number, yes or no, or time", Kind.TEXT),
    Variable("unit", "What a number counts", Kind.TEXT),
    Variable("value_labels", "What single values mean", Kind.TEXT),
    Variable("instrument", "The questionnaire that the values come from", Kind.TEXT),
    Variable("version", "The questionnaire's version", Kind.TEXT),
)
YES_NO = {0: "no", 1: "yes"}


def codebook_of(table: Table) -> Table:
    """Every variable of the table in its order."""
    rows = [
        (v.name, v.label, v.kind.value, v.unit or None, _labels(v) or None,
         v.instrument or None, v.version or None)
        for v in table.variables
    ]  # fmt: skip
    return Table("codebook", COLUMNS, rows)


def _labels(variable: Variable) -> str:
    labels = YES_NO if variable.kind is Kind.YES_NO else variable.value_labels
    return "; ".join(f"{value} = {label}" for value, label in labels.items())
