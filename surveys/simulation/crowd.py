"""Many walks at once, and what they say about the server together."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from surveys.simulation.browser import Browser
from surveys.simulation.respondents import Person
from surveys.simulation.walk import Ending, Timing, Walk, walk


class Spread(NamedTuple):
    """Milliseconds of one kind of request: how many, and their percentiles."""

    n: int
    p50_ms: float
    p95_ms: float
    p99_ms: float


@dataclass(frozen=True, slots=True)
class Report:
    """What a crowd met. CPU is null where it cannot be seen (no /proc, another machine).

    `generator_cpu_s` is what simulating took; with the server on the same machine it competes.
    """

    walks: tuple[Walk, ...]
    seconds: float
    generator_cpu_s: float
    server_cpu_s: float | None

    @property
    def endings(self) -> Mapping[Ending, int]:
        counts = Counter(walk.ending for walk in self.walks)
        return {ending: counts[ending] for ending in Ending}

    @property
    def finished_per_second(self) -> float:
        return self.endings[Ending.FINISHED] / self.seconds

    @property
    def problems(self) -> Mapping[str, int]:
        """Why walks failed, the most frequent first."""
        return dict(Counter(walk.problem for walk in self.walks if walk.problem).most_common())

    @property
    def spreads(self) -> Mapping[str, Spread]:
        """By kind of request, in alphabetical order."""
        by_kind = defaultdict(list)
        for timing in self.timings():
            by_kind[timing.what].append(timing.seconds * 1000)
        return {what: spread(by_kind[what]) for what in sorted(by_kind)}

    def timings(self, method: str = "") -> list[Timing]:
        """Every request, or those of one method."""
        return [t for walk in self.walks for t in walk.timings if t.what.startswith(method)]


def spread(values_ms: Sequence[float]) -> Spread:
    """Percentiles by nearest rank, so that each is a value that was measured."""
    ordered = sorted(values_ms)

    def rank(percent: int) -> float:
        return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]

    return Spread(len(ordered), rank(50), rank(95), rank(99))


def send_crowd(
    *,
    base_url: str,
    people: Sequence[Person],
    link_of: Callable[[Person], str],
    concurrency: int,
    pace: float = 0.0,
    server_cpu: Callable[[], float | None] = lambda: None,
) -> Report:
    """Let everybody walk, `concurrency` at a time."""

    def send(person: Person) -> Walk:
        return walk(browser=Browser(base_url), link=link_of(person), person=person, pace=pace)

    server_before, own_before, begin = server_cpu(), time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        walks = tuple(pool.map(send, people))
    seconds, own = time.perf_counter() - begin, time.process_time() - own_before
    server_after = server_cpu()
    used = None if server_before is None or server_after is None else server_after - server_before
    return Report(walks, seconds, own, used)
