"""The administration of the models' side. It shows and asks; services decide."""

from __future__ import annotations

from benchmark.admin import language_models, runs

__all__ = ["language_models", "runs"]
