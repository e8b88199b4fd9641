"""How fast an endpoint is asked: back-off, Retry-After, and fewer at once while it refuses.

An ordered pause is shared by everything in this process that asks the same endpoint. Within a run
the number in flight falls to a quarter at each wave of refusals and grows back by one for each
round of answers, so that a quota is met by pacing and not by refusals.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from benchmark.providers.base import GivenBack, Limits


def retry_after_s(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Seconds that an answer asks to wait, from retry-after-ms or Retry-After in either form.

    A date is measured from the answer's own Date where it has one, so that clocks need not agree.
    None where nothing (readable) is asked.
    """
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit_s
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    until = _http_date(headers.get("retry-after", ""))
    if until is None:
        return None
    return max(0.0, (until - (_http_date(headers.get("date", "")) or now)).total_seconds())


def _http_date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def backoff_s(failures: int, limits: Limits, rng: random.Random) -> float:
    """The pause after the n-th failure in a row (from 1): doubling, with jitter of a quarter."""
    pause = limits.first_backoff_s * 2 ** (failures - 1)
    return float(min(pause, limits.longest_backoff_s)) * rng.uniform(0.75, 1.25)


class EndpointPause:
    """Until when an endpoint asked everybody to wait. Safe to share between threads."""

    def __init__(self) -> None:
        self._until = 0.0
        self._lock = threading.Lock()

    def extend(self, seconds: float) -> None:
        with self._lock:
            self._until = max(self._until, time.monotonic() + seconds)

    @property
    def remaining_s(self) -> float:
        return max(0.0, self._until - time.monotonic())


_pauses: dict[tuple[str, str], EndpointPause] = {}
_pauses_lock = threading.Lock()


def shared_pause(base_url: str, api_key_env: str) -> EndpointPause:
    """The pause of one endpoint and key in this process; quotas are kept by key."""
    with _pauses_lock:
        return _pauses.setdefault((base_url, api_key_env), EndpointPause())


class Admission:
    """Lets questions through to an endpoint, at most `limit` at once and none during a pause.

    Lives in one event loop. Those who were refused go before those who have not asked yet.
    """

    def __init__(self, concurrency: int, pause: EndpointPause) -> None:
        self._most = float(concurrency)
        self._limit = float(concurrency)
        self._pause = pause
        self._active = 0
        self._last_cut = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._stopped: asyncio.Event = asyncio.Event()

    async def enter(self, *, is_retry: bool) -> None:
        """Wait for leave to ask; GivenBack once the run is stopping."""
        if self._stopped.is_set():
            raise GivenBack
        if not self._waiting and self._is_open():
            self._active += 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        (self._waiting.appendleft if is_retry else self._waiting.append)(place)
        self._admit()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                self.leave()
            raise

    def leave(self) -> None:
        self._active -= 1
        self._admit()

    def answered(self) -> None:
        self._limit = min(self._most, self._limit + 1 / self._limit)

    def refused(self, *, asked_at: float, wait_s: float) -> None:
        """The endpoint refused for its rate: everybody waits, then fewer go at once."""
        self._pause.extend(wait_s)
        # Refusals of one wave were asked before the first of them came back: one cut for all.
        if asked_at >= self._last_cut:
            self._limit = max(1.0, self._limit / 4)
            self._last_cut = time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait before another attempt; GivenBack as soon as the run is stopping."""
        try:
            await asyncio.wait_for(self._stopped.wait(), seconds)
        except TimeoutError:
            return
        raise GivenBack

    def stop(self) -> None:
        self._stopped.set()
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_exception(GivenBack())

    def _is_open(self) -> bool:
        return self._active < int(self._limit) and self._pause.remaining_s <= 0

    def _admit(self) -> None:
        while self._waiting and self._is_open():
            place = self._waiting.popleft()
            if not place.done():
                self._active += 1
                place.set_result(None)
        remaining = self._pause.remaining_s
        if self._waiting and remaining > 0:
            if self._timer:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(remaining + 0.01, self._admit)
