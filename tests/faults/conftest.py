"""A web server that can be killed, on the test's own database, and people who do not give up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from surveys.simulation.browser import Browser, BrowserError, Exchange
from tests.web_server import WebServer, make_web_server

PATIENCE_S = 90


@pytest.fixture
def web_server(transactional_db: None, tmp_path: Path) -> Iterator[WebServer]:
    server = make_web_server(tmp_path)
    yield server
    server.kill()


@dataclass
class PatientBrowser(Browser):
    """Somebody who reloads, and sends again, until there is an answer."""

    n_retries: int = 0

    def _exchange(
        self, method: str, address: str, fields: list[tuple[str, str]] | None
    ) -> Exchange:
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return super()._exchange(method, address, fields)
            except BrowserError:
                if time.monotonic() > end:
                    raise
                self.n_retries += 1
                time.sleep(0.1)
