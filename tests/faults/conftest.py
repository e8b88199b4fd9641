"""A web server that can be killed, on the test's own database, and people who do not give up."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection

from config.launch import wait_until_ready, web_server_command
from surveys.simulation.browser import Browser, BrowserError, Exchange

PATIENCE_S = 90


def database_url() -> str:
    """The address of the database that this test uses, for other processes."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    who = quote(database["USER"]) + (
        f":{quote(database['PASSWORD'])}" if database["PASSWORD"] else ""
    )
    return f"postgresql://{who}@{database['HOST']}:{database['PORT']}/{database['NAME']}"


@dataclass
class WebServer:
    """gunicorn as `make run` starts it. `kill` leaves it no time to finish anything."""

    port: int
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = web_server_command("127.0.0.1", self.port)
        self.process = subprocess.Popen(command, env=self.environment, start_new_session=True)
        wait_until_ready("127.0.0.1", self.port, {"web server": self.process})

    def kill(self) -> None:
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


@pytest.fixture
def web_server(transactional_db: None, tmp_path: Path) -> Iterator[WebServer]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DJANGO_SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": database_url(),
        "AFFECTBENCH_VAR_DIR": str(tmp_path),
        "AFFECTBENCH_LOG_LEVEL": "CRITICAL",
    }
    server = WebServer(port, environment)
    yield server
    server.kill()


@dataclass
class PatientBrowser(Browser):
    """Somebody who reloads, and sends again, until there is an answer."""

    n_retries: int = field(default=0)

    def _exchange(
        self, method: str, address: str, fields: list[tuple[str, str]] | None
    ) -> Exchange:
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                exchange = super()._exchange(method, address, fields)
            except BrowserError:
                if time.monotonic() > end:
                    raise
                self.n_retries += 1
                time.sleep(0.1)
                continue
            return exchange
