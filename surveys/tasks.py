"""Celery tasks of the people's side: each calls one service, and nothing is lost with one.

The database holds what is to be done, and the next regular reading does what a lost task would
have done.
"""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import timezone
from kombu.exceptions import OperationalError

from surveys.prolific.client import connect
from surveys.prolific.launching import prove_launch
from surveys.prolific.regular import sync_running_studies
from surveys.prolific.sync import sync_submission
from surveys.services.retention import overdue_studies, purge_identities

_log = logging.getLogger(__name__)


@shared_task
def sync_prolific_task() -> None:
    sync_running_studies(now=timezone.now())


@shared_task
def read_submission_task(session: str) -> None:
    with connect() as client:
        sync_submission(session=session, client=client, now=timezone.now())


@shared_task
def prove_launch_task(submission_id: int) -> None:
    with connect() as client:
        prove_launch(submission_id=submission_id, client=client, now=timezone.now())


@shared_task
def purge_identities_task() -> None:
    now = timezone.now()
    for study in overdue_studies(now=now):
        purge_identities(study=study, now=now)


def enqueue_submission(session: str) -> None:
    """Have a worker read one submission; without a broker the next regular reading does."""
    try:
        read_submission_task.delay(session)
    except (OperationalError, OSError):
        _log.warning("No broker: a submission is read with the next regular reading.")


def enqueue_proof(submission_id: int) -> None:
    """Have a worker ask Prolific whether a launch is real; else the next regular reading does."""
    try:
        prove_launch_task.delay(submission_id)
    except (OperationalError, OSError):
        _log.warning("No broker: a launch is proven with the next regular reading.")
