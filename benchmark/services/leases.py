"""Who is asking which trial: claimed by a conditional update, held by a lease, freed when it ends.

No broker and no process is trusted to remember a trial. A worker holds it for a minute, extends
the lease while it asks, and a lease that runs out is anybody's.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
from collections.abc import Collection
from datetime import datetime, timedelta
from pathlib import Path

from django.db import transaction
from django.db.models import F, QuerySet

from benchmark.models import Run, Trial

LEASE = timedelta(seconds=60)
HEARTBEAT = timedelta(seconds=15)
MAX_CLAIMS = 3
"""A trial whose worker died this often is not asked again."""


def new_worker() -> str:
    """A name for one execution: the machine, the process and a token of its own."""
    return f"{_machine()}-{os.getpid()}-{secrets.token_hex(6)}"


def claim_trials(*, run: Run, worker: str, limit: int, now: datetime) -> list[Trial]:
    """Up to `limit` trials in their order, now leased to this worker.

    Nothing where the run is not running. Free ones first, then those whose lease ran out.
    """
    if limit < 1 or not Run.objects.filter(pk=run.pk, state=Run.State.RUNNING).exists():
        return []
    claimed: list[Trial] = []
    expired = run.trials.claimable(now=now).filter(attempts__lt=MAX_CLAIMS)
    for source in (run.trials.filter(state=Trial.State.PLANNED), expired):
        if len(claimed) < limit:
            claimed += _claim(source, worker, limit - len(claimed), now)
    return claimed


@transaction.atomic
def _claim(source: QuerySet[Trial], worker: str, limit: int, now: datetime) -> list[Trial]:
    # Locked where the database locks rows; SQLite's immediate transaction locks the file.
    rows = list(source.order_by("number").select_for_update(skip_locked=True)[:limit])
    if rows:
        Trial.objects.filter(pk__in=[row.pk for row in rows]).update(
            state=Trial.State.LEASED,
            leased_by=worker,
            leased_until=now + LEASE,
            attempts=F("attempts") + 1,
        )
    return rows


def extend_leases(*, run: Run, worker: str, now: datetime) -> int:
    """Hold what this worker holds for longer; how many that is."""
    held = run.trials.filter(state=Trial.State.LEASED, leased_by=worker)
    return int(held.update(leased_until=now + LEASE))


def release_trials(*, run: Run, worker: str, trial_ids: Collection[int] | None = None) -> int:
    """Give trials back unasked (None: all that this worker holds), as if never claimed."""
    held = run.trials.filter(state=Trial.State.LEASED, leased_by=worker)
    if trial_ids is not None:
        held = held.filter(pk__in=trial_ids)
    return int(
        held.update(
            state=Trial.State.PLANNED,
            leased_by="",
            leased_until=None,
            attempts=F("attempts") - 1,
        )
    )


def expire_dead_leases(*, run: Run, now: datetime) -> int:
    """Let leases of processes of this machine that are gone run out now; how many."""
    leased = run.trials.filter(state=Trial.State.LEASED, leased_until__gte=now)
    workers = leased.order_by().values_list("leased_by", flat=True).distinct()
    dead = [worker for worker in workers if _is_dead(worker)]
    past = now - timedelta(seconds=1)
    return int(leased.filter(leased_by__in=dead).update(leased_until=past)) if dead else 0


def give_up_trials(*, run: Run, now: datetime) -> int:
    """Fail the trials that were claimed too often and never settled; how many."""
    lost = run.trials.filter(
        state=Trial.State.LEASED, leased_until__lt=now, attempts__gte=MAX_CLAIMS
    )
    return int(
        lost.update(
            state=Trial.State.FAILED,
            state_reason=f"gave up after {MAX_CLAIMS} workers died while asking",
            leased_by="",
            leased_until=None,
            settled_at=now,
        )
    )


def _is_dead(worker: str) -> bool:
    machine, _, rest = worker.partition("-")
    pid = rest.partition("-")[0]
    if machine != _machine() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def _machine() -> str:
    """Where process numbers mean the same: this host, this boot, this process namespace."""
    parts = [socket.gethostname()]
    try:
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
        parts.append(os.readlink("/proc/self/ns/pid"))
    except OSError:
        pass
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
