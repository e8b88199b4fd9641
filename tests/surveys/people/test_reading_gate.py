"""A situation holds its reader for as long as its words take, by the server's clock."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from surveys.models import PageVisit, Participation
from tests.factories import ParticipationFactory, SituationVersionFactory, StudyFactory
from tests.surveys.people.conftest import page_address

pytestmark = pytest.mark.django_db
SITUATION = 6


def reader(words: int = 100, speed: int | None = 600) -> Participation:
    """Somebody before a text of `words` words: at 600 a minute, a hundred take ten seconds."""
    study = StudyFactory(reading_words_per_minute=speed)
    version = SituationVersionFactory(text="word " * words)
    return ParticipationFactory(study=study, pages_done=5, assigned=[version])


def shift(seconds: float) -> None:
    """As if the situation had first been shown that much earlier."""
    visit = PageVisit.objects.get()
    visit.first_shown_at -= timedelta(seconds=seconds)
    visit.save()


def test_whoever_goes_on_too_early_reads_how_long_it_takes() -> None:
    participation = reader()
    address = page_address(participation, SITUATION)
    client = Client()
    assert "You can continue after 10 seconds." in client.get(address).content.decode()
    shift(4)

    response = client.post(address)

    html = response.content.decode()
    assert response.status_code == 422
    assert 'role="status"' in html
    assert "You can continue after 6 seconds." in html
    assert 'data-seconds="6"' in html
    assert "autofocus" in html
    participation.refresh_from_db()
    assert participation.pages_done == 5
    assert PageVisit.objects.get().saved_at is None


def test_whoever_has_read_goes_on() -> None:
    participation = reader()
    address = page_address(participation, SITUATION)
    Client().get(address)
    shift(10)

    assert Client().post(address)["location"] == page_address(participation, 7)
    assert PageVisit.objects.get().saved_at is not None


def test_a_reload_or_a_second_tab_neither_resets_nor_skips_the_wait() -> None:
    participation = reader()
    address = page_address(participation, SITUATION)
    Client().get(address)
    shift(7)

    for _ in range(3):
        assert "after 3 seconds" in Client().get(address).content.decode()
        assert Client().post(address).status_code == 422
    # The page after it is no way around it either.
    assert Client().get(page_address(participation, 7))["location"] == address
    items = {f"item-{key}": "3" for key in participation.item_order[:5]}
    assert Client().post(page_address(participation, 7), items)["location"] == address
    shift(3)

    assert Client().get(address).content.decode().count('id="wait"') == 0
    assert Client().post(address).status_code == 302


@pytest.mark.parametrize("method", ["head", "prefetch", "none"])
def test_a_page_that_nobody_has_seen_is_not_read(method: str) -> None:
    participation = reader()
    address = page_address(participation, SITUATION)
    if method == "head":
        Client().head(address)
    elif method == "prefetch":
        Client().get(address, headers={"sec-purpose": "prefetch"})

    assert Client().post(address).status_code == 422


@pytest.mark.parametrize(("words", "speed"), [(100, None), (0, 600)])
def test_without_a_speed_or_words_nobody_waits(words: int, speed: int | None) -> None:
    participation = reader(words, speed)
    address = page_address(participation, SITUATION)

    assert 'id="wait"' not in Client().get(address).content.decode()
    assert Client().post(address).status_code == 302


def test_a_clock_that_was_set_back_adds_no_more_than_the_text_takes() -> None:
    participation = reader()
    address = page_address(participation, SITUATION)
    Client().get(address)
    PageVisit.objects.update(first_shown_at=timezone.now() + timedelta(seconds=8))
    assert "after 10 seconds" in Client().get(address).content.decode()

    PageVisit.objects.update(first_shown_at=timezone.now() + timedelta(hours=1))
    assert Client().post(address).status_code == 302


def test_one_second_is_one() -> None:
    address = page_address(reader(words=1), SITUATION)

    assert "after 1 second." in Client().get(address).content.decode()
