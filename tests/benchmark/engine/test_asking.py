"""What the engine makes of an endpoint's answers, over a real socket."""

from __future__ import annotations

import logging
from collections import Counter
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from django.core.management import call_command

from benchmark.models import ModelAdministration, Run, Trial
from benchmark.services.errors import BenchmarkError
from benchmark.services.execution import execute_run, resume_run
from benchmark.services.run_states import trial_counts
from tests.benchmark import peer as peers
from tests.benchmark.engine.conftest import QUICK, Plan

SENTINEL = "sk-sentinel-0451"


def states(run: Run) -> dict[str, int]:
    return {state: n for state, n in trial_counts(run).items() if n}


def test_a_run_asks_every_trial_once_and_stores_what_was_asked(ask: Plan) -> None:
    with peers.serving() as peer:
        run = ask(peer.address)

    assert (run.state, states(run)) == ("finished", {"valid": 8})
    assert len(peer.requests) == 8
    assert ModelAdministration.objects.filter(trial__run=run).count() == 8
    trial = run.trials.get(number=7)
    assert trial.messages in [request["messages"] for request in peer.requests]
    assert len(trial.messages_hash) == 64
    assert trial.parameters_sent["temperature"] == 0.01
    assert trial.parameters_sent["seed"] == trial.seed
    assert trial.usage["total_tokens"] == 15
    assert (trial.finish_reason, trial.response_model) == ("stop", "peer-1")
    assert trial.system_fingerprint == "fp_peer"
    assert trial.latency_ms is not None
    assert trial.administrations.get().scores == {"positive_affect": 30, "negative_affect": 30}


def test_repeats_are_asked_each_in_its_own_order(ask: Plan) -> None:
    with peers.serving() as peer:
        run = ask(peer.address, default_repeats=10, repeats=0)

    assert len(peer.requests) == 10
    assert len({tuple(trial.item_order) for trial in run.trials.all()}) == 10


def test_no_more_are_in_flight_than_allowed(ask: Plan) -> None:
    with peers.serving(delay_s=0.05) as peer:
        ask(peer.address, default_repeats=20, repeats=0, concurrency=3)

    assert 2 <= peer.most_at_once <= 3


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (peers.chat("I'm sorry, but as an AI I do not have feelings."), "refused"),
        (peers.chat("", finish_reason="content_filter"), "refused"),
        (peers.chat(None, refusal="I cannot help with that."), "refused"),
        (peers.chat("3, 3, 3"), "invalid"),
        (peers.chat(None), "empty"),
        (peers.chat(""), "empty"),
        (peers.chat("", reasoning_content="1. 3"), "empty"),
        (peers.chat("1. 3\n2. 3", finish_reason="length"), "truncated"),
        (peers.chat(None, finish_reason="length"), "truncated"),
    ],
)
def test_each_kind_of_answer_has_its_own_state(answer: peers.Answer, state: str, ask: Plan) -> None:
    with peers.serving(script=lambda request, number: answer) as peer:
        run = ask(peer.address, default_repeats=2, repeats=0)

    assert states(run) == {state: 2}
    assert len(peer.requests) == 2
    assert not ModelAdministration.objects.exists()
    assert all(trial.state_reason for trial in run.trials.all())


@pytest.mark.parametrize(
    "answer",
    [
        (200, {"content-type": "text/html"}, b"<html>Welcome</html>"),
        (200, {"content-type": "application/json"}, b'{"choices": [{"mess'),
        peers.json_answer(200, {"choices": None}),
        peers.json_answer(200, {"choices": []}),
        peers.error(500, "1. 3\n2. 3"),
        peers.error(400, "the prompt is too long"),
    ],
)
def test_what_is_no_answer_never_becomes_one(answer: peers.Answer, ask: Plan) -> None:
    with peers.serving(script=lambda request, number: answer) as peer:
        run = ask(peer.address, default_repeats=2, repeats=0)

    assert not set(states(run)) - {"failed", "empty"}
    assert run.state in ("partial", "finished")
    assert not ModelAdministration.objects.exists()


def refuses(names: dict[str, str]) -> peers.Script:
    """An endpoint that answers 400 while a request holds one of these parameters."""

    def script(request: dict[str, Any], number: int) -> peers.Answer:
        for name, message in names.items():
            if name in request:
                return peers.error(400, message, param=name)
        return peers.all_threes(request, number)

    return script


def test_a_refused_parameter_is_dropped_and_recorded(ask: Plan) -> None:
    script = refuses({"temperature": "Unsupported value: 'temperature' does not support 0.01."})
    with peers.serving(script=script) as peer:
        run = ask(peer.address, default_repeats=4, repeats=0, concurrency=1)

    assert states(run) == {"valid": 4}
    assert len(peer.requests) == 5
    trial = run.trials.last()
    assert "temperature" not in trial.parameters_sent
    assert "temperature" in trial.parameters_dropped


def test_another_wording_of_the_same_refusal_is_understood(ask: Plan) -> None:
    def script(request: dict[str, Any], number: int) -> peers.Answer:
        if "temperature" in request:
            return peers.error(400, "`temperature` is deprecated for this model")
        return peers.all_threes(request, number)

    with peers.serving(script=script) as peer:
        run = ask(peer.address, default_repeats=2, repeats=0)

    assert states(run) == {"valid": 2}


def test_a_refused_system_role_is_folded_into_the_user_turn(ask: Plan) -> None:
    def script(request: dict[str, Any], number: int) -> peers.Answer:
        if any(message["role"] == "system" for message in request["messages"]):
            return peers.error(400, "System role not supported")
        return peers.all_threes(request, number)

    from benchmark.models import PromptTemplate

    with peers.serving(script=script) as peer:
        from surveys.models import InstrumentVersion

        PromptTemplate.objects.create(
            preset="with-system",
            instrument=InstrumentVersion.objects.get(key="PANAS"),
            system_text="Answer briefly.",
            default_text="{items}",
            evoked_text="{situation} {items}",
        )
        run = ask(peer.address, default_repeats=2, repeats=0, preset="with-system")

    assert states(run) == {"valid": 2}
    assert [m["role"] for m in run.trials.last().messages] == ["user"]
    assert "Answer briefly." in run.trials.last().messages[0]["content"]


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_is_kept_in_both_forms(form: str, ask: Plan) -> None:
    def script(request: dict[str, Any], number: int) -> peers.Answer:
        if number > 1:
            return peers.all_threes(request, number)
        when = format_datetime(datetime.now(UTC) + timedelta(seconds=3), usegmt=True)
        return peers.error(429, "slow down", retry_after="2" if form == "seconds" else when)

    with peers.serving(script=script) as peer:
        run = ask(peer.address, default_repeats=1, repeats=0)

    assert states(run) == {"valid": 1}
    assert peer.times[1] - peer.times[0] >= 1.9


def test_spent_credit_pauses_the_run_at_once(ask: Plan) -> None:
    answer = peers.error(429, "You exceeded your current quota.", code="insufficient_quota")
    with peers.serving(script=lambda request, number: answer) as peer:
        run = ask(peer.address, default_repeats=50, repeats=0, concurrency=2)

    assert run.state == "paused"
    assert "credit" in run.state_reason
    assert len(peer.requests) <= 3
    assert states(run) == {"planned": 50}


def test_a_rejected_key_stops_the_run_with_a_sentence(ask: Plan) -> None:
    answer = peers.error(401, "Incorrect API key provided")
    with peers.serving(script=lambda request, number: answer) as peer:
        run = ask(peer.address, default_repeats=20, repeats=0, concurrency=2)

    assert run.state == "paused"
    assert "key" in run.state_reason
    assert len(peer.requests) <= 3


def test_a_server_error_is_tried_again(ask: Plan) -> None:
    def script(request: dict[str, Any], number: int) -> peers.Answer:
        return peers.error(503, "busy") if number < 3 else peers.all_threes(request, number)

    with peers.serving(script=script) as peer:
        run = ask(peer.address, default_repeats=1, repeats=0)

    assert states(run) == {"valid": 1}
    assert len(peer.requests) == 3


def test_an_endpoint_that_never_answers_costs_its_budget_and_no_more(ask: Plan) -> None:
    with peers.serving(delay_s=3) as peer:
        run = ask(peer.address, default_repeats=1, repeats=0)

    assert states(run) == {"failed": 1}
    assert run.state == "partial"
    assert 1 <= len(peer.requests) <= QUICK.max_attempts


def test_resuming_asks_what_failed_again_with_the_patience_that_is_given_now(ask: Plan) -> None:
    def script(request: dict[str, Any], number: int) -> peers.Answer:
        return peers.error(500, "broken") if number > 1 else peers.all_threes(request, number)

    with peers.serving(script=script) as peer:
        run = ask(peer.address, default_repeats=3, repeats=0, concurrency=1)
        assert (run.state, states(run)) == ("partial", {"valid": 1, "failed": 2})
        peer.script = peers.all_threes
        before = len(peer.requests)
        run = resume_run(code=run.code[:12], changes={"timeout_s": 90, "concurrency": 2})

    assert (run.state, states(run)) == ("finished", {"valid": 3})
    assert len(peer.requests) - before == 2
    assert (run.plan["timeout_s"], run.plan["concurrency"]) == (90, 2)


@pytest.mark.parametrize("address", ["notaurl", "ftp://host/v1", "http://", "http://host:port/v1"])
def test_what_is_no_address_is_refused_before_anything_is_planned(plan: Plan, address: str) -> None:
    with pytest.raises(BenchmarkError, match="is no address"):
        plan(address)
    assert not Run.objects.exists()


def test_a_web_page_is_named_by_its_title_and_not_quoted(ask: Plan) -> None:
    page = b"<html><head><title>Not here</title><style>p { color: red }</style></head></html>"
    answer = (404, {"content-type": "text/html"}, page)
    with peers.serving(script=lambda request, number: answer) as peer:
        run = ask(peer.address, default_repeats=1, repeats=0)

    assert run.state == "paused"
    assert "a web page, 'Not here'" in run.state_reason
    assert "color" not in run.state_reason


def test_a_paused_run_goes_on_without_repeating_a_finished_trial(ask: Plan) -> None:
    def script(request: dict[str, Any], number: int) -> peers.Answer:
        if number > 3:
            return peers.error(401, "Incorrect API key provided")
        return peers.all_threes(request, number)

    with peers.serving(script=script) as peer:
        run = ask(peer.address, default_repeats=6, repeats=0, concurrency=1)
        answered = dict(run.trials.filter(state="valid").values_list("number", "settled_at"))
        assert (run.state, len(answered)) == ("paused", 3)
        peer.script = peers.all_threes
        before = len(peer.requests)
        run = execute_run(run, limits=QUICK)

    assert (run.state, states(run)) == ("finished", {"valid": 6})
    assert len(peer.requests) - before == 3
    kept = dict(run.trials.filter(number__in=answered).values_list("number", "settled_at"))
    assert kept == answered


def test_the_key_appears_nowhere(
    ask: Plan, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Any
) -> None:
    monkeypatch.setenv("PEER_KEY", SENTINEL + "\n")
    caplog.set_level(logging.DEBUG)

    def script(request: dict[str, Any], number: int) -> peers.Answer:
        if number == 1:
            return peers.error(500, f"your key {SENTINEL} is fine, we are not")
        return peers.all_threes(request, number)

    with peers.serving(script=script) as peer:
        run = ask(peer.address, api_key_env="PEER_KEY")
    dump = tmp_path / "dump.json"
    call_command("dumpdata", "benchmark", output=str(dump), verbosity=0)

    assert run.state == "finished"
    assert {headers["authorization"] for headers in peer.headers} == {f"Bearer {SENTINEL}"}
    assert SENTINEL not in dump.read_text()
    assert SENTINEL not in caplog.text


def test_a_missing_key_is_one_sentence(ask: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ABSENT_KEY", raising=False)
    with peers.serving() as peer:
        run = ask(peer.address, api_key_env="ABSENT_KEY")

    assert run.state == "paused"
    assert "ABSENT_KEY" in run.state_reason
    assert peer.requests == []


def test_two_workers_share_a_run_without_asking_twice(plan: Plan) -> None:
    import threading

    from django.db import connection

    def work() -> None:
        try:
            execute_run(Run.objects.get(pk=run.pk), limits=QUICK)
        finally:
            connection.close()

    with peers.serving(delay_s=0.02) as peer:
        run = plan(peer.address, default_repeats=40, repeats=0)
        workers = [threading.Thread(target=work) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    run.refresh_from_db()
    assert (run.state, states(run)) == ("finished", {"valid": 40})
    assert len(peer.requests) == 40
    assert Counter(Trial.objects.values_list("attempts", flat=True)) == {1: 40}
