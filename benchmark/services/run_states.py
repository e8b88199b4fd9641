"""How a run gets from one state to another; every step is a conditional update."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from django.db import transaction
from django.db.models import Count
from django.db.models.functions import Coalesce
from django.utils import timezone

from benchmark.models import Run, Trial
from benchmark.services.errors import BenchmarkError

RESUMABLE = (Run.State.PLANNED, Run.State.RUNNING, Run.State.PAUSED, Run.State.PARTIAL)
LONGEST_REASON = 300


def begin_run(*, run: Run, now: datetime) -> bool:
    """Set a run going, or going again; False where it is finished already.

    Raises BenchmarkError where it is imported or cancelled.
    """
    if run.origin == Run.Origin.IMPORTED:
        raise BenchmarkError("run_imported", f"{run} was imported: there is nobody to ask.")
    begun = Run.objects.filter(pk=run.pk, state__in=RESUMABLE).update(
        state=Run.State.RUNNING,
        state_reason="",
        started_at=Coalesce("started_at", now),
        finished_at=None,
    )
    run.refresh_from_db()
    if run.state == Run.State.CANCELLED:
        raise BenchmarkError("run_cancelled", f"Run {run.code} was cancelled: plan another one.")
    return bool(begun)


def pause_run(*, run: Run, reason: str) -> bool:
    """Stop a running run where it can be resumed; whether it was running."""
    return _leave_running(run, Run.State.PAUSED, reason)


def finish_run(*, run: Run, now: datetime) -> bool:
    """Conclude a running run none of whose trials is open; whether this call concluded it."""
    if run.trials.filter(state__in=(Trial.State.PLANNED, Trial.State.LEASED)).exists():
        return False
    failed = run.trials.filter(state=Trial.State.FAILED)
    reasons = Counter(failed.values_list("state_reason", flat=True))
    if not reasons:
        return _leave_running(run, Run.State.FINISHED, "", finished_at=now)
    common = reasons.most_common(1)[0][0]
    reason = f"{reasons.total()} of {run.trials.count()} trials failed: {common}"
    return _leave_running(run, Run.State.PARTIAL, reason, finished_at=now)


@transaction.atomic
def cancel_run(*, run: Run) -> bool:
    """End a run for good, keeping what was answered; whether it was open.

    Workers that are asking notice within a second; what they still get is not lost, for a trial
    that is being asked settles.
    """
    changed = Run.objects.filter(pk=run.pk, state__in=RESUMABLE, origin=Run.Origin.OWN).update(
        state=Run.State.CANCELLED, finished_at=timezone.now(), state_reason="cancelled"
    )
    run.refresh_from_db()
    return bool(changed)


@transaction.atomic
def reopen_failed_trials(*, run: Run) -> int:
    """Plan the failed trials of a run that is not running again; how many."""
    open_states = (Run.State.PAUSED, Run.State.PARTIAL)
    if not Run.objects.filter(pk=run.pk, state__in=open_states).exists():
        return 0
    failed = run.trials.filter(state=Trial.State.FAILED)
    return int(
        failed.update(state=Trial.State.PLANNED, state_reason="", attempts=0, settled_at=None)
    )


def trial_counts(run: Run) -> dict[str, int]:
    """How many trials are in each state; states without any are 0."""
    counts = dict.fromkeys((state.value for state in Trial.State), 0)
    rows = run.trials.order_by().values("state").annotate(n=Count("pk"))
    return counts | {row["state"]: row["n"] for row in rows}


def tokens_used(run: Run) -> int:
    """Tokens that the endpoint counted over all settled trials."""
    usages = run.trials.settled().values_list("usage", flat=True).iterator()
    return sum(total_tokens(usage) for usage in usages)


def total_tokens(usage: dict[str, object]) -> int:
    """The tokens of one answer: the total where it is given, else prompt and completion."""
    names = ("prompt_tokens", "completion_tokens")
    total = usage.get("total_tokens")
    if type(total) is int:
        return total
    return sum(value for name in names if type(value := usage.get(name)) is int)


def _leave_running(
    run: Run, state: Run.State, reason: str, *, finished_at: datetime | None = None
) -> bool:
    changed = Run.objects.filter(pk=run.pk, state=Run.State.RUNNING).update(
        state=state, state_reason=reason[:LONGEST_REASON], finished_at=finished_at
    )
    run.refresh_from_db()
    return bool(changed)
