"""Page visits and item times: first times stay, counts add up, also when two tabs hurry."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from surveys.models import Administration, PageVisit, Participation
from surveys.services.paradata import record_sent, record_shown
from tests.factories import ParticipationFactory, StudyFactory
from tests.surveys.people.conftest import Person, at_once, page_address

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def seconds(n: float) -> datetime:
    return NOW + timedelta(seconds=n)


def sent(participation: Participation, at: float, *, ms: int = 0, is_saved: bool = True):
    return record_sent(
        participation=participation, number=2, now=seconds(at), visible_ms=ms, is_saved=is_saved
    )


def shown(participation: Participation, at: float):
    return record_shown(participation=participation, number=2, now=seconds(at))


def test_a_page_keeps_when_it_was_first_shown_and_first_saved() -> None:
    participation = ParticipationFactory()
    shown(participation, 0)
    sent(participation, 10)
    shown(participation, 20)

    sent(participation, 30)

    visit = PageVisit.objects.get()
    assert visit.first_shown_at == NOW
    assert visit.last_shown_at == seconds(20)
    assert visit.saved_at == seconds(10)
    assert visit.visits == 2


def test_time_in_view_adds_up_over_visits_and_once_a_form() -> None:
    participation = ParticipationFactory()
    shown(participation, 0)
    sent(participation, 10, ms=4000, is_saved=False)
    sent(participation, 20, ms=5000)
    for _ in range(3):
        sent(participation, 20, ms=5000)
    assert PageVisit.objects.get().visible_ms == 9000

    shown(participation, 40)
    assert sent(participation, 50, ms=6000).visible_ms == 15_000


@pytest.mark.parametrize("ms", [11_000, 24 * 3600 * 1000])
def test_nobody_sees_a_page_for_longer_than_it_is_there(ms: int) -> None:
    participation = ParticipationFactory()
    shown(participation, 0)

    assert sent(participation, 10, ms=ms, is_saved=False).visible_ms == 10_000
    assert sent(participation, 10, ms=ms).visible_ms == 10_000
    assert PageVisit.objects.get().visible_ms == 10_000


def test_counts_stop_at_what_the_columns_hold() -> None:
    participation = ParticipationFactory()
    shown(participation, 0)
    PageVisit.objects.update(
        visits=32_767, visible_ms=24 * 3600 * 1000, first_shown_at=NOW - timedelta(days=400)
    )

    shown(participation, 1)
    sent(participation, 2, ms=24 * 3600 * 1000)

    visit = PageVisit.objects.get()
    assert (visit.visits, visit.visible_ms) == (32_767, 24 * 3600 * 1000)


def test_a_page_that_comes_without_having_been_shown_has_no_visit() -> None:
    visit = sent(ParticipationFactory(), 5, ms=3000)

    assert (visit.visits, visit.visible_ms, visit.saved_at) == (0, 0, seconds(5))


def test_pages_of_other_people_are_their_own() -> None:
    one, other = ParticipationFactory(), ParticipationFactory()
    shown(one, 0)
    shown(other, 7)

    assert shown(one, 9).visits == 2
    assert other.page_visits.get().first_shown_at == seconds(7)


@pytest.mark.django_db(transaction=True)
def test_two_tabs_at_once_count_twice_and_begin_once() -> None:
    participation = ParticipationFactory(pages_done=1)
    address = page_address(participation, 2)

    answers = at_once([lambda: Client().get(address)] * 10)

    assert {answer.status_code for answer in answers} == {200}
    visit = PageVisit.objects.get()
    assert visit.visits == 10
    assert visit.first_shown_at <= visit.last_shown_at


def test_looking_counts_visits_and_previews_do_not() -> None:
    participation = ParticipationFactory(pages_done=1)
    address = page_address(participation, 2)

    Client().head(address)
    for header in ("prefetch", "prefetch;prerender"):
        Client().get(address, headers={"sec-purpose": header})
    Client().get(address, headers={"purpose": "prefetch"})
    assert not PageVisit.objects.exists()

    Client().get(address)
    Client().get(address)
    assert PageVisit.objects.get().visits == 2


def test_a_page_that_is_not_open_is_not_visited() -> None:
    participation = ParticipationFactory(pages_done=6)

    for number in (1, 6, 8, 99):
        Client().get(page_address(participation, number))

    assert not PageVisit.objects.exists()


def report(**parts) -> str:
    return json.dumps(parts)


def test_answers_carry_when_they_were_shown_given_and_changed() -> None:
    study = StudyFactory()
    participation = ParticipationFactory(study=study, pages_done=2)
    address = page_address(participation, 3)
    keys = participation.item_order[5:10]
    client = Client()
    client.get(address)
    ms = int(timezone.now().timestamp() * 1000)

    client.post(
        address,
        {f"item-{key}": "3" for key in keys}
        | {"report": report(shown=ms, items={keys[0]: [ms, 2]}, viewport="small", layout="row")},
    )
    client.post(address, {f"item-{key}": "4" for key in keys})

    paradata = Administration.objects.get().paradata
    assert set(paradata) == set(keys)
    assert [paradata[key]["place"] for key in keys] == [5, 6, 7, 8, 9]
    assert {entry["changes"] for entry in paradata.values()} == {1}
    visit = PageVisit.objects.get()
    first = paradata[keys[0]]
    assert abs(datetime.fromisoformat(first["shown_at"]) - visit.first_shown_at) < timedelta(
        milliseconds=1
    )
    assert first["shown_at"] <= first["answered_at"]
    assert first["client_changes"] == 1
    participation.refresh_from_db()
    assert (participation.viewport_class, participation.layout) == ("small", "row")
    assert not participation.is_translated


def test_times_follow_the_item_whatever_its_place() -> None:
    participation = ParticipationFactory(pages_done=1)
    Participation.objects.update(item_order=participation.item_order[::-1])
    participation.refresh_from_db()
    one = Person(participation.study)
    address = page_address(participation, 2)

    one.client.post(address, one.page_answers(address))

    paradata = Administration.objects.get().paradata
    first_five = participation.item_order[:5]
    assert {key: entry["place"] for key, entry in paradata.items()} == {
        key: place for place, key in enumerate(first_five)
    }


@pytest.mark.parametrize(
    "text", ["{", "[1]", "x" * 30_000, '{"visible": -5, "shown": 1e99}', "\x00"]
)
def test_a_nonsensical_report_never_costs_an_answer(text: str) -> None:
    participation = ParticipationFactory(pages_done=1)
    keys = participation.item_order[:5]

    response = Client().post(
        page_address(participation, 2), {f"item-{key}": "3" for key in keys} | {"report": text}
    )

    assert response.status_code == 302
    assert "client_shown_at" not in Administration.objects.get().paradata[keys[0]]


def test_a_translated_page_marks_the_participation_for_good() -> None:
    participation = ParticipationFactory(pages_done=1)
    for number, translated in ((2, True), (3, False)):
        keys = participation.item_order[5 * (number - 2) : 5 * (number - 1)]
        Client().post(
            page_address(participation, number),
            {f"item-{key}": "3" for key in keys} | {"report": report(translated=translated)},
        )

    participation.refresh_from_db()
    assert participation.is_translated
    assert participation.pages_done == 3


def test_participations_know_the_language_of_their_pages() -> None:
    one = Person(StudyFactory(language="de"))
    one.consent()

    assert Participation.objects.get().language == "de"


def test_showing_a_page_takes_one_query_more_than_knowing_it(django_assert_num_queries) -> None:
    participation = ParticipationFactory(pages_done=1)

    with django_assert_num_queries(4):
        Client().get(page_address(participation, 2))
