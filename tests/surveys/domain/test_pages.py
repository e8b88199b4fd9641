from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.attention import InstructedItem
from surveys.domain.pages import (
    DemographicsPage,
    RatingsPage,
    SituationPage,
    current_page,
    earliest_open_page,
    first_unanswered_page,
    is_open,
    list_pages,
)
from surveys.domain.protocol import ImaginedSituation, Protocol
from tests.surveys.domain.instruments import instrument

protocols = st.builds(
    lambda n_items, n_situations: Protocol(
        spec := instrument(n_items=n_items),
        tuple(reversed(spec.item_keys)),
        tuple(ImaginedSituation(n, f"You are in scene {n}.") for n in range(n_situations)),
    ),
    st.integers(1, 24),
    st.integers(1, 4),
)
sizes = st.integers(1, 30)


def test_twenty_items_by_five_before_and_after_one_situation_are_ten_pages() -> None:
    spec = instrument(n_items=20)
    protocol = Protocol(spec, spec.item_keys, (ImaginedSituation(1, "You wait."),))

    pages = list_pages(protocol, items_per_page=5)

    kinds = [DemographicsPage, *[RatingsPage] * 4, SituationPage, *[RatingsPage] * 4]
    assert [type(page) for page in pages] == kinds
    assert pages[5] == SituationPage(protocol.situations[0], ordinal=1, total=1)
    assert [p.part for p in pages if isinstance(p, RatingsPage)] == [1, 2, 3, 4, 1, 2, 3, 4]
    assert [p.ordinal for p in pages if isinstance(p, RatingsPage)] == [0, 0, 0, 0, 1, 1, 1, 1]


@given(protocol=protocols, size=sizes)
def test_pages_hold_each_item_of_each_measure_once_in_order(protocol: Protocol, size: int) -> None:
    pages = list_pages(protocol, items_per_page=size)

    for position, measure in enumerate(protocol.measures):
        of_measure = [
            page
            for page in pages
            if isinstance(page, RatingsPage) and page.measure_position == position
        ]
        assert [item for page in of_measure for item in page.items] == list(measure.items)
        assert all(1 <= len(page.items) <= size for page in of_measure)
        assert [page.is_last_of_measure for page in of_measure].index(True) == len(of_measure) - 1


@given(protocol=protocols, size=sizes, data=st.data())
def test_the_current_page_is_open_and_none_ahead_or_behind_a_begun_measure(
    protocol: Protocol, size: int, data: st.DataObject
) -> None:
    pages = list_pages(protocol, items_per_page=size)
    done = data.draw(st.integers(0, len(pages) - 1))

    current = current_page(pages, done)
    opened = {n for n in range(-1, len(pages) + 3) if is_open(pages, done, n)}

    assert current in opened
    assert opened == set(range(earliest_open_page(pages, done), current + 1))
    passed = pages[:done]
    situations_passed = [n for n, page in enumerate(passed, 1) if isinstance(page, SituationPage)]
    assert all(n > max(situations_passed, default=0) for n in opened)


@given(protocol=protocols, size=sizes)
def test_no_page_closes_behind_a_person_who_has_not_left_a_situation(
    protocol: Protocol, size: int
) -> None:
    pages = list_pages(protocol, items_per_page=size)
    situation = next(n for n, page in enumerate(pages, 1) if isinstance(page, SituationPage))

    assert earliest_open_page(pages, situation - 1) == 1
    assert earliest_open_page(pages, situation) == situation + 1


@given(protocol=protocols, size=sizes, data=st.data())
def test_a_gap_is_found_on_the_page_of_its_item(
    protocol: Protocol, size: int, data: st.DataObject
) -> None:
    pages = list_pages(protocol, items_per_page=size)
    missing = data.draw(st.sampled_from(protocol.item_order))
    answered = set(protocol.item_order) - {missing}

    number = first_unanswered_page(pages, 1, answered)

    assert number is not None
    page = pages[number - 1]
    assert isinstance(page, RatingsPage)
    assert missing in {item.key for item in page.items}
    assert first_unanswered_page(pages, 1, set(protocol.item_order)) is None


@pytest.mark.parametrize(
    ("wanted", "asked"),
    [
        ([], None),
        (["unknown"], None),
        (["education", "gender"], ("gender", "education")),
        (["country", "country"], ("country",)),
    ],
)
def test_only_the_questions_of_the_study_are_asked(wanted: list[str], asked) -> None:
    spec = instrument(n_items=4)
    protocol = Protocol(spec, spec.item_keys, (ImaginedSituation(1, "You wait."),))

    pages = list_pages(protocol, items_per_page=4, questions=wanted)

    assert len(pages) == (3 if asked is None else 4)
    found = [page.questions for page in pages if isinstance(page, DemographicsPage)]
    assert found == ([] if asked is None else [asked])


@given(protocol=protocols, size=sizes, data=st.data())
def test_a_check_is_on_one_page_and_is_no_item(
    protocol: Protocol, size: int, data: st.DataObject
) -> None:
    position = data.draw(st.integers(0, len(protocol.measures) - 1))
    place = data.draw(st.integers(0, len(protocol.item_order) - 1))
    check = InstructedItem(position, place, 2, "Choose label 2.")

    pages = list_pages(protocol, items_per_page=size, checks=[check])

    (page,) = [p for p in pages if isinstance(p, RatingsPage) and p.check]
    assert page.check == check
    assert page.measure_position == position
    assert page.items[place - page.first_place].key == protocol.item_order[place]
    without = list_pages(protocol, items_per_page=size)
    assert [getattr(p, "items", ()) for p in pages] == [getattr(p, "items", ()) for p in without]
