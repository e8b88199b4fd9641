"""Executing a run: the same whether a person waits for it or a worker does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone

from benchmark.domain.baselines import Baseline
from benchmark.models import LanguageModel, Run
from benchmark.providers.base import Limits, Respondent, RunStopped
from benchmark.providers.chat_completions import ChatCompletions
from benchmark.providers.offline import BaselineRespondent
from benchmark.services.engine import Engine, Progress, StopRequest
from benchmark.services.errors import BenchmarkError
from benchmark.services.leases import expire_dead_leases, new_worker
from benchmark.services.run_states import (
    begin_run,
    finish_run,
    pause_run,
    reopen_failed_trials,
)
from benchmark.services.situations import people_by_cell


def execute_run(
    run: Run,
    *,
    concurrency: int | None = None,
    worker: str | None = None,
    limits: Limits | None = None,
    stop: StopRequest | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Ask every open trial of a run and conclude it; the run as it stands then.

    It ends finished, partial (some trials failed) or paused (the reason says what to do). Safe to
    call on a run that was killed, that is paused, or that another worker executes at this moment.
    `concurrency` and `limits` default to what was planned. Raises BenchmarkError on a run that
    cannot be executed at all.
    """
    if not begin_run(run=run, now=timezone.now()):
        return run
    in_flight = concurrency or int(run.plan.get("concurrency", 8))
    expire_dead_leases(run=run, now=timezone.now())
    try:
        respondent = make_respondent(run=run, concurrency=in_flight, limits=limits)
    except RunStopped as reason:
        pause_run(run=run, reason=str(reason))
        return run
    engine = Engine(
        run=run,
        respondent=respondent,
        worker=worker or new_worker(),
        concurrency=in_flight,
        stop=stop or StopRequest(),
        on_progress=on_progress,
    )
    try:
        engine.work()
    except Exception as error:
        pause_run(run=run, reason=f"stopped by an error of the program: {type(error).__name__}")
        raise
    if engine.pause_reason:
        # The last answers may have come in while it stopped: then there is nothing to resume.
        _ = finish_run(run=run, now=timezone.now()) or pause_run(
            run=run, reason=engine.pause_reason
        )
    else:
        finish_run(run=run, now=timezone.now())
    run.refresh_from_db()
    return run


def resume_run(*, code: str, changes: Mapping[str, Any] | None = None, **execution: Any) -> Run:
    """Continue the run with this code, or the only one whose code starts so.

    Trials that failed are asked again: none of them has an answer. `changes` are the parts of the
    plan that say how to ask, not what: concurrency, timeout_s, max_tokens_total.
    """
    run = find_run(code)
    if changes:
        run.plan |= changes
        run.save(update_fields=["plan"])
    reopen_failed_trials(run=run)
    return execute_run(run, **execution)


def find_run(code: str) -> Run:
    """The run of a code or of an unambiguous beginning of one; BenchmarkError otherwise."""
    runs = Run.objects.select_related("language_model__endpoint", "instrument", "prompt_template")
    found = list(runs.filter(code=code) or runs.filter(code__startswith=code)[:2])
    if len(found) != 1 or not code:
        raise BenchmarkError("run_unknown", f"There is no one run {code!r}.")
    run: Run = found[0]
    return run


def make_respondent(*, run: Run, concurrency: int, limits: Limits | None = None) -> Respondent:
    """Who answers this run's questions; RunStopped where its key is missing."""
    model = run.language_model
    if model.kind == LanguageModel.Kind.BASELINE:
        return _baseline(run, Baseline(model.identifier))
    if model.endpoint is None:
        raise BenchmarkError("model_unknown", f"{model} has no endpoint to ask.")
    return ChatCompletions(
        model=model.identifier,
        base_url=model.endpoint.base_url,
        api_key_env=model.endpoint.api_key_env,
        concurrency=concurrency,
        limits=limits or Limits.for_timeout(float(run.plan.get("timeout_s", 60))),
        unsupported_parameters=model.unsupported_parameters,
    )


def _baseline(run: Run, baseline: Baseline) -> BaselineRespondent:
    if baseline is not Baseline.PEOPLE_RESAMPLED:
        return BaselineRespondent(baseline, lambda _: ())
    evoked = run.trials.filter(situation_version__isnull=False)
    keys = set(evoked.values_list("situation_version", flat=True))
    people = people_by_cell(instrument=run.instrument, situation_keys=keys)
    return BaselineRespondent(baseline, lambda key: people.get(key, ()))
