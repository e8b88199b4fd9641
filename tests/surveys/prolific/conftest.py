"""Every test here speaks to a stand-in, and proves that no call is made inside a transaction."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection

from surveys.prolific.client import ProlificClient, connect
from surveys.prolific.transport import Patience, Transport
from tests.surveys.prolific.stand_in import TOKEN, ProlificStandIn, serve

QUICK = Patience(attempt_s=5, total_s=5, max_attempts=4, first_pause_s=0.001, longest_pause_s=0.01)


@pytest.fixture
def prolific(settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[ProlificStandIn]:
    monkeypatch.setenv("PROLIFIC_API_TOKEN", TOKEN)
    monkeypatch.delenv("PROLIFIC_API_TOKEN_FILE", raising=False)
    settings.SITE_URL = "https://survey.example.org"
    settings.PROLIFIC_WORKSPACE_ID = "w1"
    with serve() as stand_in:
        settings.PROLIFIC_API_URL = stand_in.address
        yield stand_in


@pytest.fixture
def client_of_prolific(prolific: ProlificStandIn) -> Iterator[ProlificClient]:
    with connect(patience=QUICK) as client:
        yield client


@pytest.fixture(autouse=True)
def _no_call_inside_a_transaction(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fails a call to Prolific that is made while a transaction of ours is open."""
    if not {"db", "transactional_db"} & set(request.fixturenames):
        return
    of_the_test = len(connection.savepoint_ids) + connection.in_atomic_block
    send = Transport.send_raw

    def checked(self: Transport, *args: object, **kwargs: object) -> object:
        depth = len(connection.savepoint_ids) + connection.in_atomic_block
        assert depth == of_the_test, "a call to Prolific inside a transaction"
        return send(self, *args, **kwargs)

    monkeypatch.setattr(Transport, "send_raw", checked)
