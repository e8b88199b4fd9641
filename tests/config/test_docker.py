"""No container engine runs here: the files are parsed, and what they start is started by hand."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

DOCKER = Path("docker")


def compose() -> dict:
    return yaml.safe_load((DOCKER / "compose.yaml").read_text())


def test_compose_has_web_worker_postgresql_and_redis() -> None:
    services = compose()["services"]

    assert {"web", "worker", "postgres", "redis", "prepare"} == set(services)
    for name in ("web", "worker"):
        assert services[name]["command"] == name
        assert services[name]["depends_on"]["prepare"]["condition"] == (
            "service_completed_successfully"
        )


def test_compose_names_only_settings_that_are_documented() -> None:
    example = Path(".env.example").read_text()
    names = set(compose()["x-app"]["environment"])

    assert [n for n in sorted(names) if not re.search(rf"^{n}=", example, re.M)] == []


def test_compose_holds_no_secret() -> None:
    text = (DOCKER / "compose.yaml").read_text()

    for line in text.splitlines():
        if re.search(r"(PASSWORD|SECRET_KEY):", line):
            assert "${" in line


def test_the_image_runs_as_nobody_special_and_checks_its_health() -> None:
    lines = (DOCKER / "Dockerfile").read_text().splitlines()
    instructions = [line.split()[0] for line in lines if re.match(r"[A-Z]+ ", line)]

    assert "HEALTHCHECK" in instructions
    assert "USER affectbench" in lines
    assert instructions.index("USER") < instructions.index("ENTRYPOINT")
    assert all("slim" in line for line in lines if line.startswith("FROM"))


def test_what_the_dockerfile_copies_exists() -> None:
    text = (DOCKER / "Dockerfile").read_text()

    assert Path("requirements.txt").exists()
    assert (DOCKER / "entrypoint.sh").exists()
    assert "docker/entrypoint.sh" in text
    ignored = Path(".dockerignore").read_text().splitlines()
    assert {".env", ".git", "var"} <= set(ignored)


@pytest.mark.parametrize("command", ["check", "migrate"])
def test_the_entry_point_runs_commands(command: str, tmp_path: Path) -> None:
    environment = os.environ | {
        "AFFECTBENCH_VAR_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'd.sqlite3'}",
        "DJANGO_SECRET_KEY": "k" * 60,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PATH": f"{Path('.venv/bin').resolve()}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["sh", "docker/entrypoint.sh", command],
        env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
