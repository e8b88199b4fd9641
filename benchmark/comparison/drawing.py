"""Vega-Lite specifications drawn as SVG and PNG, in this process and without scripts.

Nothing is drawn when a module is loaded: the converter hangs in a forked child of a process that
has drawn.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

VEGA_LITE = "6.4"
PIXELS_PER_POINT = 2


def draw_svg(spec: dict[str, Any]) -> str:
    """The chart as SVG text."""
    return _svg(json.dumps(spec, sort_keys=True))


def draw_png(spec: dict[str, Any]) -> bytes:
    """The chart as PNG, at twice the size in pixels."""
    import vl_convert

    png: bytes = vl_convert.vegalite_to_png(
        json.dumps(spec), vl_version=VEGA_LITE, scale=PIXELS_PER_POINT
    )
    return png


@lru_cache(maxsize=128)
def _svg(text: str) -> str:
    # The key is the whole specification, answers included, so that a drawing is never stale.
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(text, vl_version=VEGA_LITE)
    return svg
