"""Handing runs to a worker. The message only wakes it; what is to be done is in the database."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from benchmark.models import Run, Trial
from benchmark.services.execution import execute_run
from benchmark.services.run_states import RESUMABLE


def enqueue_run(run: Run) -> None:
    """Let a worker execute a run, once the transaction that planned it is committed."""
    run.plan["is_for_worker"] = True
    run.save(update_fields=["plan"])
    transaction.on_commit(lambda: _send(run.pk))


def _send(run_id: int) -> None:
    from benchmark.tasks import run_benchmark_task

    run_benchmark_task.delay(run_id)


def execute_enqueued_run(*, run_id: int) -> None:
    """What a worker does when woken; nothing where the run is gone or needs nobody."""
    runs = Run.objects.select_related("language_model__endpoint", "instrument", "prompt_template")
    run = runs.filter(pk=run_id, state__in=RESUMABLE).first()
    if run is not None:
        execute_run(run)


def wake_forgotten_runs(*, now: datetime) -> int:
    """Enqueue again the runs whose message or worker was lost; how many.

    Those are a worker's runs that are open although nobody holds a trial of them. Runs in
    somebody's foreground are theirs to resume.
    """
    held = Trial.objects.filter(state=Trial.State.LEASED, leased_until__gte=now)
    forgotten = (
        Run.objects.unfinished()
        .filter(origin=Run.Origin.OWN, plan__is_for_worker=True)
        .exclude(pk__in=held.values("run"))
    )
    for run_id in forgotten.values_list("pk", flat=True):
        _send(run_id)
    return forgotten.count()
