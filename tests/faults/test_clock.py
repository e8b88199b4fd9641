"""The server's clock jumps, as after a wrong time is set right."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from surveys.models import PageVisit, Participation
from surveys.simulation.pages import read_page
from tests import factories

pytestmark = pytest.mark.django_db


class Clock:
    """A time that the test sets."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, 0, tzinfo=timezone.get_default_timezone())

    def move(self, **by: int) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock


@pytest.mark.parametrize("jump_hours", [-48, -1, 1, 48])
def test_a_clock_set_back_loses_no_answer_and_moves_no_first_time(
    client: Client, clock: Clock, jump_hours: int
) -> None:
    """Back or ahead, between any page's showing and its sending, people go on to the end."""
    study = factories.StudyFactory(items_per_page=10, reading_words_per_minute=300)
    person = factories.ParticipationFactory(
        study=study, consented_at=clock.now, last_seen_at=clock.now, pages_done=1
    )
    own = f"/s/{study.slug}/p/{person.code}/"
    address = f"{own}2/"
    while address != own:
        page = read_page(client.get(address).content)
        assert page.form is not None
        shown = PageVisit.objects.latest("pk").first_shown_at
        clock.move(hours=jump_hours)
        answers = {question.name: "3" for question in page.form.questions}
        response = client.post(address, answers)
        if response.status_code == 422:  # The situation holds for as long as its words take.
            clock.move(seconds=int(read_page(response.content).wait_s))
            response = client.post(address, answers)
        assert response.status_code == 302
        assert PageVisit.objects.latest("pk").first_shown_at == shown
        clock.move(hours=-jump_hours, minutes=1)
        address = response["location"]

    person.refresh_from_db()
    assert person.state == Participation.State.COMPLETED
    assert all(None not in measure.ratings for measure in person.administrations.all())
    assert person.administrations.count() == 2
