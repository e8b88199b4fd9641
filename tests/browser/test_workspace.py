"""The researcher's monitor and preview in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from surveys.models import Participation, Study
from surveys.services.catalogue import load_catalogue
from tests.browser.conftest import ConsoleWatch
from tests.factories import ParticipationFactory, StudyFactory

pytestmark = [pytest.mark.needs_chromium, pytest.mark.django_db(transaction=True)]
Desk = Callable[..., Page]
WINDOWS = [(360, "light"), (360, "dark"), (768, "light"), (1280, "light"), (1280, "dark")]


@pytest.fixture
def study() -> Study:
    """An open study with people everywhere: completed, excluded, stuck, tests."""
    study = StudyFactory(
        n_situations=3, target_per_situation=2, attention_items=1, reward_minor=120,
        reading_words_per_minute=300,
    )  # fmt: skip
    ParticipationFactory(study=study, state="completed", flags=[{"code": "all_equal"}])
    ParticipationFactory(study=study, state="completed", excluded_because="Quality rule: x")
    ParticipationFactory(study=study, last_seen_at=timezone.now() - timedelta(minutes=30))
    ParticipationFactory(study=study, is_test=True)
    return study


@pytest.fixture
def desk(
    page_at: Callable[..., Page],
    live_server: LiveServer,
    admin_client: Client,
    console: ConsoleWatch,
) -> Desk:
    """`desk(1280)`: a page of somebody who is logged in as an admin."""
    # Previewed pages hold scripts, which their frames do not run.
    console.expected.append("Blocked script execution")

    def sit_down(width: int, **options: object) -> Page:
        page = page_at(width, base_url=live_server.url, **options)
        cookie = admin_client.cookies["sessionid"]
        page.context.add_cookies(
            [{"name": "sessionid", "value": cookie.value, "url": live_server.url}]
        )
        return page

    return sit_down


@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_pages_are_accessible_and_fit(
    width: int,
    scheme: str,
    study: Study,
    desk: Desk,
    assert_axe_clean: Callable[[Page], None],
    assert_fits: Callable[[Page], None],
) -> None:
    page = desk(width, color_scheme=scheme)
    for address in ("/studies/{}/monitor/", "/preview/studies/{}/2/"):
        page.goto(address.format(study.slug))
        page.wait_for_load_state("networkidle")
        assert_fits(page)
        assert_axe_clean(page)


def test_the_monitor_refreshes_itself_and_can_be_stopped(study: Study, desk: Desk) -> None:
    page = desk(1280)
    page.clock.install()
    page.goto(f"/studies/{study.slug}/monitor/")
    headline = page.locator(".headline")
    expect(headline).to_contain_text("1 completed and count")
    ParticipationFactory(study=study, state="completed")

    page.clock.run_for(16_000)
    expect(headline).to_contain_text("2 completed and count")

    page.get_by_role("button", name="Stop refreshing").click()
    ParticipationFactory(study=study, state="completed")
    page.clock.run_for(60_000)
    expect(headline).to_contain_text("2 completed and count")
    page.get_by_role("button", name="Refresh again").click()
    page.clock.run_for(600_000)
    expect(headline).to_contain_text("3 completed and count")


def test_a_server_that_does_not_answer_is_named_and_asked_again(
    study: Study, desk: Desk, console: ConsoleWatch
) -> None:
    console.expected.append("503")
    page = desk(1280)
    page.clock.install()
    page.goto(f"/studies/{study.slug}/monitor/")
    page.route("**/monitor/?part=live", lambda route: route.fulfill(status=503))
    page.clock.run_for(16_000)
    note = page.locator(".refresh")
    expect(note).to_contain_text("did not answer")
    expect(page.locator(".headline")).to_contain_text("1 completed and count")

    page.unroute("**/monitor/?part=live")
    # A slow machine is asked less often, so the next time may be minutes away.
    page.clock.run_for(600_000)
    expect(note).to_contain_text("by hand, or wait")


def test_a_refresh_leaves_the_button_that_has_the_focus(study: Study, desk: Desk) -> None:
    page = desk(1280)
    page.clock.install()
    page.goto(f"/studies/{study.slug}/monitor/")
    button = page.get_by_role("button", name="Close:").first
    button.focus()

    page.clock.run_for(40_000)

    expect(button).to_be_focused()


def test_without_scripts_the_study_is_watched_and_steered(study: Study, desk: Desk) -> None:
    page = desk(360, java_script_enabled=False)
    page.goto(f"/studies/{study.slug}/monitor/")
    page.get_by_role("button", name="Close:").first.click()
    expect(page.get_by_role("status")).to_contain_text("is given to nobody new")
    page.get_by_role("link", name="Reload").click()
    page.get_by_text("Reset the pilot").click()
    page.locator("details").get_by_role("button", name="Delete the tests").click()
    expect(page.get_by_role("status")).to_contain_text("Tests deleted: 1.")

    assert study.study_situations.filter(is_closed=True).count() == 1
    assert not Participation.objects.filter(is_test=True).exists()


def test_the_preview_walks_through_all_pages_side_by_side(study: Study, desk: Desk) -> None:
    page = desk(1280)
    page.goto(f"/preview/studies/{study.slug}/")
    before = Participation.objects.count()
    seen = []
    while True:
        frames = [page.frame_locator(".phone iframe"), page.frame_locator(".desktop iframe")]
        headings = [frame.locator("h1").inner_text() for frame in frames]
        assert headings[0] == headings[1]
        seen.append(headings[0])
        following = page.locator("a[rel=next]")
        if not following.count():
            break
        following.click()

    assert len(seen) == 16
    assert "Imagine this situation" in seen
    kinds = ("phone", "desktop")
    phone, desktop = (page.locator(f".{kind} iframe").bounding_box() for kind in kinds)
    assert phone["width"] < 400 < 800 < desktop["width"]
    assert Participation.objects.count() == before


def answer_everything(page: Page) -> None:
    """Whatever a participant's page asks, until the completion code is shown."""
    for _ in range(30):
        if page.locator(".completion .code").count():
            return
        for question in page.locator("fieldset:has(input[type=radio])").all():
            question.locator("input[type=radio]").nth(2).check()
        for year in page.locator("input.year").all():
            year.fill("1990")
        for country in page.locator("select").all():
            country.select_option(index=1)
        page.locator("form[method=post] button.button").first.click()
    raise AssertionError(f"no end in sight at {page.url}")


def test_a_study_goes_from_nothing_to_a_finished_pilot(desk: Desk) -> None:
    """The way that docs/running-a-study.md describes, button by button."""
    load_catalogue()
    page = desk(1280)
    page.goto("/admin/surveys/study/add/")
    page.get_by_label("Title").press_sequentially("Feelings at work")
    expect(page.get_by_label("Name in the address")).to_have_value("feelings-at-work")
    page.get_by_label("Instrument:").select_option(label="PANAS")
    page.get_by_label("Consent text").fill("We ask how you feel. You may stop at any time.")
    page.get_by_label("Debrief text").fill("We wanted to know what a situation does to feelings.")
    page.get_by_label("Items on a page").fill("20")
    page.get_by_label("Anger").check()
    page.get_by_label("At most so many a factor").fill("1")
    page.get_by_role("button", name="Save and propose completion codes").click()
    expect(page.locator(".messagelist")).to_contain_text("5 completion codes drawn.")
    page.get_by_role("button", name="Start the pilot").click()
    expect(page.locator(".messagelist")).to_contain_text("The pilot runs")

    page.get_by_role("link", name="Try it").click()
    page.get_by_role("button", name="I agree and take part").click()
    answer_everything(page)

    study = Study.objects.get()
    page.goto(f"/studies/{study.slug}/monitor/")
    expect(page.get_by_text("1 stored: 1 completed")).to_be_visible()
    expect(page.locator(".headline")).to_contain_text("0 completed and count")
    page.get_by_text("Reset the pilot").click()
    page.locator("details").get_by_role("button", name="Delete the tests").click()
    expect(page.get_by_role("status")).to_contain_text("Tests deleted: 1.")
    page.get_by_role("button", name="Open the study").click()
    expect(page.locator(".headline")).to_contain_text("open")
    kinds = list(study.events.order_by("id").values_list("kind", flat=True))
    assert kinds == ["made", "pilot started", "pilot reset", "opened"]
