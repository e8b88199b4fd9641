"""Which runs and trials are meant: the vocabulary of workers, pages, commands and statistics."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Self

from django.db import models

SETTLED = ("valid", "refused", "invalid", "empty", "truncated", "failed")


class RunQuerySet(models.QuerySet[Any]):
    """Runs."""

    def unfinished(self) -> Self:
        return self.filter(state__in=("planned", "running"))


class TrialQuerySet(models.QuerySet[Any]):
    """Trials."""

    def settled(self) -> Self:
        return self.filter(state__in=SETTLED)

    def claimable(self, *, now: datetime) -> Self:
        """Never asked, or leased by a worker that has let its lease run out."""
        free = models.Q(state="planned")
        expired = models.Q(state="leased", leased_until__lt=now)
        return self.filter(free | expired)
