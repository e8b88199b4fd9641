"""The same people at the same questionnaire in oTree, in an environment of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from surveys.domain.demographics import EDUCATIONS, EMPLOYMENTS, GENDERS
from surveys.simulation.cpu import server_cpu_seconds
from tests.bench.survey_load import PARTICIPANTS, WARM_UP, Load, put_load

VERSION = "6.0.15"
BASE_DIR = Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = BASE_DIR / "var" / f"otree-{VERSION}"
DATA = BASE_DIR / "surveys" / "data"
REST_KEY = "bench"


class OTreeMissing(Exception):
    """oTree could not be installed; the message says why."""


def measure_otree(port: int) -> Load:
    """The load's figures; raises OTreeMissing where it cannot be installed."""
    install()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        shutil.copytree(BASE_DIR / "tests" / "bench" / "otree_app", project)
        (project / "_static").mkdir()
        texts = project / "questionnaire.json"
        texts.write_text(json.dumps(questionnaire()), encoding="utf-8")
        environment = {
            "PATH": f"{ENVIRONMENT / 'bin'}:{os.environ['PATH']}",
            "HOME": folder,
            "QUESTIONNAIRE": str(texts),
            "OTREE_PRODUCTION": "1",
            "OTREE_ADMIN_PASSWORD": "bench",
            "OTREE_REST_KEY": REST_KEY,
        }
        command = [str(ENVIRONMENT / "bin" / "otree"), "prodserver", f"127.0.0.1:{port}"]
        process = subprocess.Popen(
            command, cwd=project, env=environment, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            url = f"http://127.0.0.1:{port}"
            link = open_session(url, process)
            return put_load(url, lambda person: link, lambda: server_cpu_seconds(url) or 0.0)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def install() -> None:
    """Once, into var/: its pins do not go together with ours."""
    if (ENVIRONMENT / "bin" / "otree").exists():
        return
    commands = (
        [sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)],
        [str(ENVIRONMENT / "bin" / "pip"), "install", "-q", f"otree=={VERSION}"],
    )
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise OTreeMissing((done.stderr.strip() or done.stdout.strip()).splitlines()[-1])


def open_session(url: str, server: subprocess.Popen[bytes], patience_s: float = 60) -> str:
    """A session with a place for everybody; returns the link that they all share."""
    body = json.dumps({"session_config_name": "affect", "num_participants": PARTICIPANTS + WARM_UP})
    request = urllib.request.Request(
        f"{url}/api/sessions",
        data=body.encode(),
        headers={"otree-rest-key": REST_KEY, "content-type": "application/json"},
    )
    end = time.monotonic() + patience_s
    while True:
        try:
            with urllib.request.urlopen(request, timeout=patience_s) as response:
                return str(json.load(response)["session_wide_url"])
        except urllib.error.HTTPError:
            raise
        except OSError:
            if time.monotonic() > end or server.poll() is not None:
                raise
            time.sleep(0.2)


def questionnaire() -> dict[str, object]:
    """What our own demonstration study shows."""
    instrument = json.loads((DATA / "instruments" / "panas.json").read_text(encoding="utf-8"))
    catalogue = json.loads((DATA / "catalogue" / "situations.json").read_text(encoding="utf-8"))
    countries = json.loads((DATA / "countries.json").read_text(encoding="utf-8"))
    decline = "Prefer not to say"
    return {
        "consent": (DATA / "texts" / "demo_consent.md").read_text(encoding="utf-8"),
        "debrief": (DATA / "texts" / "demo_debrief.md").read_text(encoding="utf-8"),
        "instruction": instrument["instruction"],
        "items": {item["key"]: item["text"] for item in instrument["items"]},
        "options": [[option["value"], option["label"]] for option in instrument["options"]],
        "situations": [
            text
            for emotion in catalogue["emotions"]
            for factor in emotion["factors"]
            for text in factor["situations"]
        ],
        "genders": [*GENDERS, decline],
        "employments": [*EMPLOYMENTS, decline],
        "educations": [*EDUCATIONS, decline],
        "countries": [decline, *(row["name"] for row in countries)],
    }
