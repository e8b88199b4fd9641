"""The thread in which questions are asked: one event loop, as many requests in flight as given.

The thread that started it keeps the database to itself and gets outcomes through a queue, so that
no transaction is ever open around a request and no request waits for the database.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from benchmark.providers.base import GivenBack, Question, Reply, Respondent


class Outcome(NamedTuple):
    """What became of one question: a reply, or the exception that says why there is none."""

    trial_id: int
    result: Reply | BaseException


class AskingThread:
    """Asks a respondent; use as a context manager, so that nothing stays in flight behind it."""

    def __init__(self, respondent: Respondent) -> None:
        self._respondent = respondent
        self._outcomes: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._serve, name="asking", daemon=True)

    def __enter__(self) -> AskingThread:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        closing = asyncio.run_coroutine_threadsafe(self._close(), self._loop)
        closing.result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def ask(self, questions: Sequence[tuple[int, Question]]) -> None:
        """Ask all of these at once; each outcome carries the number given with its question."""
        if questions:
            self._loop.call_soon_threadsafe(self._start, questions)

    def collect(self, timeout_s: float) -> list[Outcome]:
        """What has come back since, waiting up to `timeout_s` for the first of it."""
        outcomes: list[Outcome] = []
        try:
            outcomes.append(self._outcomes.get(timeout=timeout_s))
            while True:
                outcomes.append(self._outcomes.get_nowait())
        except queue.Empty:
            return outcomes

    def stop(self) -> None:
        """Get back what is only waiting to be asked; what is being asked goes on."""
        self._loop.call_soon_threadsafe(self._respondent.stop)

    def abandon(self) -> None:
        """Break off what is being asked too."""
        self._loop.call_soon_threadsafe(self._cancel)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def _start(self, questions: Iterable[tuple[int, Question]]) -> None:
        for trial_id, question in questions:
            task = self._loop.create_task(self._ask(trial_id, question))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _ask(self, trial_id: int, question: Question) -> None:
        try:
            result: Reply | BaseException = await self._respondent.ask(question)
        except asyncio.CancelledError:
            result = GivenBack()
        except Exception as error:
            result = error
        self._outcomes.put(Outcome(trial_id, result))

    def _cancel(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def _close(self) -> None:
        self._cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._respondent.close()
