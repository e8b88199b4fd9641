"""Simulated participants at the web server, against the same questionnaire in oTree."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from tests.bench.survey_load import AT_ONCE, PARTICIPANTS, WARM_UP, Load
from tests.bench.table import Row


def measure() -> list[Row]:
    from tests.bench.survey_otree import OTreeMissing, measure_otree

    rows = []
    try:
        otree: Load | None = measure_otree(_free_port())
    except OTreeMissing as error:
        otree = None
        rows.append(Row("oTree could not be installed", str(error)))
    if otree:
        rows += _rows("oTree", otree._asdict(), None)
    databases = {"SQLite": ""}
    url = os.environ.get("DATABASE_URL", "")
    if url.startswith("postgres"):
        databases["PostgreSQL"] = url
    for name, address in databases.items():
        rows += _rows(name, _measure_ours(address), otree)
    return rows


def _measure_ours(database_url: str) -> dict[str, Any]:
    environment = os.environ | {"DATABASE_URL": database_url}
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.survey_ours"],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _rows(name: str, figures: dict[str, Any], otree: Load | None) -> list[Row]:
    is_ours = "queries" in figures
    stored = figures["stored"] - WARM_UP if is_ours else figures["finished"]
    rows = [
        Row(f"{name}: {PARTICIPANTS} people, {AT_ONCE} at once", f"{figures['finished']} finished"),
        Row("  finished a second", f"{figures['per_second']:.1f}"),
        Row("  not stored whole", str(PARTICIPANTS - stored), "0" if is_ours else ""),
        Row("  server CPU each", f"{figures['cpu_ms']:.0f} ms", "at most 100" if is_ours else ""),
        Row("  generator CPU each", f"{figures['generator_cpu_ms']:.0f} ms"),
        Row("  requests each", f"{figures['requests_each']:.1f}"),
        Row("  GET p50, p95, p99", _ms(figures["get"]), "p95 under 300" if is_ours else ""),
        Row("  POST p50, p95, p99", _ms(figures["post"]), "p95 under 300" if is_ours else ""),
    ]
    if otree:
        ratio = figures["per_second"] / otree.per_second
        rows.insert(2, Row("  times as many as oTree", f"{ratio:.1f}", "at least 4"))
    for what, n in figures.get("queries", {}).items():
        times = figures["pages"].get(what)
        rows.append(Row(f"  {what}", f"{_ms(times) if times else '–'}; {n} queries"))
    return rows + [Row(f"  error: {why}", str(n)) for why, n in figures["problems"].items()]


def _ms(percentiles: tuple[float, float, float]) -> str:
    return ", ".join(f"{value:.0f}" for value in percentiles) + " ms"


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
