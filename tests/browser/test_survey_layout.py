"""Every answer in view and within reach: small windows, zoom, long words, forced colours."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from surveys.models import Participation
from tests.browser.test_survey import assert_large_targets, go_on
from tests.factories import (
    ParticipationFactory,
    SituationVersionFactory,
    StudyFactory,
    complete_instrument,
)

pytestmark = [pytest.mark.needs_chromium, pytest.mark.django_db(transaction=True)]


def address_of(live_server, participation: Participation) -> str:
    return f"{live_server.url}/s/{participation.study.slug}/p/{participation.code}/"


def with_check(file: str = "panas") -> Participation:
    """Somebody at the first page of an instrument, with an instructed item on it."""
    instrument = {} if file == "panas" else {"instrument": complete_instrument(file)}
    study = StudyFactory(attention_items=1, **instrument)
    participation = ParticipationFactory(study=study, pages_done=1)
    spec = study.instrument.spec
    asked = spec.options[1]
    participation.attention_checks.create(
        measure_position=0,
        place=2,
        asked_value=asked.value,
        text=f"Please choose “{asked.label or asked.value}” here.",
    )
    return participation


def assert_every_answer_in_view(page: Page) -> None:
    """No answer lies outside the window sideways, and none covers another."""
    width = page.evaluate("() => document.documentElement.clientWidth")
    for group in page.get_by_role("group").all():
        boxes = [label.bounding_box() for label in group.locator("label").all()]
        assert len(boxes) >= 2
        for box in boxes:
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width + 0.5
        areas = [(b["x"], b["y"], b["x"] + b["width"], b["y"] + b["height"]) for b in boxes]
        for n, (left, top, right, bottom) in enumerate(areas):
            for left2, top2, right2, bottom2 in areas[n + 1 :]:
                apart = right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top
                assert apart


@pytest.mark.parametrize("file", ["panas", "gasp", "bdi_ii", "mjs"])
@pytest.mark.parametrize(("width", "text_size"), [(320, 100), (360, 200), (1280, 100)])
def test_every_answer_is_in_view(live_server, page_at, assert_fits, file, width, text_size) -> None:
    page = page_at(width)
    page.goto(address_of(live_server, with_check(file)))
    page.evaluate(f"() => {{ document.documentElement.style.fontSize = '{text_size}%' }}")

    assert_fits(page)
    assert_every_answer_in_view(page)
    assert_large_targets(page)


@pytest.mark.parametrize(("width", "color_scheme"), [(320, "light"), (768, "dark")])
def test_a_missing_instructed_item_is_an_accessible_error(
    live_server, page_at, assert_axe_clean, assert_fits, width, color_scheme
) -> None:
    page = page_at(width, color_scheme=color_scheme)
    page.goto(address_of(live_server, with_check()))
    for group in page.get_by_role("group").all():
        if "Please choose" not in group.locator("legend").inner_text():
            group.locator("label").first.click()
    go_on(page)

    link = page.get_by_role("alert").get_by_role("link")
    assert link.inner_text() == "Choose an answer for “Please choose “a little” here.”"
    assert_axe_clean(page)
    assert_fits(page)
    assert_every_answer_in_view(page)
    link.click()
    assert page.evaluate("() => document.activeElement.name") == "item-instructed-item"


@pytest.mark.parametrize(
    ("width", "color_scheme"), [(320, "light"), (360, "dark"), (768, "light"), (1280, "dark")]
)
def test_waiting_is_accessible_at_every_size(
    live_server, page_at, assert_axe_clean, assert_fits, width, color_scheme
) -> None:
    study = StudyFactory(reading_words_per_minute=60)
    version = SituationVersionFactory(text="You wait for the bus. " * 30)
    participation = ParticipationFactory(study=study, pages_done=5, assigned=[version])
    page = page_at(width, color_scheme=color_scheme, reduced_motion="reduce")
    page.goto(address_of(live_server, participation))
    page.locator(".countdown").wait_for()

    assert_axe_clean(page)
    assert_fits(page)
    assert_large_targets(page)


def test_a_chosen_answer_shows_where_colours_are_forced(live_server, page_at) -> None:
    page = page_at(360, forced_colors="active")
    page.goto(address_of(live_server, with_check()))
    labels = page.locator("fieldset").first.locator("label")
    labels.nth(1).click()
    page.evaluate("() => document.activeElement.blur()")

    outlines = labels.evaluate_all("all => all.map(label => getComputedStyle(label).outlineStyle)")

    assert outlines == ["none", "solid", "none", "none", "none"]
