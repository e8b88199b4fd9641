"""Instructed items: drawn at consent, asked like an item, never counted as one."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from surveys.models import Administration, AttentionCheck, Participation
from tests.factories import ParticipationFactory, StudyFactory
from tests.surveys.people.conftest import Person, page_address

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("wanted", "positions"), [(0, []), (1, [0]), (2, [0, 2])])
def test_checks_are_drawn_at_consent(wanted: int, positions: list[int]) -> None:
    study = StudyFactory(n_situations=2, situations_per_person=2, attention_items=wanted)

    Person(study).consent()

    checks = AttentionCheck.objects.order_by("measure_position")
    assert [check.measure_position for check in checks] == positions
    for check in checks:
        assert 2 <= check.place <= 18
        assert check.asked_value in {2, 4}
        label = {2: "a little", 4: "quite a bit"}[check.asked_value]
        assert check.text == f"Please choose “{label}” here."
        assert check.answered_value is None


def at_check(place: int = 7, asked: int = 4) -> Participation:
    """PANAS by five with a check in the first measure: place 7 is on page 3."""
    study = StudyFactory(attention_items=1)
    participation = ParticipationFactory(study=study, pages_done=2)
    participation.attention_checks.create(
        measure_position=0,
        place=place,
        asked_value=asked,
        text="Please choose “quite a bit” here.",
    )
    return participation


def answers(participation: Participation, check: str = "4") -> dict[str, str]:
    items = {f"item-{key}": "3" for key in participation.item_order[5:10]}
    return items | ({"item-instructed-item": check} if check else {})


def test_a_check_stands_at_its_place_in_the_row_of_items() -> None:
    participation = at_check(place=7)

    html = Client().get(page_address(participation, 3)).content.decode()

    legends = re.findall(r"<legend>(.*?)</legend>", html)
    texts = [
        participation.study.instrument.spec.item(key).text for key in participation.item_order[5:10]
    ]
    assert legends == [*texts[:2], "Please choose “quite a bit” here.", *texts[2:]]
    assert html.count('value="4"') == 6


@pytest.mark.parametrize("number", [2, 4, 5])
def test_a_check_is_on_no_other_page(number: int) -> None:
    participation = at_check()
    Participation.objects.update(pages_done=5)

    html = Client().get(page_address(participation, number)).content.decode()

    assert html.count("<legend>") == 5


def test_the_answer_is_kept_beside_the_ratings() -> None:
    participation = at_check()

    response = Client().post(page_address(participation, 3), answers(participation, "4"))

    assert response["location"] == page_address(participation, 4)
    check = AttentionCheck.objects.get()
    assert check.answered_value == 4
    assert check.answered_at is not None
    assert not check.is_failed
    administration = Administration.objects.get()
    assert [rating for rating in administration.ratings if rating is not None] == [3] * 5
    assert set(administration.paradata) == set(participation.item_order[5:10])


def test_a_check_without_an_answer_is_an_error_like_any_other() -> None:
    participation = at_check()

    response = Client().post(page_address(participation, 3), answers(participation, ""))

    html = response.content.decode()
    assert response.status_code == 422
    assert "One question still needs an answer" in html
    assert 'href="#item-instructed-item-1"' in html
    participation.refresh_from_db()
    assert participation.pages_done == 2
    assert Administration.objects.get().ratings.count(3) == 5


def test_the_last_answer_before_the_page_is_left_counts() -> None:
    participation = at_check(asked=4)
    address = page_address(participation, 3)

    Client().post(address, answers(participation, "1"))
    assert AttentionCheck.objects.get().is_failed
    assert Client().get(address).content.decode().count(" checked") == 6
    Client().post(address, answers(participation, "4"))

    assert not AttentionCheck.objects.get().is_failed


def test_the_same_answer_again_keeps_its_time() -> None:
    participation = at_check()
    for _ in range(2):
        Client().post(page_address(participation, 3), answers(participation))
        times = set(AttentionCheck.objects.values_list("answered_at", flat=True))

    assert times == {AttentionCheck.objects.get().answered_at}


def test_a_person_with_two_checks_finishes_with_whole_measures(person) -> None:
    one = person(StudyFactory(attention_items=2))
    own = one.consent()

    assert one.walk(own) == own

    assert list(Administration.objects.values_list("ratings", flat=True)) == [[3] * 20] * 2
    # The walker answers 3 everywhere, which nobody is ever asked to choose.
    assert [check.is_failed for check in AttentionCheck.objects.all()] == [True, True]
    assert Participation.objects.get().outcome == "failed_attention"


def test_saving_a_page_with_a_check_takes_at_most_ten_queries(django_assert_max_num_queries):
    participation = at_check()

    with django_assert_max_num_queries(10):
        Client().post(page_address(participation, 3), answers(participation))
