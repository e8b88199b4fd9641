"""The administration of the people's side. It shows and asks; services decide."""

from __future__ import annotations

from surveys.admin import catalogue, instruments, participation, prolific, studies

__all__ = ["catalogue", "instruments", "participation", "prolific", "studies"]
