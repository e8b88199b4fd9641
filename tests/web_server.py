"""The web server as `make run` starts it, in processes of its own, on this process's database."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.db import connection

from config.launch import wait_until_ready, web_server_command


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def database_url() -> str:
    """The address of the database that this process uses, for others."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    who = ":".join(quote(database[key]) for key in ("USER", "PASSWORD") if database[key])
    return f"postgresql://{who}@{database['HOST']}:{database['PORT']}/{database['NAME']}"


@dataclass
class WebServer:
    """gunicorn. `kill` leaves it no time to finish anything."""

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


def make_web_server(folder: Path) -> WebServer:
    """One that keeps what it keeps beside the database in `folder`; not started yet."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DJANGO_SECRET_KEY": settings.SECRET_KEY,
        "DJANGO_DEBUG": "false",
        "DATABASE_URL": database_url(),
        "AFFECTBENCH_VAR_DIR": str(folder),
        "AFFECTBENCH_LOG_LEVEL": "CRITICAL",
    }
    return WebServer(free_port(), environment)
