"""Pages sent twice, at once, late, out of order or as nonsense: nothing doubled, lost or fatal."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from surveys.models import (
    Administration,
    AttentionCheck,
    PageVisit,
    Participant,
    Participation,
    Study,
)
from tests.factories import ParticipationFactory, StudyFactory
from tests.surveys.people.conftest import DECLINE_ALL, LINK, Person, at_once, page_address

pytestmark = pytest.mark.django_db
CHECK = "item-instructed-item"


def brought_to(number: int, **fields) -> Participation:
    """Somebody who stands before page `number`, having answered 3 everywhere before it."""
    study = StudyFactory(attention_items=1, **fields)
    participation = ParticipationFactory(study=study)
    participation.attention_checks.create(
        measure_position=0, place=2, asked_value=4, text="Please choose “quite a bit” here."
    )
    one = Person(study)
    own = f"/s/{study.slug}/p/{participation.code}/"
    one.walk(own, pages=number - 1)
    one.client.get(page_address(participation, number))
    participation.refresh_from_db()
    return participation


def filled(participation: Participation, number: int, rating: int = 3) -> dict[str, str]:
    if number == 1:
        return dict(DECLINE_ALL)
    if number == 6:
        return {}
    first = 5 * ((number - 2) if number < 6 else (number - 7))
    items = {f"item-{key}": str(rating) for key in participation.item_order[first : first + 5]}
    return items | ({CHECK: "4"} if number == 2 else {})


def everything(participation: Participation) -> list[object]:
    """All that is stored about a participation."""
    tables = (Administration, AttentionCheck, PageVisit)
    rows = [list(t.objects.filter(participation=participation).values()) for t in tables]
    return [*rows, Participation.objects.filter(pk=participation.pk).values().get()]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [1, 6, 10])
def test_twenty_identical_posts_at_once_are_one(number: int) -> None:
    participation = brought_to(number)
    address = page_address(participation, number)
    # The page was opened a minute ago and looked at for two seconds.
    visits = PageVisit.objects.filter(number=number)
    visits.update(
        first_shown_at=timezone.now() - timedelta(minutes=1),
        last_shown_at=timezone.now() - timedelta(minutes=1),
    )
    sent = filled(participation, number) | {"report": json.dumps({"visible": 2000})}

    answers = at_once([lambda: Client().post(address, sent)] * 20)

    own = f"/s/{participation.study.slug}/p/{participation.code}/"
    following = f"{own}{number + 1}/" if number < 10 else own
    assert {(answer.status_code, answer["location"]) for answer in answers} == {(302, following)}
    participation.refresh_from_db()
    assert participation.pages_done == number
    assert Administration.objects.count() == {1: 0, 2: 1, 6: 1, 7: 2, 10: 2}[number]
    assert visits.get().visible_ms == 2000
    for administration in Administration.objects.all():
        assert {trace["changes"] for trace in administration.paradata.values()} == {0}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [2, 5, 10])
def test_two_tabs_that_disagree_advance_once_and_mix_nothing(number: int) -> None:
    participation = brought_to(number)
    address = page_address(participation, number)
    tabs = [filled(participation, number, rating) for rating in (1, 5)]

    answers = at_once([lambda sent=sent: Client().post(address, sent) for sent in tabs * 5])

    assert len({answer["location"] for answer in answers}) == 1
    participation.refresh_from_db()
    assert participation.pages_done == number
    ratings = Administration.objects.order_by("position").last().ratings_by_item
    items = [name.removeprefix("item-") for name in tabs[0] if name != CHECK]
    assert len({ratings[item] for item in items}) == 1


@pytest.mark.django_db(transaction=True)
def test_reading_and_saving_in_two_tabs_at_once_is_harmless() -> None:
    participation = brought_to(2)
    address, sent = page_address(participation, 2), filled(participation, 2)

    answers = at_once([lambda: Client().get(address), lambda: Client().post(address, sent)] * 6)

    assert {answer.status_code for answer in answers} == {200, 302}
    assert PageVisit.objects.get(number=2).visits == 7
    assert Administration.objects.get().ratings.count(3) == 5


def test_back_after_the_end_and_sent_again_changes_nothing() -> None:
    participation = brought_to(10)
    Client().post(page_address(participation, 10), filled(participation, 10))
    before = everything(participation)

    for number in (1, 2, 6, 10):
        again = Client().post(page_address(participation, number), filled(participation, number, 5))
        assert again["location"] == f"/s/{participation.study.slug}/p/{participation.code}/"

    assert everything(participation) == before


def test_back_to_before_the_situation_and_sent_again_changes_nothing() -> None:
    participation = brought_to(8)
    before = everything(participation)

    for number in (1, 2, 5, 6):
        again = Client().post(page_address(participation, number), filled(participation, number, 5))
        assert again["location"] == page_address(participation, 8)

    assert everything(participation) == before


CHANGES = [
    {},
    {"state": "paused"},
    {"state": "closed"},
    {"state": "archived"},
    {"target_per_situation": 0},
    {"admits_without_ids": False},
    {"title": "Renamed", "consent_version": "2"},
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("number", [2, 10])
def test_a_page_left_for_hours_is_saved_whatever_happened_since(change: dict, number: int) -> None:
    participation = brought_to(number)
    hours_ago = timezone.now() - timedelta(hours=3)
    Participation.objects.update(last_seen_at=hours_ago, consented_at=hours_ago)
    PageVisit.objects.update(first_shown_at=hours_ago, last_shown_at=hours_ago)
    Study.objects.update(**change)
    participation.study.study_situations.update(is_closed=True)
    Session.objects.all().delete()
    # Neither cookies, nor a token, nor an origin: as after a restart with another key.
    strict = Client(enforce_csrf_checks=True, headers={"origin": "null"})

    response = strict.post(page_address(participation, number), filled(participation, number))

    assert response.status_code == 302
    participation.refresh_from_db()
    assert participation.pages_done == number


def test_reloading_and_coming_in_again_at_every_step_makes_nothing_twice() -> None:
    study = StudyFactory(admits_without_ids=False, attention_items=2)
    one = Person(study)
    own = one.consent(LINK)

    for number in range(1, 11):
        address = one.current(own)
        assert address == f"{own}{number}/"
        for browser in (one.client, Client()):
            # By reload, by the own address, and by the link from Prolific.
            assert browser.get(address).status_code == 200
            assert browser.get(own)["location"] == address
            again = browser.get(one.address, LINK, follow=True)
            assert again.request["PATH_INFO"] == address
        sent = one.page_answers(address)
        for _ in range(2):
            one.client.post(address, sent)

    assert one.current(own) == own
    assert Participation.objects.count() == Participant.objects.count() == 1
    assert Administration.objects.count() == AttentionCheck.objects.count() == 2
    assert PageVisit.objects.count() == 10
    assert Participation.objects.counted().get().outcome


def test_ids_that_differ_by_case_are_different_people() -> None:
    study = StudyFactory(admits_without_ids=False)

    owns = {Person(study).consent(LINK | {"PROLIFIC_PID": pid}) for pid in ("AbC", "abc", "ABC")}

    assert len(owns) == Participant.objects.count() == 3


ODD_CODES = ["x", "x" * 5000, "%00", "%E2%98%83", "..%2f..", "' OR 1=1 --", "%C0%AF", "0"]


@pytest.mark.parametrize("code", ODD_CODES)
def test_addresses_that_are_nobodys_are_not_found_and_make_nothing(code: str) -> None:
    participation = ParticipationFactory(pages_done=1)

    for path in ("", "1/", "2/", "999999999999999999999/", "-1/"):
        address = f"/s/{participation.study.slug}/p/{code}/{path}"
        assert Client().get(address).status_code == 404
        assert Client().post(address, {"gender": "Male"}).status_code in {404, 405}
    assert not PageVisit.objects.exists()


ODD_TEXTS = ["３", "3 ", "-3", "3.0", "1e0", "\x00", "😀", "x" * 200_000, "null", "[3]", "%33"]


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_answers_are_missing_and_the_others_are_kept(text: str) -> None:
    participation = brought_to(2)
    first, *others = participation.item_order[:5]
    sent = filled(participation, 2) | {f"item-{first}": text, CHECK: text}

    response = Client().post(page_address(participation, 2), sent)

    assert response.status_code == 422
    ratings = Administration.objects.get().ratings_by_item
    assert [ratings[first], *(ratings[key] for key in others)] == [None, 3, 3, 3, 3]
    assert AttentionCheck.objects.get().answered_value is None


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_words_about_the_person_are_refused_and_shown_as_text(text: str) -> None:
    participation = ParticipationFactory()
    sent = DECLINE_ALL | {"gender": text, "country": text, "year_of_birth": text}
    del sent["year_of_birth_declined"]

    response = Client().post(page_address(participation, 1), sent)

    assert response.status_code == 422
    participation.refresh_from_db()
    assert (participation.gender, participation.country, participation.year_of_birth) == (
        "", "", None
    )  # fmt: skip
    assert participation.declined_questions == ["employment", "education"]


def test_a_field_that_comes_twice_is_no_error() -> None:
    participation = brought_to(2)
    first, *_ = participation.item_order
    sent = filled(participation, 2) | {f"item-{first}": ["1", "5"]}

    assert Client().post(page_address(participation, 2), sent).status_code == 302
    assert Administration.objects.get().ratings_by_item[first] == 5


@pytest.mark.parametrize("size", [1500, 20_000])
def test_a_form_with_far_too_many_fields_is_refused_as_a_whole(size: int) -> None:
    participation = brought_to(2)
    sent = filled(participation, 2) | {f"more-{n}": "" for n in range(size)}

    assert Client().post(page_address(participation, 2), sent).status_code == 400
    assert not Administration.objects.exists()
