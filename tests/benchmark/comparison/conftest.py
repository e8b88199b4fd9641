from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker


@pytest.fixture(scope="module")
def imported(
    shared_data: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """The whole release, imported once; the rows stay for the tests of one module alone."""
    from django.db import transaction

    from benchmark.importing.release import import_files
    from benchmark.importing.release_files import find_release_files

    files, _ = find_release_files(shared_data / "emotionbench")
    with django_db_blocker.unblock():
        transaction.set_autocommit(False)
        try:
            assert [outcome.error for outcome in import_files(files) if outcome.error] == []
            yield
        finally:
            transaction.rollback()
            transaction.set_autocommit(True)
