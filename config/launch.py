"""`make run`: prepare the installation, then serve it and its worker until Ctrl-C.

Runs before and beside Django. What commonly goes wrong on somebody's first evening (a taken port,
a full disk, an unreadable .env) ends in one sentence instead of a traceback.
"""

from __future__ import annotations

import errno
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent
ADMIN_NAME = "admin"
STOP_SECONDS = 10


class LaunchError(Exception):
    """Why the installation cannot start, as one sentence that says what to do."""


def main() -> int:
    # A service manager's SIGTERM ends things exactly as Ctrl-C does; a shell that starts this in
    # the background lets it ignore Ctrl-C, which must end it all the same.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)
    try:
        launch()
    except LaunchError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


def launch() -> None:
    """Prepare and serve until interrupted; ends everything it started, whatever happens."""
    host, port = os.environ.get("HOST", "127.0.0.1"), _port()
    check_port_is_free(host, port)
    var = prepare_folders()
    address = f"http://{'localhost' if host == '127.0.0.1' else host}:{port}"
    os.environ.setdefault("AFFECTBENCH_SITE_URL", address)
    password = prepare_database()
    services = start_services(host, port, var)
    try:
        wait_until_ready(host, port, services)
        print(welcome(address, password))
        while True:
            _raise_if_ended(services)
            time.sleep(0.2)
    finally:
        stop_services(services)


def _port() -> int:
    value = os.environ.get("PORT", "8000")
    if not value.isdigit() or not 0 < int(value) < 65536:
        raise LaunchError(f"PORT is {value!r}: use a number from 1 to 65535.")
    return int(value)


def check_port_is_free(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except PermissionError:
            raise LaunchError(
                f"Port {port} needs more rights than you have: use `make run PORT=8001`."
            ) from None
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise LaunchError(
                    f"Port {port} is taken by another program: stop it, "
                    f"or choose another port with `make run PORT={port + 1}`."
                ) from None
            raise LaunchError(f"Cannot listen on {host}:{port}: {error.strerror}.") from None


def prepare_folders() -> Path:
    """Make the folders and the secret key; return the folder of everything that is kept."""
    from django.core.exceptions import ImproperlyConfigured

    from config.environment import load_env_file

    try:
        load_env_file(BASE_DIR / ".env")
    except ImproperlyConfigured as error:
        raise LaunchError(f"{error}. Mend or remove it, then try again.") from None
    var = BASE_DIR / os.environ.get("AFFECTBENCH_VAR_DIR", "var")
    try:
        for folder in (var, BASE_DIR / "staticfiles"):
            folder.mkdir(parents=True, exist_ok=True)
        key_file = var / "secret_key"
        if not key_file.exists():
            key_file.touch(mode=0o600)
        if not key_file.read_text().strip():
            key_file.write_text(secrets.token_urlsafe(50))
    except OSError as error:
        raise LaunchError(storage_sentence(error, var)) from None
    return var


def storage_sentence(error: OSError, folder: Path) -> str:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return f"The disk that holds {folder} is full: free some space, then try again."
    return f"{folder} cannot be written: {error.strerror}."


def prepare_database() -> str:
    """Migrate, load the catalogue, open the demonstration; return a new admin's password or ""."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("AFFECTBENCH_LOG_LEVEL", "WARNING")
    import django
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import call_command
    from django.db import DatabaseError, connections

    try:
        django.setup()
        call_command("migrate", verbosity=0, interactive=False)
        from config.demonstration import prepare_installation

        password = prepare_installation(ADMIN_NAME)
    except ImproperlyConfigured as error:
        raise LaunchError(f"The settings are not right: {error}") from None
    except OSError as error:
        raise LaunchError(storage_sentence(error, BASE_DIR)) from None
    except DatabaseError as error:
        if "disk is full" in str(error) or "No space left" in str(error):
            raise LaunchError(
                "The disk that holds the database is full: free some space, then try again."
            ) from None
        raise LaunchError(f"The database cannot be used: {error}") from None
    # The services are other processes; nothing of this one's connection may linger.
    connections.close_all()
    return password


def start_services(host: str, port: int, var: Path) -> dict[str, subprocess.Popen[bytes]]:
    """Start the web server and the worker, each in a process group of its own."""
    bin_dir = Path(sys.executable).parent
    commands = {
        "web server": web_server_command(host, port),
        "worker": [
            str(bin_dir / "celery"), "--quiet", "-A", "config", "worker", "--pool", "threads",
            "--concurrency", "4", "--loglevel", "WARNING", "--without-gossip", "--without-mingle",
            "--beat", "--schedule", str(var / "beat"),
        ],
    }  # fmt: skip
    return {
        name: subprocess.Popen(command, cwd=BASE_DIR, start_new_session=True)
        for name, command in commands.items()
    }


def web_server_command(host: str, port: int) -> list[str]:
    return [
        str(Path(sys.executable).parent / "gunicorn"), "config.wsgi",
            "--config", "python:config.web_server", "--worker-class", "gthread",
        "--workers", "2", "--threads", "8", "--bind", f"{host}:{port}",
        "--log-level", "warning", "--graceful-timeout", "5",
        # The site is loaded once and not by each worker, which takes most of a start.
        "--preload",
    ]  # fmt: skip


def wait_until_ready(
    host: str, port: int, services: Mapping[str, subprocess.Popen[bytes]], patience: float = 60
) -> None:
    end = time.monotonic() + patience
    while time.monotonic() < end:
        _raise_if_ended(services)
        try:
            with urllib.request.urlopen(f"http://{host}:{port}/readyz", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise LaunchError(f"The web server did not become ready within {patience:.0f} seconds.")


def _raise_if_ended(services: Mapping[str, subprocess.Popen[bytes]]) -> None:
    for name, process in services.items():
        if process.poll() is not None:
            raise LaunchError(
                f"The {name} ended by itself (exit code {process.returncode}); "
                "the lines above say why."
            )


def welcome(address: str, password: str) -> str:
    lines = [
        "",
        "AffectBench is ready.",
        "",
        f"  Home             {address}/",
        f"  Try the survey   {address}/s/demo/",
        f"  Dashboards       {address}/dashboards/",
        f"  Administration   {address}/admin/",
    ]
    if password:
        lines += [
            "",
            f"  Log in as {ADMIN_NAME} with the password {password}",
            "  It is shown this once and stored nowhere: change it or write it down.",
        ]
    return "\n".join([*lines, "", "Ctrl-C ends it.", ""])


def stop_services(services: Mapping[str, subprocess.Popen[bytes]]) -> None:
    """End every process that was started, first by asking, then by force."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # A second Ctrl-C must not leave one behind.
    for process in services.values():
        _signal_group(process, signal.SIGTERM)
    end = time.monotonic() + STOP_SECONDS
    for process in services.values():
        try:
            process.wait(timeout=max(0.1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            _signal_group(process, signal.SIGKILL)
            process.wait()


def _signal_group(process: subprocess.Popen[bytes], number: int) -> None:
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        return  # The group has ended already, which is what the signal was for.


if __name__ == "__main__":
    sys.exit(main())
