"""The dashboards. They parse an address, ask `benchmark.comparison`, and render."""

from __future__ import annotations
