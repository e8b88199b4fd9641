"""Peers that are none of ours: a real small model, and an endpoint that grades its clients."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmark.models import Run
from benchmark.providers.base import Limits
from benchmark.services.execution import execute_run
from benchmark.services.run_states import trial_counts
from tests.benchmark import peer as peers
from tests.benchmark.engine.conftest import QUICK, Plan

PATIENT = Limits(attempt_timeout_s=30, trial_budget_s=120, rate_limit_patience_s=120)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(command: list[str], is_ready: Callable[[], bool]) -> Iterator[None]:
    """A server process for as long as the block lasts."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 60
        while not is_ready():
            assert process.poll() is None, f"{command[0]} ended by itself"
            assert time.monotonic() < end, f"{command[0]} did not become ready"
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(timeout=20)


def answers(address: str) -> Callable[[], bool]:
    def is_ready() -> bool:
        try:
            with urllib.request.urlopen(address, timeout=2) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    return is_ready


def get(address: str) -> dict:
    with urllib.request.urlopen(address, timeout=10) as response:
        return json.load(response)


def post(address: str, body: dict) -> None:
    request = urllib.request.Request(
        address, json.dumps(body).encode(), {"content-type": "application/json"}
    )
    urllib.request.urlopen(request, timeout=10).close()


@pytest.fixture(scope="module")
def small_model() -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "tests.benchmark.small_model", str(port)]
    with running(command, answers(f"http://127.0.0.1:{port}/health")):
        yield f"http://127.0.0.1:{port}/v1"


@pytest.mark.needs_peer
def test_a_real_small_model_answers_validly_to_a_schema(small_model: str, plan: Plan) -> None:
    choices = {"emotions": ["Guilt"], "default_repeats": 1, "concurrency": 2}
    run = plan(small_model, preset="clean", reply_format="json_schema", **choices)
    run = execute_run(run, limits=PATIENT)

    counts = trial_counts(run)
    assert (run.state, counts["valid"]) == ("finished", run.trials.count())
    assert all(trial.usage["total_tokens"] > 0 for trial in run.trials.all())


@pytest.mark.needs_peer
def test_its_free_text_is_counted_as_invalid(small_model: str, plan: Plan) -> None:
    run = plan(small_model, concurrency=2, default_repeats=2, repeats=0)
    run = execute_run(run, limits=PATIENT)

    counts = trial_counts(run)
    assert run.state == "finished"
    assert counts["valid"] < run.trials.count()
    unscored = run.trials.exclude(state="valid")
    assert all(trial.raw_reply is not None and trial.state_reason for trial in unscored)


@pytest.fixture
def llmock() -> Iterator[str]:
    port = free_port()
    command = [
        str(Path(sys.executable).parent / "llmock"), "serve", "--port", str(port), "--report",
        "--host", "127.0.0.1",
    ]  # fmt: skip
    with running(command, answers(f"http://127.0.0.1:{port}/_llmock/verdict")):
        yield f"http://127.0.0.1:{port}"


@pytest.mark.needs_peer
@pytest.mark.parametrize(
    "behaviour",
    [
        {"type": "fail", "status": 429, "retry_after": 2, "times": 2},
        {"type": "fail", "status": 500, "times": 2},
        {"type": "fail", "status": 503, "times": 2},
    ],
)
def test_the_grading_endpoint_finds_no_fault(behaviour: dict, llmock: str, plan: Plan) -> None:
    post(f"{llmock}/_llmock/scenario", {"behaviors": [behaviour]})
    run = plan(f"{llmock}/v1", default_repeats=10, repeats=0)
    run = execute_run(run, limits=PATIENT)

    verdict = json.dumps(get(f"{llmock}/_llmock/verdict"))
    assert "FAIL" not in verdict.upper().replace('FAILED": 0', ""), verdict
    assert trial_counts(run)["failed"] == 0


WORKER = """
import os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
from tests.settings import DATABASES
django.setup()
from django.db import connections
connections["default"].settings_dict["NAME"] = {name!r}
from benchmark.models import Run
from benchmark.services.execution import execute_run
execute_run(Run.objects.get(pk={pk}), concurrency=4)
"""


def test_a_killed_run_repeats_no_finished_trial(plan: Plan) -> None:
    """SIGKILL in the middle: calls = planned + what was in flight, and nothing is asked anew."""
    from django.db import connection

    with peers.serving(delay_s=0.05) as peer:
        run = plan(peer.address, default_repeats=60, repeats=0, concurrency=4)
        name = str(connection.settings_dict["NAME"])
        child = subprocess.Popen(
            [sys.executable, "-c", WORKER.format(name=name, pk=run.pk)], env=os.environ.copy()
        )
        end = time.monotonic() + 30
        while run.trials.settled().count() < 12:
            assert time.monotonic() < end
            assert child.poll() is None
            time.sleep(0.02)
        child.send_signal(signal.SIGKILL)
        child.wait()
        finished = dict(run.trials.settled().values_list("number", "settled_at"))
        assert 12 <= len(finished) < 60
        Run.objects.get(pk=run.pk).trials.filter(state="leased").update(
            leased_until="2000-01-01T00:00Z"
        )
        run = execute_run(Run.objects.get(pk=run.pk), limits=QUICK)

    assert (run.state, trial_counts(run)["valid"]) == ("finished", 60)
    assert len(peer.requests) <= 60 + 4
    kept = dict(run.trials.filter(number__in=finished).values_list("number", "settled_at"))
    assert kept == finished
