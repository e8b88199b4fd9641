"""The countries that people choose from: ISO 3166-1, in English, by name."""

from __future__ import annotations

import json
from functools import cache

from surveys.services.catalogue import DATA


@cache
def country_names() -> tuple[str, ...]:
    """Every name, in alphabetical order."""
    rows = json.loads((DATA / "countries.json").read_text(encoding="utf-8"))
    return tuple(row["name"] for row in rows)
