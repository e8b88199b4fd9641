"""Celery tasks: each loads an id, calls a service, and does nothing else."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.utils import timezone

from benchmark.services.enqueueing import execute_enqueued_run, wake_forgotten_runs


@shared_task
def run_benchmark_task(run_id: int) -> None:
    execute_enqueued_run(run_id=run_id)


@shared_task
def wake_forgotten_runs_task() -> None:
    wake_forgotten_runs(now=timezone.now())


@worker_ready.connect
def on_worker_ready(**_: Any) -> None:
    wake_forgotten_runs_task.delay()
