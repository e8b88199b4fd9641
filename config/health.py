"""Whether the process lives (`healthz`), and whether it could serve (`readyz`)."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from kombu.exceptions import OperationalError

from config.celery import app


def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "alive"})


def readyz(request: HttpRequest) -> JsonResponse:
    """200 when database, migrations and broker are ready, else 503; names each."""
    checks = {"database": _database(), "broker": _broker()}
    status = 200 if all(state == "ready" for state in checks.values()) else 503
    return JsonResponse(checks, status=status)


def _database() -> str:
    try:
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "unreachable"
    return "migrations missing" if pending else "ready"


def _broker() -> str:
    try:
        with app.connection_for_write(connect_timeout=2) as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
    except (OperationalError, OSError):
        return "unreachable"
    return "ready"
