"""The database is gone for a while: locked, full, cut off. Sending again loses nothing."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import Client

from surveys.models import Administration, Participation
from surveys.simulation.pages import read_page
from surveys.views import pages
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
ITEMS = 5


@pytest.fixture
def participation() -> Participation:
    """Somebody whose next page is the first five words of the default measure."""
    return factories.ParticipationFactory(pages_done=1)


def address(participation: Participation) -> str:
    return f"/s/{participation.study.slug}/p/{participation.code}/2/"


def answers(participation: Participation, rating: str = "4") -> dict[str, str]:
    return {f"item-{key}": rating for key in participation.item_order[:ITEMS]}


def stored(participation: Participation) -> list[int]:
    administrations = Administration.objects.filter(participation=participation)
    return [rating for a in administrations for rating in a.ratings if rating is not None]


def check_sent_again_is_saved(
    client: Client, response: HttpResponse, participation: Participation
) -> None:
    """The page says 503 and holds the answers; its own form, sent twice, saves them once."""
    assert response.status_code == 503
    assert stored(participation) == []
    form = read_page(response.content).form
    assert form is not None
    for _ in range(2):
        again = client.post(form.action, dict(form.hidden))
        assert again.status_code == 302
    assert stored(participation) == [4] * ITEMS
    participation.refresh_from_db()
    assert participation.pages_done == 2


@contextmanager
def locked_by_another_process() -> Iterator[None]:
    """Somebody else writes for a long time, longer than this connection waits."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


@pytest.mark.needs_sqlite
def test_a_locked_database(client: Client, participation: Participation) -> None:
    with locked_by_another_process():
        response = client.post(address(participation), answers(participation))

    check_sent_again_is_saved(client, response, participation)


@pytest.mark.needs_sqlite
def test_consent_while_the_database_is_locked(client: Client) -> None:
    study = factories.StudyFactory()
    page = read_page(client.get(f"/s/{study.slug}/").content)
    assert page.form is not None
    consent = dict(page.form.hidden) | {"decision": "agree"}
    with locked_by_another_process():
        response = client.post(f"/s/{study.slug}/", consent)

    assert response.status_code == 503
    assert not Participation.objects.exists()
    form = read_page(response.content).form
    assert form is not None
    for _ in range(2):
        assert client.post(form.action, dict(form.hidden)).status_code == 302
    assert Participation.objects.count() == 1


@contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process can be written, as on a disk without room."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.needs_sqlite
def test_a_full_disk(client: Client, participation: Participation) -> None:
    with full_disk():
        response = client.post(address(participation), answers(participation))

    check_sent_again_is_saved(client, response, participation)


def cut_the_connection() -> None:
    """End this connection from the server's side, as a restart of PostgreSQL does."""
    import psycopg2

    database = connection.settings_dict
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        pid = cursor.fetchone()[0]
    other = psycopg2.connect(
        dbname=database["NAME"], user=database["USER"], password=database["PASSWORD"],
        host=database["HOST"], port=database["PORT"],
    )  # fmt: skip
    other.autocommit = True
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
    other.close()


def before(function: Callable[..., object], act: Callable[[], None]) -> Callable[..., object]:
    def wrapped(*args: object, **kwargs: object) -> object:
        act()
        return function(*args, **kwargs)

    return wrapped


@pytest.mark.needs_postgresql
def test_a_connection_cut_before_a_save(
    client: Client, participation: Participation, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(pages, "save_page", before(pages.save_page, cut_the_connection))
        response = client.post(address(participation), answers(participation))

    check_sent_again_is_saved(client, response, participation)


@pytest.mark.needs_postgresql
def test_a_connection_cut_in_the_middle_of_a_save(
    client: Client, participation: Participation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answers are written and the transaction is open; nothing of it may remain."""
    save = Participation.save

    def cut(self: Participation, *args: object, **kwargs: object) -> None:
        save(self, *args, **kwargs)
        cut_the_connection()

    with monkeypatch.context() as patch:
        patch.setattr(Participation, "save", cut)
        response = client.post(address(participation), answers(participation))

    check_sent_again_is_saved(client, response, participation)


@pytest.mark.needs_postgresql
def test_a_database_server_that_is_down(
    client: Client, participation: Participation, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.close()
    with monkeypatch.context() as patch:
        patch.setitem(connection.settings_dict, "PORT", "1")
        response = client.post(address(participation), answers(participation))
        reading = client.get(address(participation))
    connection.close()

    assert reading.status_code == 503
    check_sent_again_is_saved(client, response, participation)


def test_a_save_that_cannot_be_committed(
    client: Client, participation: Participation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last moment at which a database can fail: everything was written, nothing stays."""

    def fail() -> None:
        raise OperationalError("could not commit: no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "commit", fail)
        response = client.post(address(participation), answers(participation))

    check_sent_again_is_saved(client, response, participation)
