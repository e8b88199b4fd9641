"""What both programs are measured with: the same people, and the same figures of what they met."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from surveys.simulation.crowd import send_crowd, spread
from surveys.simulation.respondents import Knowledge, Person, Style, make_people
from surveys.simulation.walk import Ending

PARTICIPANTS = int(os.environ.get("BENCH_PARTICIPANTS", "500"))
AT_ONCE = 50
# They come first and are not measured.
WARM_UP = 4


class Load(NamedTuple):
    """Figures of one crowd. Times are milliseconds over all requests of a kind; CPU is the
    server's, of one participant."""

    finished: int
    per_second: float
    requests_each: float
    cpu_ms: float
    generator_cpu_ms: float
    get: tuple[float, float, float]
    post: tuple[float, float, float]
    pages: dict[str, tuple[float, float, float]]
    problems: dict[str, int]


def put_load(url: str, link_of: Callable[[Person], str], server_cpu: Callable[[], float]) -> Load:
    """Let everybody walk, after a few who warm the server up."""
    everybody = make_people(
        count=PARTICIPANTS + WARM_UP,
        style=Style.PLAUSIBLE,
        seed="bench",
        knowledge=Knowledge({}, {}),
    )
    send_crowd(base_url=url, people=everybody[:WARM_UP], link_of=link_of, concurrency=WARM_UP)
    report = send_crowd(
        base_url=url,
        people=everybody[WARM_UP:],
        link_of=link_of,
        concurrency=AT_ONCE,
        server_cpu=server_cpu,
    )
    assert report.server_cpu_s is not None

    def percentiles(method: str) -> tuple[float, float, float]:
        return spread([t.seconds * 1000 for t in report.timings(method)])[1:]

    return Load(
        finished=report.endings[Ending.FINISHED],
        per_second=report.finished_per_second,
        requests_each=len(report.timings()) / PARTICIPANTS,
        cpu_ms=report.server_cpu_s / PARTICIPANTS * 1000,
        generator_cpu_ms=report.generator_cpu_s / PARTICIPANTS * 1000,
        get=percentiles("GET"),
        post=percentiles("POST"),
        pages={what: tuple(s)[1:] for what, s in report.spreads.items()},
        problems=dict(report.problems),
    )
