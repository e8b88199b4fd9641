"""From the database to a comparison: which sources there are, their cells, and what was asked."""

from __future__ import annotations
