"""The page of an outage, made without the database: these tests may not use it."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client, override_settings
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from surveys.simulation.pages import read_page
from surveys.views import ends, entry, pages

OUTAGES = [
    OperationalError("database is locked"),
    OperationalError("database or disk is full"),
    InterfaceError("connection already closed"),
    OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
]
ADDRESS = "/s/mood/p/abc/3/"


def failing(error: Exception) -> Callable[..., None]:
    def fail(*args: object, **kwargs: object) -> None:
        raise error

    return fail


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], None]:
    """Make everything that participants' pages ask of the storage fail like this."""

    def break_with(error: Exception) -> None:
        for module in (pages, entry, ends):
            for name in vars(module):
                if name in {
                    "load_journey", "find_by_code", "save_page", "enter_study", "withdraw",
                }:  # fmt: skip
                    monkeypatch.setattr(module, name, failing(error))

    return break_with


@pytest.mark.parametrize("error", OUTAGES, ids=str)
def test_the_answers_just_sent_are_kept_in_a_form(
    client: Client, broken: Callable[[Exception], None], error: Exception
) -> None:
    broken(error)
    sent = {"item-proud": "4", "item-upset": "", "comment": '"><script>x</script> ä 你 😀'}

    response = client.post(ADDRESS, sent)

    form = read_page(response.content).form
    assert response.status_code == 503
    assert form is not None
    assert (form.action, dict(form.hidden)) == (ADDRESS, sent)
    assert b"<script>x" not in response.content


@pytest.mark.parametrize("error", OUTAGES, ids=str)
def test_reading_a_page_offers_to_try_again(
    client: Client, broken: Callable[[Exception], None], error: Exception
) -> None:
    broken(error)

    response = client.get(ADDRESS)

    assert response.status_code == 503
    assert response.headers["Retry-After"] == "30"
    assert f'method="get" action="{ADDRESS}"' in response.content.decode()


NAMES = st.text("abcäXYZ019-_.[]<>&\"' ", min_size=1, max_size=12)


@hypothesis_settings(max_examples=30)
@given(fields=st.dictionaries(NAMES, st.text(max_size=30), max_size=4))
def test_whatever_was_sent_is_sent_again_unchanged(fields: dict[str, str]) -> None:
    """As a browser would: it normalises line ends, and HTML knows no NUL."""

    def normal(text: str) -> str:
        return "".join(c for c in text if c.isprintable() and ord(c) < 0xFFFE)

    fields = {name: normal(text) for name, text in fields.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "save_page", failing(OUTAGES[0]))
        response = Client().post(
            ADDRESS, urlencode(fields), content_type="application/x-www-form-urlencoded"
        )

    form = read_page(response.content).form
    assert form is not None
    assert dict(form.hidden) == fields


def test_the_page_keeps_the_headers_of_participants_pages(
    client: Client, broken: Callable[[Exception], None]
) -> None:
    broken(OUTAGES[0])

    headers = client.get(ADDRESS).headers

    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "unsafe" not in headers["Content-Security-Policy"]


@pytest.mark.parametrize(("asked", "languages"), [("en", ["en", "de"]), ("de", ["de", "en"])])
def test_it_speaks_every_language_the_readers_first(
    client: Client, broken: Callable[[Exception], None], asked: str, languages: list[str]
) -> None:
    broken(OUTAGES[0])

    html = client.get(ADDRESS, headers={"accept-language": asked}).content.decode()

    places = [html.index(f'<section lang="{code}"') for code in languages]
    assert places == sorted(places)
    assert f'<html lang="{asked}"' in html


def test_the_log_names_the_fault_and_no_secret_of_a_participant(
    client: Client, broken: Callable[[Exception], None], caplog: pytest.LogCaptureFixture
) -> None:
    broken(OUTAGES[0])

    with caplog.at_level(logging.INFO, logger="surveys"):
        client.post(ADDRESS, {"comment": "private words"})

    lines = [r.getMessage() for r in caplog.records if r.name.startswith("surveys")]
    assert lines == ["A participant met an outage: OperationalError: database is locked"]


def test_a_fault_of_the_program_is_not_called_an_outage(
    broken: Callable[[Exception], None],
) -> None:
    broken(ValueError("a defect"))
    client = Client(raise_request_exception=False)

    with override_settings(DEBUG=False):
        assert client.get(ADDRESS).status_code == 500
