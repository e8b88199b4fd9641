"""`make run`, started for real on a port and in a folder of its own."""

from __future__ import annotations

import errno
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config import launch

Start = Callable[..., subprocess.Popen[str]]


def clean_environment(**variables: str) -> dict[str, str]:
    """The environment of a newcomer: nothing of this project is set but these."""
    own = ("DJANGO_", "AFFECTBENCH_", "DATABASE_URL", "REDIS_URL")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    return kept | variables


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start `python -m config.launch` with a folder of its own; ends what a test left."""
    started: list[subprocess.Popen[str]] = []

    def run(**variables: str) -> subprocess.Popen[str]:
        environment = clean_environment(
            AFFECTBENCH_VAR_DIR=str(tmp_path / "var"), PYTHONUNBUFFERED="1"
        )
        process = subprocess.Popen(
            [sys.executable, "-m", "config.launch"],
            env=environment | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)
        if process.stdout:
            process.stdout.close()


def read_until(process: subprocess.Popen[str], text: str) -> str:
    assert process.stdout is not None
    seen = ""
    for line in process.stdout:
        seen += line
        if text in line:
            return seen
    raise AssertionError(f"ended without {text!r}:\n{seen}")


def test_commands_use_the_key_that_make_run_made(tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "check"]
    environment = clean_environment(AFFECTBENCH_VAR_DIR=str(tmp_path), DJANGO_SECRET_KEY="")
    before = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    (tmp_path / "secret_key").write_text("k" * 60)
    after = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert before.returncode != 0
    assert "make run" in before.stderr
    assert (after.returncode, after.stderr) == (0, "")


def status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=20) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def descendants(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid for child in children for pid in [int(child), *descendants(int(child))]]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes through /proc")
def test_it_serves_keeps_the_data_and_ends_all_it_started(start: Start) -> None:
    port = str(free_port())
    first = start(PORT=port)
    words = read_until(first, "Ctrl-C")
    password = re.search(r"with the password (\S+)", words)
    assert password
    for path in ("/", "/healthz", "/readyz", "/s/demo/", "/dashboards/", "/admin/login/"):
        assert status(f"http://127.0.0.1:{port}{path}") == 200, path
    processes = descendants(first.pid)
    assert len(processes) >= 3
    first.send_signal(signal.SIGINT)
    assert first.wait(timeout=30) == 0
    end = time.monotonic() + 10
    while any(map(is_running, processes)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(map(is_running, processes))

    second = start(PORT=port)
    again = read_until(second, "Ctrl-C")
    assert "password" not in again
    assert status(f"http://127.0.0.1:{port}/s/demo/") == 200


def test_a_taken_port_is_one_sentence(start: Start) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        process = start(PORT=str(port))
        output, _ = process.communicate(timeout=60)

    assert process.returncode == 1
    assert output.strip() == (
        f"Port {port} is taken by another program: stop it, "
        f"or choose another port with `make run PORT={port + 1}`."
    )


def test_a_port_that_is_none_is_one_sentence(start: Start) -> None:
    process = start(PORT="eighty")
    output, _ = process.communicate(timeout=60)

    assert (process.returncode, output.strip()) == (
        1,
        "PORT is 'eighty': use a number from 1 to 65535.",
    )


def test_an_unreadable_env_file_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").mkdir()
    monkeypatch.setattr(launch, "BASE_DIR", tmp_path)

    with pytest.raises(launch.LaunchError, match=r"\.env cannot be read: .*Mend or remove it"):
        launch.prepare_folders()


def test_a_malformed_setting_is_one_sentence(start: Start) -> None:
    process = start(PORT=str(free_port()), DJANGO_DEBUG="perhaps")
    output, _ = process.communicate(timeout=60)

    assert process.returncode == 1
    assert output.strip() == (
        "The settings are not right: DJANGO_DEBUG is 'perhaps': use true or false"
    )


def test_a_full_disk_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(launch, "BASE_DIR", tmp_path)
    monkeypatch.setattr(Path, "write_text", full)

    with pytest.raises(launch.LaunchError, match="is full: free some space"):
        launch.prepare_folders()


def test_a_file_where_the_folder_should_be_is_one_sentence(start: Start, tmp_path: Path) -> None:
    (tmp_path / "var").write_text("in the way")
    process = start(PORT=str(free_port()))
    output, _ = process.communicate(timeout=60)

    assert process.returncode == 1
    assert "cannot be written" in output
    assert len(output.strip().splitlines()) == 1


def bootstrap(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    (folder / "config").mkdir()
    script = folder / "config" / "bootstrap.sh"
    script.write_text(Path("config/bootstrap.sh").read_text())
    (folder / "requirements.txt").write_text("")
    return subprocess.run(
        ["sh", str(script), "requirements.txt"],
        env={"PATH": "/usr/bin:/bin"} | variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def fake_python(folder: Path, body: str) -> Path:
    """A directory that holds only what the script needs, and a python3 of this behaviour."""
    tools = folder / "tools"
    tools.mkdir()
    for tool in ("sh", "dirname", "cat", "cksum", "basename", "rm", "tail", "grep", "mkdir"):
        path = next(p for p in (Path("/usr/bin") / tool, Path("/bin") / tool) if p.exists())
        (tools / tool).symlink_to(path)
    (tools / "python3").write_text(f"#!/bin/sh\n{body}\n")
    (tools / "python3").chmod(0o755)
    return tools


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("exit 1", "needs Python 3.11 or later"),
        (
            '[ "$1" = -c ] && exit 0; echo "ensurepip is not available" >&2; exit 1',
            "apt install python3-venv",
        ),
        (
            '[ "$1" = -c ] && exit 0; echo "[Errno 28] No space left on device" >&2; exit 1',
            "disk is full",
        ),
    ],
)
def test_what_the_machine_lacks_is_one_sentence(body: str, sentence: str, tmp_path: Path) -> None:
    tools = fake_python(tmp_path, body)
    done = bootstrap(tmp_path, PATH=str(tools))

    assert done.returncode == 1
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / ".venv").exists()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes through /proc")
def test_the_containers_web_server_starts(tmp_path: Path) -> None:
    port = free_port()
    environment = os.environ | {
        "PORT": str(port),
        "AFFECTBENCH_VAR_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DJANGO_SECRET_KEY": "k" * 60,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    process = subprocess.Popen(["sh", "docker/entrypoint.sh", "web"], env=environment)
    try:
        end = time.monotonic() + 60
        answer = 0
        while answer != 200 and time.monotonic() < end:
            try:
                answer = status(f"http://127.0.0.1:{port}/healthz")
            except OSError:
                time.sleep(0.2)
        assert answer == 200
    finally:
        process.terminate()
        process.wait(timeout=30)
