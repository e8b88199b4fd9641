"""The regular reading of every study that is running on Prolific: the net under the webhooks."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime

from surveys.models import ProlificStudy
from surveys.prolific.client import connect
from surveys.prolific.errors import ProlificError
from surveys.prolific.reconciling import Reconciliation, reconcile

_log = logging.getLogger(__name__)
# A completed study on Prolific changes no more, except through a person who looks at it.
_AT_REST = ("UNPUBLISHED", "COMPLETED")


def running_studies() -> Iterable[ProlificStudy]:
    """The studies whose submissions may change."""
    rows = ProlificStudy.objects.select_related("study").exclude(status__in=_AT_REST)
    return rows.order_by("pk")


def sync_running_studies(*, now: datetime) -> list[Reconciliation]:
    """Reconcile each; one that fails is noted with it and keeps the others from nothing."""
    rows = list(running_studies())
    done: list[Reconciliation] = []
    if not rows:
        return done
    with connect() as client:
        for row in rows:
            try:
                done.append(reconcile(row=row, client=client, now=now))
            except ProlificError as error:
                _log.warning("%s could not be read from Prolific: %s", row.study.slug, error)
                if error.code in ("token_refused", "not_reached", "busy"):
                    return done
    return done
