"""A fresh database for measurements, outside of pytest."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def fresh_database() -> Iterator[None]:
    """Django set up with the tests' settings, and an empty migrated database, dropped after."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.test.utils import setup_databases, teardown_databases

    settings.ALLOWED_HOSTS = ["*"]
    databases = setup_databases(verbosity=0, interactive=False, keepdb=False)
    try:
        yield
    finally:
        teardown_databases(databases, verbosity=0)
