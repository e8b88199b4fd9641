"""DATABASE_URL as Django's settings: SQLite in write-ahead mode by default, or PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def database_settings(url: str, base_dir: Path) -> dict[str, Any]:
    """`sqlite:///relative/or//absolute/path` or `postgresql://user:password@host:port/name`."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return _sqlite(base_dir / unquote(parts.path.removeprefix("/")))
    if parts.scheme in {"postgresql", "postgres"}:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.removeprefix("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": str(parts.port or ""),
            "OPTIONS": dict(parse_qsl(parts.query)),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
        }
    raise ImproperlyConfigured(
        f"DATABASE_URL starts with {parts.scheme!r}: use sqlite:/// or postgresql://"
    )


def _sqlite(path: Path) -> dict[str, Any]:
    # SQLite makes the file, but not the folder that it is to lie in.
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"the folder {path.parent} cannot be made: {error.strerror}"
        ) from None
    # Deferred transactions that read before they write fail under several workers with
    # "database is locked"; immediate ones in write-ahead mode wait for their turn.
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
            ),
        },
    }
