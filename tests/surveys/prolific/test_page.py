"""The study's Prolific page in a real browser."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, sync_playwright

from surveys.models import ProlificStudy, Submission
from tests.browser.conftest import AXE_TAGS, FLAGS
from tests.conftest import CHROMIUM
from tests.surveys.prolific.rows import connected_study, somebody
from tests.surveys.prolific.stand_in import ProlificStandIn

pytestmark = [pytest.mark.needs_chromium, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def row(prolific: ProlificStandIn) -> ProlificStudy:
    study = connected_study(prolific)
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


@pytest.mark.parametrize("width", [320, 768, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_usable_at_every_width_and_keeps_the_policy(
    width: int, scheme: str, row: ProlificStudy, browser: Browser, live_server
) -> None:
    staff = Client()
    staff.force_login(User.objects.create_superuser("boss", password="x"))
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    context.add_cookies(
        [{"name": "sessionid", "value": staff.cookies["sessionid"].value, "url": live_server.url}]
    )
    page = context.new_page()
    complaints: list[str] = []
    # The admin brings no icon, which is not a matter of this page.
    page.on(
        "console",
        lambda m: None if "Failed to load resource" in m.text else complaints.append(m.text),
    )

    page.goto(f"{live_server.url}/admin/surveys/prolificstudy/{row.pk}/change/")

    if os.environ.get("SCREENSHOTS"):
        page.screenshot(
            path=f"{os.environ['SCREENSHOTS']}/prolific-{width}-{scheme}.png", full_page=True
        )
    assert page.get_by_role("button", name="Publish").count() == 0
    assert page.get_by_role("button", name="Pause").is_visible()
    assert page.get_by_text("The answers are complete, but no code").is_visible()
    # Loading the stylesheets once more would resolve their imports against the page.
    options = {"runOnly": {"type": "tag", "values": AXE_TAGS}, "preload": False}
    found = Axe().run(page, options=options, context="section.module")
    assert found.violations_count == 0, found.generate_report()
    wide = page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")
    assert not wide
    assert complaints == []
    page.get_by_role("button", name="Pause").click()
    page.get_by_text("Paused.", exact=True).wait_for()
    context.close()
