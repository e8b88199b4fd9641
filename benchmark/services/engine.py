"""The engine: keeps as many questions of a run in flight as given, until none is left to ask.

One thread talks to the database (this one, the caller's) and one to the endpoint. A trial counts
as in flight until its outcome is stored: after a kill at any moment no more than `concurrency`
trials are asked a second time, and none that is stored.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import OperationalError, close_old_connections, transaction
from django.utils import timezone

from benchmark.models import LanguageModel, Run, Trial
from benchmark.providers.base import GivenBack, Reply, Respondent, RunStopped, TrialFailed
from benchmark.services.asking import AskingThread, Outcome
from benchmark.services.leases import (
    HEARTBEAT,
    claim_trials,
    expire_dead_leases,
    extend_leases,
    give_up_trials,
    release_trials,
)
from benchmark.services.questions import AskedTrial, QuestionDesk, Settlement
from benchmark.services.run_states import tokens_used, total_tokens, trial_counts
from benchmark.services.settling import settle_trials

log = logging.getLogger(__name__)

TICK_S = 0.5
STORE_ATTEMPTS = 6
HOPELESS_AFTER = 20
"""Failures in a row, beyond those in flight, after which a run pauses instead of failing on."""


class StopRequest:
    """Asks a run to stop: once, and it finishes what is in flight; twice, and it does not."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._abandon = threading.Event()

    def __call__(self) -> None:
        (self._abandon if self._stop.is_set() else self._stop).set()

    @property
    def is_requested(self) -> bool:
        return self._stop.is_set()

    @property
    def is_impatient(self) -> bool:
        return self._abandon.is_set()


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands: trials by state, tokens so far, and how many are being asked."""

    counts: dict[str, int]
    tokens: int
    in_flight: int
    elapsed_s: float

    @property
    def settled(self) -> int:
        return sum(self.counts.values()) - self.counts["planned"] - self.counts["leased"]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


class Engine:
    """One execution of one run by one worker."""

    def __init__(
        self,
        *,
        run: Run,
        respondent: Respondent,
        worker: str,
        concurrency: int,
        stop: StopRequest,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._run = run
        self._respondent = respondent
        self._worker = worker
        self._concurrency = concurrency
        self._stop_request = stop
        self._on_progress = on_progress
        self._desk = QuestionDesk(run)
        self._reserve: list[Trial] = []
        self._in_flight: dict[int, AskedTrial] = {}
        self._is_stopping = False
        self._failures_in_a_row = 0
        self._counts = _with_open_as_planned(trial_counts(run))
        self._tokens = tokens_used(run)
        self._tokens_cap: int | None = run.plan.get("max_tokens_total")
        self._answers = 0
        self._answer_tokens = 0
        self._started = time.monotonic()
        self._next_check = self._next_heartbeat = self._started
        self.pause_reason = ""

    def work(self) -> None:
        """Ask until no trial is open or the run stops; `pause_reason` says why it stopped."""
        try:
            with AskingThread(self._respondent) as asking:
                while self._step(asking):
                    pass
        finally:
            release_trials(run=self._run, worker=self._worker)

    def _step(self, asking: AskingThread) -> bool:
        """One round: refill, wait, store; False when there is nothing more to do."""
        self._look_around(asking)
        if not self._is_stopping:
            self._refill(asking)
        if not self._in_flight:
            return not self._is_stopping and self._is_somebody_asking()
        outcomes = asking.collect(TICK_S)
        if outcomes:
            self._store(outcomes)
            if self.pause_reason:
                self._stop(asking)
            self._report()
        return True

    def _refill(self, asking: AskingThread) -> None:
        free = self._concurrency - len(self._in_flight)
        if len(self._reserve) < free:
            # Some are claimed ahead, so that most rounds claim nothing.
            limit = free - len(self._reserve) + self._concurrency // 2
            now = timezone.now()
            self._reserve += claim_trials(run=self._run, worker=self._worker, limit=limit, now=now)
        batch = []
        while self._reserve and free > 0 and self._can_afford():
            asked = self._desk.ask(self._reserve.pop(0), now=timezone.now())
            asked.trial.run = self._run
            self._in_flight[asked.trial.pk] = asked
            batch.append((asked.trial.pk, asked.question))
            free -= 1
        asking.ask(batch)

    def _can_afford(self) -> bool:
        if self._tokens_cap is None:
            return True
        each = self._answer_tokens / self._answers if self._answers else 0
        if self._tokens + each * (len(self._in_flight) + 1) <= self._tokens_cap:
            return True
        if not self._in_flight:
            self.pause_reason = (
                f"The cap of {self._tokens_cap} tokens is reached ({self._tokens} used): "
                "resume with a higher --max-tokens-total."
            )
            self._is_stopping = True
        return False

    def _store(self, outcomes: Sequence[Outcome]) -> None:
        settlements, given_back = [], []
        for trial_id, result in outcomes:
            asked = self._in_flight[trial_id]
            settlement = self._settlement(asked, result)
            if settlement is None:
                given_back.append(trial_id)
            else:
                settlements.append(settlement)
        self._count(self._store_patiently(settlements))
        if given_back:
            release_trials(run=self._run, worker=self._worker, trial_ids=given_back)
        for outcome in outcomes:
            del self._in_flight[outcome.trial_id]
        self._remember_parameters()

    def _settlement(self, asked: AskedTrial, result: Reply | BaseException) -> Settlement | None:
        """What to store of an outcome; None where the trial is to be given back."""
        if isinstance(result, Reply):
            return self._desk.judge(asked, result)
        if isinstance(result, GivenBack):
            return None
        if isinstance(result, RunStopped):
            self.pause_reason = self.pause_reason or str(result)
            return None
        if isinstance(result, TrialFailed):
            return self._desk.failed(asked, result)
        log.error("asking failed", exc_info=result)
        return self._desk.failed(
            asked, TrialFailed(f"error of the program: {type(result).__name__}")
        )

    def _store_patiently(self, settlements: list[Settlement]) -> list[Settlement]:
        """Store answers, through a restart of the database too: they have been paid for."""
        for attempt in range(STORE_ATTEMPTS):
            try:
                return settle_trials(
                    settlements=settlements, worker=self._worker, now=timezone.now()
                )
            except OperationalError:
                if attempt == STORE_ATTEMPTS - 1 or transaction.get_connection().in_atomic_block:
                    raise
                log.warning("the database does not answer; trying again")
                time.sleep(2**attempt / 2)
                close_old_connections()
        return []

    def _count(self, settlements: Sequence[Settlement]) -> None:
        for settlement in settlements:
            self._counts[settlement.state] += 1
            self._counts[Trial.State.PLANNED] -= 1
            tokens = total_tokens(dict(settlement.reply.usage))
            self._tokens += tokens
            if settlement.state == Trial.State.FAILED:
                self._failures_in_a_row += 1
            else:
                self._failures_in_a_row = 0
                self._answers += 1
                self._answer_tokens += tokens
        if self._failures_in_a_row >= HOPELESS_AFTER + self._concurrency:
            self.pause_reason = (
                f"{self._failures_in_a_row} trials failed in a row, the last with: "
                f"{settlements[-1].reason}"
            )

    def _remember_parameters(self) -> None:
        model = self._run.language_model
        learned = self._respondent.unsupported_parameters - set(model.unsupported_parameters)
        if learned:
            model.unsupported_parameters = sorted({*model.unsupported_parameters, *learned})
            LanguageModel.objects.filter(pk=model.pk).update(
                unsupported_parameters=model.unsupported_parameters
            )

    def _look_around(self, asking: AskingThread) -> None:
        """Between rounds: is the run still wanted, and do our leases hold."""
        if self._stop_request.is_impatient:
            asking.abandon()
        if self._stop_request.is_requested and not self._is_stopping:
            self.pause_reason = self.pause_reason or "stopped by hand"
            self._stop(asking)
        now = time.monotonic()
        if now >= self._next_check:
            self._next_check = now + TICK_S
            running = Run.objects.filter(pk=self._run.pk, state=Run.State.RUNNING).exists()
            if not running and not self._is_stopping:
                self._stop(asking)
        if now >= self._next_heartbeat:
            self._next_heartbeat = now + HEARTBEAT.total_seconds()
            extend_leases(run=self._run, worker=self._worker, now=timezone.now())

    def _stop(self, asking: AskingThread) -> None:
        self._is_stopping = True
        asking.stop()

    def _is_somebody_asking(self) -> bool:
        """Whether trials are held by other workers; their leases end, so this does too."""
        now = timezone.now()
        expire_dead_leases(run=self._run, now=now)
        give_up_trials(run=self._run, now=now + timedelta(microseconds=1))
        if not self._run.trials.filter(state__in=("planned", "leased")).exists():
            return False
        if not self._run.trials.claimable(now=now).exists():
            time.sleep(TICK_S)
        return True

    def _report(self) -> None:
        if self._on_progress:
            self._on_progress(self.progress)

    @property
    def progress(self) -> Progress:
        return Progress(
            dict(self._counts),
            self._tokens,
            len(self._in_flight),
            time.monotonic() - self._started,
        )


def _with_open_as_planned(counts: dict[str, int]) -> dict[str, int]:
    """Counts in which trials held by somebody are still to come, as a reader expects."""
    return counts | {"planned": counts["planned"] + counts["leased"], "leased": 0}
