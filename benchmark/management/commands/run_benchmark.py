"""`manage.py run_benchmark`: put the protocol to a language model, in the foreground."""

from __future__ import annotations

import json
import signal
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchmark.domain.prompts import PromptError
from benchmark.models import Run
from benchmark.services.engine import Progress, StopRequest
from benchmark.services.errors import BenchmarkError
from benchmark.services.execution import execute_run, find_run, resume_run
from benchmark.services.language_models import register_language_model
from benchmark.services.planning import PAPER_SAMPLING, RunSettings, plan_run
from benchmark.services.run_states import tokens_used, trial_counts
from surveys.models import InstrumentVersion

DEFAULTS = RunSettings()


class Command(BaseCommand):
    help = (
        "Ask a language model, or a baseline, the protocol: the default measure and the measure "
        "after imagining situations. Ctrl-C stops it where --resume goes on."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--model", help="As the endpoint knows it, or a baseline's name.")
        add("--provider", default="", help="openai, ollama, openrouter, …, or baseline.")
        add("--base-url", default="", help="Any address that speaks the OpenAI protocol.")
        add("--api-key-env", default="", metavar="VAR", help="The variable that holds the key.")
        add("--instrument", default="PANAS", help="Its key. Default: PANAS.")
        add("--emotions", default="all", metavar="Anger,…|all")
        add(
            "--situations",
            default=DEFAULTS.situations,
            metavar="study|all|N-per-factor",
            help="study: those of the published study where it is imported, else the starter "
            "catalogue's; all: every published standard situation; N-per-factor: the first N of "
            "the study's in each factor.",
        )
        add("--default-repeats", type=int, default=DEFAULTS.default_repeats, metavar="N")
        add("--repeats", type=int, default=DEFAULTS.repeats, metavar="N")
        add("--preset", default=DEFAULTS.preset, help="paper (the study's wording) or clean.")
        add("--variant", default=DEFAULTS.variant)
        add("--reply-format", default="text", choices=("text", "json_schema"))
        add("--temperature", type=float, default=PAPER_SAMPLING["temperature"])
        add("--top-p", type=float, default=PAPER_SAMPLING["top_p"])
        add("--seed", type=int, help="Of the whole plan. Default: drawn, and printed.")
        add("--concurrency", type=int, metavar="N", help=f"Default: {DEFAULTS.concurrency}.")
        add("--timeout", type=float, metavar="SECONDS",
            help=f"Of one attempt. Default: {DEFAULTS.timeout_s:g}.")  # fmt: skip
        add("--max-tokens-total", type=int, metavar="N", help="Pause the run at this many.")
        add("--max-cost", type=float, metavar="X", help="Needs prices, which are not known here.")
        add("--resume", default="", metavar="RUN", help="Continue the run with this code.")
        add("--format", default="text", choices=("text", "json"))

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            run = self._run(options)
        except (BenchmarkError, PromptError) as error:
            raise CommandError(str(error)) from error
        self._report(run, options["format"])
        if run.state != Run.State.FINISHED:
            sys.exit(1)

    def _run(self, options: dict[str, Any]) -> Run:
        if options["max_cost"] is not None:
            raise CommandError(
                "--max-cost needs the model's prices, and none are known here: cap the run with "
                "--max-tokens-total instead."
            )
        if options["resume"]:
            run = find_run(options["resume"])
        else:
            run = self._plan(options)
            self._say(f"Run {run.code}: {run.plan['trials']} trials, seed {run.seed}.")
        with stopping_on_interrupt(self._say) as stop:
            execution: dict[str, Any] = {"stop": stop, "on_progress": self._progress()}
            if options["resume"]:
                return resume_run(code=run.code, changes=_changes(options), **execution)
            return execute_run(run, **execution)

    def _plan(self, options: dict[str, Any]) -> Run:
        if not options["model"]:
            raise CommandError("Name the model with --model, or a run with --resume.")
        key = options["instrument"]
        instruments = InstrumentVersion.objects.order_by("-pk")
        instrument = instruments.filter(key__iexact=key).first()
        if instrument is None:
            known = ", ".join(instruments.order_by("pk").values_list("key", flat=True))
            raise CommandError(
                f"There is no instrument {key!r}; there are {known or 'none: run load_catalogue'}."
            )
        model = register_language_model(
            name=options["model"],
            provider=options["provider"],
            base_url=options["base_url"],
            api_key_env=options["api_key_env"],
        )
        emotions = [] if options["emotions"] == "all" else options["emotions"].split(",")
        settings = RunSettings(
            preset=options["preset"],
            variant=options["variant"],
            emotions=[name.strip() for name in emotions if name.strip()],
            situations=options["situations"],
            default_repeats=options["default_repeats"],
            repeats=options["repeats"],
            reply_format=options["reply_format"],
            parameters={"temperature": options["temperature"], "top_p": options["top_p"]},
            seed=options["seed"],
            **{"concurrency": DEFAULTS.concurrency, "timeout_s": DEFAULTS.timeout_s}
            | _changes(options),
        )
        return plan_run(language_model=model, instrument=instrument, settings=settings)

    def _say(self, text: str) -> None:
        self.stderr.write(text)

    def _progress(self) -> Any:
        if not self.stderr.isatty():
            return None

        def show(progress: Progress) -> None:
            rate = progress.settled / progress.elapsed_s if progress.elapsed_s else 0
            self.stderr.write(
                f"\r{progress.settled} of {progress.total} trials, {progress.in_flight} in flight, "
                f"{rate:.1f} a second ",
                ending="",
            )
            self.stderr.flush()

        return show

    def _report(self, run: Run, output_format: str) -> None:
        counts, tokens = trial_counts(run), tokens_used(run)
        if output_format == "json":
            report = {
                "run": run.code,
                "model": run.language_model.name,
                "kind": run.language_model.kind,
                "instrument": run.instrument.key,
                "state": run.state,
                "reason": run.state_reason,
                "seed": run.seed,
                "counts": counts,
                "tokens": tokens,
                "started_at": run.started_at.isoformat() if run.started_at else None,
                "finished_at": run.finished_at.isoformat() if run.finished_at else None,
            }
            self.stdout.write(json.dumps(report))
            return
        listed = ", ".join(f"{n} {state}" for state, n in counts.items() if n)
        self.stdout.write(f"{run.language_model} ({run.instrument}): {run.state}. {listed}.")
        if tokens:
            self.stdout.write(f"{tokens:,} tokens.")
        if run.state_reason:
            self.stdout.write(run.state_reason)
        if run.state in (Run.State.PAUSED, Run.State.PARTIAL, Run.State.RUNNING):
            self.stdout.write(f"Go on with: manage.py run_benchmark --resume {run.code}")


def _changes(options: dict[str, Any]) -> dict[str, Any]:
    """How to ask, where it was said; a run that goes on keeps what it had."""
    given = {
        "concurrency": options["concurrency"],
        "timeout_s": options["timeout"],
        "max_tokens_total": options["max_tokens_total"],
    }
    return {name: value for name, value in given.items() if value is not None}


@contextmanager
def stopping_on_interrupt(say: Any) -> Iterator[StopRequest]:
    """Ctrl-C once lets what is in flight finish; twice does not wait for it."""
    stop = StopRequest()

    def interrupted(number: int, frame: Any) -> None:
        stop()
        say("\nStopping; what is in flight is awaited. Once more, and it is not.")

    before = {n: signal.signal(n, interrupted) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
