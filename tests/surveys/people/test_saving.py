from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from surveys.models import Administration, Participation
from surveys.services.saving import SavedPage, save_page
from surveys.services.withdrawal import withdraw
from tests.factories import (
    ParticipationFactory,
    StudyFactory,
    complete_instrument,
)
from tests.surveys.people.conftest import DECLINE_ALL, Person, at_once, page_address

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LAST = 10


def participation_at(pages_done: int, **study) -> Participation:
    """PANAS by five: 1 the person, 2-5 default, 6 the situation, 7-10 evoked."""
    return ParticipationFactory(study=StudyFactory(**study), pages_done=pages_done)


def save(participation: Participation, number: int, sent=None, rating: int = 3) -> SavedPage:
    if sent is None:
        first = 5 * ((number - 2) if number < 6 else (number - 7))
        keys = participation.item_order[first : first + 5]
        sent = DECLINE_ALL if number == 1 else dict.fromkeys(keys, str(rating))
    return save_page(
        slug=participation.study.slug, code=participation.code, number=number, sent=sent, now=NOW
    )


def stored(participation: Participation) -> list[tuple]:
    return list(
        Administration.objects.filter(participation=participation)
        .order_by("position")
        .values_list("phase", "ratings", "scores")
    )


def test_a_whole_walk_stores_two_scored_measures_in_the_instruments_order() -> None:
    participation = participation_at(0)
    Participation.objects.update(item_order=list(reversed(participation.item_order)))
    participation.refresh_from_db()

    results = [save(participation, n, rating=1 + n // 6) for n in range(1, LAST + 1)]

    assert [result.next_page for result in results] == [2, 3, 4, 5, 6, 7, 8, 9, 10, None]
    before, after = participation.administrations.order_by("position")
    assert (before.phase, after.phase) == ("default", "evoked")
    assert before.ratings == [1] * 20
    assert before.scores == {"positive_affect": 10, "negative_affect": 10}
    assert after.scores == {"positive_affect": 20, "negative_affect": 20}
    assert before.item_order == after.item_order == list(reversed(range(20)))
    assert before.situation_version is None
    assert after.situation_version == participation.assignments.get().situation_version
    participation.refresh_from_db()
    assert participation.state == "completed"
    assert participation.completed_at == NOW
    assert Participation.objects.counted().get() == participation


def test_ratings_are_stored_by_item_and_not_by_place() -> None:
    participation = participation_at(1)
    keys = participation.item_order[::-1]
    Participation.objects.update(item_order=keys)

    save(participation, 2, dict(zip(keys[:5], "12345", strict=True)))

    administration = participation.administrations.get()
    assert administration.ratings_by_item | dict(zip(keys[:5], range(1, 6), strict=True)) == (
        administration.ratings_by_item
    )
    assert administration.ratings.count(None) == 15
    assert administration.scores is None
    assert administration.started_at == NOW
    assert administration.completed_at is None


@pytest.mark.parametrize("number", [1, 2, 5, 6, 7, 10])
def test_saving_a_page_twice_is_saving_it_once(number: int) -> None:
    participation = participation_at(0)
    for n in range(1, number):
        save(participation, n)

    first = save(participation, number)
    rows = stored(participation)
    again = save(participation, number)

    assert again.next_page == first.next_page
    assert again.faults == {}
    assert stored(participation) == rows


def test_a_page_with_gaps_keeps_what_was_given_and_stays() -> None:
    participation = participation_at(1)
    given, *missing = participation.item_order[:5]

    result = save(participation, 2, {given: "4", missing[0]: "9"})

    assert result.next_page == 2
    assert list(result.faults) == missing
    assert participation.administrations.get().ratings_by_item[given] == 4
    participation.refresh_from_db()
    assert participation.pages_done == 1


def test_demographics_with_a_fault_keep_the_rest() -> None:
    participation = participation_at(0)

    result = save(participation, 1, DECLINE_ALL | {"gender": "Male", "country": "Atlantis"})

    assert set(result.faults) == {"country"}
    participation.refresh_from_db()
    assert participation.gender == "Male"
    assert participation.declined_questions == ["year_of_birth", "employment", "education"]
    assert participation.pages_done == 0


def test_demographics_may_be_declined_later_and_given_again() -> None:
    participation = participation_at(1)
    full = {
        "gender": "Female",
        "year_of_birth": "1980",
        "country": "Chile",
        "employment": "Student",
        "education": "None",
    }

    save(participation, 1, full)
    participation.refresh_from_db()
    assert (participation.year_of_birth, participation.declined_questions) == (1980, [])

    save(participation, 1, DECLINE_ALL)
    participation.refresh_from_db()
    assert participation.year_of_birth is None
    assert (participation.gender, participation.country) == ("", "")
    assert len(participation.declined_questions) == 5


def test_going_back_may_change_an_answer_and_its_scores() -> None:
    participation = participation_at(1)
    for number in range(2, 6):
        save(participation, number, rating=1)

    result = save(participation, 2, rating=5)

    assert result.next_page == 6
    administration = participation.administrations.get()
    assert sum(administration.scores.values()) == 5 * 5 + 15
    participation.refresh_from_db()
    assert participation.pages_done == 5


@pytest.mark.parametrize("number", [1, 2, 5, 6])
def test_nothing_before_a_begun_second_measure_changes(number: int) -> None:
    participation = participation_at(0)
    for n in range(1, 7):
        save(participation, n, rating=2 if n > 1 else 3)
    rows = stored(participation)
    sent = {"gender": "Male"} if number == 1 else None

    result = save(participation, number, sent, rating=5)

    assert result.next_page == 7
    assert stored(participation) == rows
    participation.refresh_from_db()
    assert participation.gender == ""


@pytest.mark.parametrize("number", [0, 3, 7, 11, 10**9])
def test_a_page_ahead_saves_nothing(number: int) -> None:
    participation = participation_at(1)

    result = save(participation, number, dict.fromkeys(participation.item_order, "3"))

    assert result.next_page == 2
    assert stored(participation) == []


def test_after_the_end_nothing_changes() -> None:
    participation = participation_at(0)
    for n in range(1, LAST + 1):
        save(participation, n)
    rows = stored(participation)

    result = save(participation, LAST, rating=5)

    assert result.next_page is None
    assert stored(participation) == rows


def test_the_last_page_ends_nothing_unless_it_is_complete() -> None:
    participation = participation_at(0)
    for n in range(1, LAST):
        save(participation, n)

    save(participation, LAST, {participation.item_order[19]: "3"})

    participation.refresh_from_db()
    assert participation.state == "active"
    assert stored(participation)[1][2] is None


def test_a_study_laid_out_anew_leads_to_the_gap_instead_of_failing() -> None:
    participation = participation_at(4)
    for page in (2, 3):
        save(participation, page)

    # Page 4 was never sent: as if it had held other items when it was.
    result = save(participation, 5)

    assert result.next_page == 4
    assert save(participation, 4).next_page == 5
    assert save(participation, 5).next_page == 6


def test_means_are_stored_as_numbers() -> None:
    instrument = complete_instrument("gasp")
    study = StudyFactory(instrument=instrument, items_per_page=60, item_order="fixed")
    participation = ParticipationFactory(study=study, pages_done=1)

    save(participation, 2, dict.fromkeys(participation.item_order, "2"))

    scores = participation.administrations.get().scores
    assert scores
    assert all(isinstance(value, (int, float)) for value in scores.values())


def test_several_situations_are_measured_one_after_another() -> None:
    study = StudyFactory(n_situations=2, situations_per_person=2, items_per_page=20)
    participation = ParticipationFactory(study=study)
    every = dict.fromkeys(participation.item_order, "3")

    pages = [save(participation, n, DECLINE_ALL if n == 1 else every) for n in range(1, 7)]

    assert pages[-1].next_page is None
    measured = list(
        participation.administrations.order_by("position").values_list("situation_version", "phase")
    )
    given = [a.situation_version_id for a in participation.assignments.order_by("position")]
    assert measured == [(None, "default"), (given[0], "evoked"), (given[1], "evoked")]


def test_withdrawing_deletes_the_answers_and_keeps_a_tombstone() -> None:
    participation = participation_at(0)
    save(participation, 1, DECLINE_ALL | {"gender": "Male", "country": "Chad"})
    save(participation, 2)

    for _ in range(2):
        withdraw(slug=participation.study.slug, code=participation.code, now=NOW)

    participation.refresh_from_db()
    assert participation.state == "withdrawn"
    assert (participation.gender, participation.country) == ("", "")
    assert participation.declined_questions == []
    assert stored(participation) == []
    assert save(participation, 3).next_page is None
    assert stored(participation) == []


def test_withdrawing_after_the_end_takes_the_person_out_of_the_counts() -> None:
    participation = participation_at(0)
    for n in range(1, LAST + 1):
        save(participation, n)

    withdraw(slug=participation.study.slug, code=participation.code, now=NOW)

    assert not Participation.objects.counted().exists()
    assert not Administration.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [2, 10])
def test_the_same_page_sent_at_once_advances_once(number: int) -> None:
    participation = participation_at(0)
    for n in range(1, number):
        save(participation, n)
    address = page_address(participation, number)
    items = {f"item-{key}": "3" for key in participation.item_order}

    answers = at_once([lambda: Person(participation.study).client.post(address, items)] * 12)

    assert {answer.status_code for answer in answers} == {302}
    assert len({answer["location"] for answer in answers}) == 1
    participation.refresh_from_db()
    assert participation.pages_done == number
    assert participation.administrations.count() == (1 if number == 2 else 2)


def test_saving_a_page_of_ratings_takes_at_most_eight_queries(
    client, django_assert_max_num_queries
) -> None:
    participation = participation_at(1, n_situations=3, situations_per_person=3)

    for number in (2, 3, 4, 5):
        keys = participation.item_order[5 * (number - 2) : 5 * (number - 1)]
        with django_assert_max_num_queries(8):
            response = client.post(
                page_address(participation, number), {f"item-{key}": "3" for key in keys}
            )
        assert response["location"] == page_address(participation, number + 1)


def test_the_last_page_is_judged_in_at_most_five_queries_more(
    client, django_assert_max_num_queries
) -> None:
    participation = participation_at(0)
    for number in range(1, LAST):
        save(participation, number)
    keys = participation.item_order[15:]

    with django_assert_max_num_queries(13):
        response = client.post(
            page_address(participation, LAST), {f"item-{key}": "3" for key in keys}
        )

    assert response.status_code == 302
    assert Participation.objects.counted().get().outcome == "completed"


def test_a_silent_participant_is_seen_again_when_a_page_arrives() -> None:
    participation = participation_at(1)
    Participation.objects.update(last_seen_at=NOW - timedelta(days=2))

    save(participation, 2)

    participation.refresh_from_db()
    assert participation.last_seen_at == NOW
