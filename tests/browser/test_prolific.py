"""The study's Prolific page in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from surveys.models import ProlificStudy, Submission
from tests.browser.conftest import AXE_TAGS, ConsoleWatch
from tests.surveys.prolific.conftest import prolific
from tests.surveys.prolific.rows import connected_study, somebody
from tests.surveys.prolific.stand_in import ProlificStandIn

__all__ = ["prolific"]  # a fixture, which pytest finds by its name here

pytestmark = [pytest.mark.needs_chromium, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def row(request: pytest.FixtureRequest) -> ProlificStudy:
    stand_in: ProlificStandIn = request.getfixturevalue("prolific")
    study = connected_study(stand_in)
    for n, fields in enumerate(
        (
            {"state": "active", "entered_code": "CODE1234"},
            {"entered_code": "CODE1234"},
            {"entered_code": "NOCODE"},
        )
    ):
        somebody(study, f"se{n}", status="AWAITING_REVIEW", synced_at=timezone.now(), **fields)
    Submission.objects.update(is_proven=True)
    return ProlificStudy.objects.get(study=study)


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (768, "dark"), (1280, "light")])
def test_the_page_is_usable_at_every_width_and_keeps_the_policy(
    width: int,
    scheme: str,
    row: ProlificStudy,
    page_at: Callable[..., Page],
    console: ConsoleWatch,
    admin_client: Client,
    live_server: LiveServer,
    assert_fits: Callable[[Page], None],
) -> None:
    # The admin brings no icon, which is not a matter of this page.
    console.expected.append("favicon")
    page = page_at(width, color_scheme=scheme)
    cookie = admin_client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])

    page.goto(f"{live_server.url}/admin/surveys/prolificstudy/{row.pk}/change/")

    assert page.get_by_role("button", name="Publish").count() == 0
    assert page.get_by_role("button", name="Pause").is_visible()
    assert page.get_by_text("The answers are complete, but no code").is_visible()
    # Loading the stylesheets once more would resolve their imports against the page.
    options = {"runOnly": {"type": "tag", "values": AXE_TAGS}, "preload": False}
    found = Axe().run(page, options=options, context="section.module")
    assert found.violations_count == 0, found.generate_report()
    assert_fits(page)
    page.get_by_role("button", name="Pause").click()
    page.get_by_text("Paused.", exact=True).wait_for()
