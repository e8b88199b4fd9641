"""The JSON schema that makes a model answer with exactly one integer an item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SCHEMA_NAME = "ratings"


def reply_schema(items: Sequence[str], low: int, high: int) -> dict[str, Any]:
    """The `json_schema` of a response format, strict: {"ratings": [n integers low..high]}.

    The integers stand in the order of `items`, which is the order of the prompt; the item texts
    themselves are not part of the schema, so one schema serves every order of an instrument.
    Raises ValueError without items or with an empty scale.
    """
    if not items:
        raise ValueError("a reply schema needs items")
    if low > high:
        raise ValueError(f"no integer lies between {low} and {high}")
    ratings = {
        "type": "array",
        "description": "One rating for each item, in the order in which the items are listed.",
        "items": {"type": "integer", "minimum": low, "maximum": high},
        "minItems": len(items),
        "maxItems": len(items),
    }
    return {
        "name": SCHEMA_NAME,
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"ratings": ratings},
            "required": ["ratings"],
            "additionalProperties": False,
        },
    }
