"""Comparing everything imported, and showing it as a page."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from tests.bench.database import fresh_database
from tests.bench.table import Row

REPEATS = 5


def median_ms(action: Callable[[], object]) -> float:
    action()
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        action()
        times.append((time.perf_counter() - begin) * 1000)
    return statistics.median(times)


def measure() -> list[Row]:
    with fresh_database():
        from django.conf import settings
        from django.db import connection
        from django.test import Client
        from django.test.utils import CaptureQueriesContext

        from benchmark.comparison.build import build_comparison
        from benchmark.comparison.sources import available_sources
        from benchmark.domain.cells import Level
        from benchmark.domain.comparison import Options
        from benchmark.importing.release import import_files
        from benchmark.importing.release_files import find_release_files

        files, _ = find_release_files(settings.SHARED_DATA_DIR / "emotionbench")
        list(import_files(files))
        options = Options(by=Level.FACTOR)
        compare = median_ms(lambda: build_comparison(options, available_sources("PANAS")))
        client = Client()
        page = median_ms(lambda: client.get("/dashboards/", {"by": "factor"}))
        with CaptureQueriesContext(connection) as queries:
            client.get("/dashboards/", {"by": "factor"})
    return [
        Row("compare by factor, 4 sources, 6,666 respondents", f"{compare:.0f} ms"),
        Row("the page of it", f"{page:.0f} ms"),
        Row("its queries", str(len(queries))),
    ]
