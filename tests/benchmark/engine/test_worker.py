"""A real worker process on each broker does what the administration hands over."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connection

from benchmark.models import Run
from benchmark.services.enqueueing import enqueue_run
from benchmark.services.run_states import trial_counts
from tests.benchmark import peer as peers
from tests.benchmark.engine.conftest import Plan

PROGRAM = """
import os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()
from django.db import connections
connections["default"].settings_dict["NAME"] = {name!r}
from config.celery import app
app.worker_main(["worker", "--pool", "threads", "--concurrency", "2", "--loglevel", "WARNING"])
"""


@contextmanager
def worker(**variables: str) -> Iterator[subprocess.Popen[bytes]]:
    name = str(connection.settings_dict["NAME"])
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(name=name)], env=os.environ | variables
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait_until_finished(run: Run, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 150
    while run.state not in {"finished", "partial", "paused"}:
        assert process.poll() is None, "the worker ended by itself"
        assert time.monotonic() < end, f"the run is still {run.state}"
        time.sleep(0.1)
        run.refresh_from_db()


@pytest.mark.parametrize("broker", ["folder", pytest.param("redis", marks=pytest.mark.needs_redis)])
def test_a_worker_executes_what_was_enqueued_before_it_started(
    plan: Plan, tmp_path: Path, broker: str
) -> None:
    """The message may be lost, as here where nobody listened: the worker asks for such runs."""
    variables = {"AFFECTBENCH_VAR_DIR": str(tmp_path), "REDIS_URL": "", "CELERY_BROKER_URL": ""}
    if broker == "redis":
        variables["CELERY_BROKER_URL"] = f"redis://{os.environ['TEST_REDIS']}/7"
    else:
        del variables["CELERY_BROKER_URL"]
    with peers.serving() as peer:
        run = plan(peer.address, default_repeats=5, repeats=0)
        enqueue_run(run)
        with worker(**variables) as process:
            wait_until_finished(run, process)

    assert (run.state, trial_counts(run)["valid"]) == ("finished", 5)
    assert len(peer.requests) == 5
