"""Prolific's ids are in one table and nowhere else: no log, no mail, no page, no address."""

from __future__ import annotations

import io
import logging
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.core import mail
from django.db import IntegrityError
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from config.launch import web_server_command
from config.logs import HIDDEN, PrivateFormatter, hide
from surveys.models import Participation, Submission
from tests.factories import StudyFactory
from tests.surveys.people.conftest import Person

PERSON, SESSION, RECRUITING = (f"{n}eed5eed5eed5eed5eed5eed" for n in (5, 6, 7))
SEEDED = {"PROLIFIC_PID": PERSON, "STUDY_ID": RECRUITING, "SESSION_ID": SESSION}
QUERY = "&".join(f"{name}={value}" for name, value in SEEDED.items())
IDS = st.text("abcdefghijklmnopqrstuvwxyz0123456789_-", min_size=8, max_size=64)


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that is logged, as the project's own handler writes it."""
    root = logging.getLogger()
    (formatter,) = {h.formatter for h in root.handlers if isinstance(h.formatter, PrivateFormatter)}
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    root.addHandler(handler)
    yield stream
    root.removeHandler(handler)


@given(name=st.sampled_from([*SEEDED, "prolific_pid", "Session_Id", "prolific_token"]), value=IDS)
def test_no_value_of_a_links_parameter_is_written(name: str, value: str) -> None:
    for line in (f"GET /s/x/?a=1&{name}={value}&b=2", f"'{name}%3D{value}'"):
        assert value not in hide(line)
        assert name in hide(line)


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        (f"no submission {PERSON}", f"no submission {HIDDEN}"),
        ("Not Found: /s/demo/p/Ab_-9/finish/", f"Not Found: /s/demo/p/{HIDDEN}/finish/"),
        (
            "DETAIL:  Key (study_id, prolific_participant_id)=(3, a(b)c) already exists.",
            f"DETAIL:  Key (study_id, prolific_participant_id)={HIDDEN} already exists.",
        ),
        ("Not Found: /s/demo/ 404", "Not Found: /s/demo/ 404"),
        ("key=(1, 2) 0123456789abcdef", "key=(1, 2) 0123456789abcdef"),
    ],
)
def test_ids_and_secrets_are_hidden_and_the_rest_is_kept(line: str, kept: str) -> None:
    assert hide(line) == kept


@pytest.mark.django_db
def test_a_seeded_id_is_in_one_table_and_in_no_log_page_or_mail(log, settings, monkeypatch) -> None:
    settings.ADMINS = [("Ada", "ada@example.org")]
    study = StudyFactory(admits_without_ids=False)
    one = Person(study, Client(raise_request_exception=False))
    pages = []
    own = one.consent(SEEDED)
    one.walk(own)
    for path in (own, own + "1/", own + "99/", own + "nowhere/", f"/s/nowhere/?{QUERY}"):
        pages.append(one.client.get(path, SEEDED, follow=True))
    pages.append(one.client.post(own + "finish/", {"comment": ""}, follow=True))
    pages.append(one.client.get(one.address, {**SEEDED, "SESSION_ID": "undefined"}, follow=True))
    pages.append(one.client.put(one.address, QUERY))

    def broken(**kwargs: object) -> None:
        raise IntegrityError(f"Key (study_id, prolific_participant_id)=(1, {PERSON}) is there")

    monkeypatch.setattr("surveys.views.entry.find_participation", broken)
    one.client.get(one.address, SEEDED)
    pages.append(one.client.get(one.address))

    assert [p.status_code for p in pages] == [200, 200, 200, 404, 404, 200, 400, 405, 500]
    written = log.getvalue()
    assert "Internal Server Error" in written
    assert "IntegrityError" in written
    code = own.rstrip("/").rsplit("/", 1)[1]
    for secret in (PERSON, SESSION, RECRUITING, code):
        assert secret not in written
    for page in pages:
        assert PERSON not in page.content.decode()
        assert PERSON not in str(page.headers)
    assert mail.outbox == []
    holders = {
        model
        for model in apps.get_models()
        for row in model._default_manager.values_list()
        if PERSON in str(row)
    }
    assert holders == {Submission}
    assert Participation.objects.count() == 1


@pytest.mark.django_db
def test_pages_tell_no_other_site_where_somebody_comes_from() -> None:
    study = StudyFactory(admits_without_ids=False)
    one = Person(study)
    entered = one.client.get(one.address, SEEDED)
    own = one.consent(SEEDED)
    one.walk(own)

    for response in (entered, one.client.get(own), one.client.get("/s/nowhere/")):
        assert response.headers["Referrer-Policy"] == "no-referrer"
    html = one.finish(own)
    assert 'rel="noreferrer"' in html


@pytest.mark.django_db
def test_after_consent_no_cookie_is_needed() -> None:
    study = StudyFactory(admits_without_ids=False)
    token = Person(study).entry_token(SEEDED)
    own = Person(study).decide(token, "agree")["location"]

    bare = Person(study, Client())
    assert bare.walk(own) == own
    assert "CODE1234" in bare.finish(own)
    assert not bare.client.cookies


@pytest.mark.django_db
def test_a_browser_that_refuses_cookies_is_told_so_and_never_sent_in_circles() -> None:
    study = StudyFactory(admits_without_ids=False)
    refusing = Client()

    first = refusing.get(f"/s/{study.slug}/", SEEDED)
    refusing.cookies.clear()
    second = refusing.get(first["location"])

    assert (first.status_code, second.status_code) == (302, 400)
    assert "your browser refuses our cookie" in second.content.decode()


def test_gunicorn_writes_no_id_even_with_its_access_log(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path / "log"
    environment = os.environ | {
        "DJANGO_SECRET_KEY": "k" * 60,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "AFFECTBENCH_VAR_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'd.sqlite3'}",
    }
    command = web_server_command("127.0.0.1", port)
    command += ["--access-logfile", "-", "--log-level", "debug"]
    with log.open("wb") as out:
        server = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
        try:
            status = _get_patiently(f"http://127.0.0.1:{port}/s/nowhere/?{QUERY}")
        finally:
            server.terminate()
            server.wait(30)

    written = log.read_text()
    assert status >= 400  # There is no such study at the end of the redirect.
    assert '"GET /s/nowhere/" 302' in written
    for secret in (*SEEDED.values(), "Python-urllib", "127.0.0.1 -"):
        assert secret not in written


def test_the_container_starts_gunicorn_with_the_same_logs() -> None:
    start = Path("docker/entrypoint.sh").read_text()

    assert "gunicorn config.wsgi --config python:config.web_server" in start


def _get_patiently(address: str) -> int:
    for _ in range(300):
        try:
            return urllib.request.urlopen(address, timeout=20).status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            time.sleep(0.1)
    raise AssertionError("gunicorn did not come up")
