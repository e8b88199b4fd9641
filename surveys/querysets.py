"""Who and what counts: the one vocabulary that pages, exports, API and statistics ask with."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Self

from django.db import models

# Prolific's words for submissions, as they are stored.
LEFT_STATUSES = ("RETURNED", "TIMED_OUT")
REJECTED = "REJECTED"


class FactorManager(models.Manager[Any]):
    """A factor is never named without its emotion, so the two are read together."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().select_related("emotion")


class SituationQuerySet(models.QuerySet[Any]):
    """Situations of the catalogue."""

    def published(self) -> Self:
        return self.filter(state="published")

    def standard(self) -> Self:
        """The situations meant to evoke their factor's emotion; no controls."""
        return self.filter(kind="standard")

    def in_catalogue_order(self) -> Self:
        return self.select_related("factor__emotion").order_by(
            "factor__emotion__position", "factor__position", "kind", "position", "collection_id"
        )


def counted(prefix: str = "") -> models.Q:
    """The one rule of who counts as a respondent: completed, no test, not excluded.

    `prefix` leads from another model to the participation, such as "participations__".
    """
    return models.Q(
        **{
            f"{prefix}state": "completed",
            f"{prefix}is_test": False,
            f"{prefix}excluded_because": "",
        }
    )


class ParticipationQuerySet(models.QuerySet[Any]):
    """Participations; `counted` is the one rule of who counts as a respondent."""

    def counted(self) -> Self:
        """Completed, and neither a test, nor withdrawn, nor excluded."""
        return self.filter(counted())

    def counted_before_exclusion(self) -> Self:
        """Those who count, and those who would if nothing had excluded them."""
        return self.filter(state="completed", is_test=False)

    def holding_places(self, *, active_since: datetime) -> Self:
        """Those whose situations are taken: completed, or active and seen recently.

        Who returned the submission or ran out of time on Prolific frees their place at once, and
        takes it again by finishing all the same. A rejected submission holds none.
        """
        is_under_way = models.Q(state="active", last_seen_at__gte=active_since) & ~models.Q(
            submission__status__in=LEFT_STATUSES
        )
        taken = models.Q(state="completed") | is_under_way
        return self.filter(
            taken & ~models.Q(submission__status=REJECTED), is_test=False, excluded_because=""
        )


class StudyQuerySet(models.QuerySet[Any]):
    """Studies."""

    def with_counts(self) -> Self:
        """Adds `n_situations` and `n_completed`, the participations that count."""
        return self.annotate(
            n_situations=models.Count("study_situations", distinct=True),
            n_completed=models.Count(
                "participations", filter=counted("participations__"), distinct=True
            ),
        )


class AdministrationQuerySet(models.QuerySet[Any]):
    """Administrations of people."""

    def counted(self) -> Self:
        """Complete measures of participations that count."""
        return self.filter(counted("participation__"), scores__isnull=False)
