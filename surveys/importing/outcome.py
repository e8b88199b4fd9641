"""What the import of one file did."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class FileOutcome:
    """Counts of one file, by row of the thing it brings (situation, participant, trial, …).

    `invalid` counts those among them that were stored as not valid. `error` is the one message
    of a broken file, of which nothing was imported.
    """

    file: str
    kind: str
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    invalid: int = 0
    warnings: list[str] = field(default_factory=list)
    error: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The object that the command prints; `error` only where there is one."""
        result = asdict(self)
        if not self.error:
            del result["error"]
        return result
