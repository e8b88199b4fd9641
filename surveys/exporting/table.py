"""A table to be written: its variables, described well enough for a codebook, and its rows.

The names of variables are the same in every format, so they keep the narrowest rules, which are
those of SPSS.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

Value = str | int | float | bool | datetime | None
Row = Sequence[Value]

MAX_NAME = 64
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_RESERVED_BY_SPSS = frozenset(
    ("all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with")
)


class Kind(StrEnum):
    """What the values of a variable are. None is missing in each of them."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    YES_NO = "yes or no"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Variable:
    """One column. `instrument` and `version` are empty where no instrument gave the values."""

    name: str
    label: str
    kind: Kind
    unit: str = ""
    value_labels: Mapping[int, str] = field(default_factory=dict)
    instrument: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows, made while they are read, and what their columns mean."""

    name: str
    variables: Sequence[Variable]
    rows: Iterable[Row]

    def __post_init__(self) -> None:
        names = [variable.name for variable in self.variables]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"{self.name}: variables named twice: {', '.join(repeated)}")
        unfit = [name for name in names if not _fits(name)]
        if unfit:
            raise ValueError(f"{self.name}: no names for variables: {', '.join(unfit)}")


def variable_name(*parts: str) -> str:
    """A name that every format takes, such as `default_interested`."""
    return re.sub(r"[^a-z0-9]+", "_", "_".join(parts).lower()).strip("_")


def _fits(name: str) -> bool:
    is_well_formed = _NAME.fullmatch(name) is not None and len(name) <= MAX_NAME
    return is_well_formed and name not in _RESERVED_BY_SPSS
