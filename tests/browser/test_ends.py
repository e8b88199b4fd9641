"""The last pages in a real browser: going back to Prolific by itself, stopping that, fitting."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from surveys.models import Participation
from tests.factories import ParticipationFactory, StudyFactory

pytestmark = [pytest.mark.needs_chromium, pytest.mark.django_db(transaction=True)]
LIGHT_AND_DARK = ["light", "dark"]
STAY = "Stay on this page"


@pytest.fixture(autouse=True)
def prolific(settings, live_server) -> str:
    """Prolific's page for completion codes, played by a page that is there."""
    settings.PROLIFIC_COMPLETION_URL = f"{live_server.url}/healthz"
    return f"{settings.PROLIFIC_COMPLETION_URL}?cc=CODE1234"


def done(**fields) -> Participation:
    now = timezone.now()
    fields = {"state": "completed", "completed_at": now, "prolific_id": "person1", **fields}
    return ParticipationFactory(**fields)


def open_own(page: Page, live_server, participation: Participation) -> None:
    page.goto(f"{live_server.url}/s/{participation.study.slug}/p/{participation.code}/")


def finish(page: Page) -> None:
    page.get_by_role("button", name="Finish").click()


def test_within_five_seconds_prolific_opens_and_never_learns_the_address(
    live_server, page_at, prolific
) -> None:
    page = page_at(360)
    open_own(page, live_server, done())
    finish(page)

    expect(page.get_by_role("status")).to_have_text(
        "In 4 seconds this page takes you back to Prolific."
    )
    with page.expect_request(prolific, timeout=5000) as request:
        pass
    assert "referer" not in request.value.all_headers()
    page.wait_for_url(prolific)

    # Whoever comes back wants to see the page.
    page.go_back()
    expect(page.get_by_text("CODE1234")).to_be_visible()
    page.wait_for_timeout(4500)
    assert page.url.endswith("/finish/")


def test_staying_is_one_press_of_a_key(live_server, page_at, assert_axe_clean) -> None:
    page = page_at(360)
    open_own(page, live_server, done())
    finish(page)
    page.get_by_role("button", name=STAY).press("Enter")

    expect(page.get_by_role("status")).to_contain_text("This page stays open")
    expect(page.get_by_role("link", name="Return to Prolific")).to_be_focused()
    expect(page.get_by_role("button", name=STAY)).to_be_hidden()
    page.wait_for_timeout(4500)
    assert page.url.endswith("/finish/")
    assert_axe_clean(page)


def test_staying_can_be_chosen_before_anything_moves(live_server, page_at) -> None:
    page = page_at(360)
    open_own(page, live_server, done())
    page.get_by_label("I will go back to Prolific myself").check()
    finish(page)

    expect(page.get_by_text("CODE1234")).to_be_visible()
    expect(page.get_by_role("button", name=STAY)).to_have_count(0)


def test_without_scripts_the_button_alone_leads_back(live_server, page_at, prolific) -> None:
    page = page_at(360, java_script_enabled=False)
    open_own(page, live_server, done())
    page.get_by_label("Would you like to tell us anything?").fill("Nice")
    finish(page)

    expect(page.get_by_role("button", name=STAY)).to_be_hidden()
    page.get_by_role("link", name="Return to Prolific").click()
    page.wait_for_url(prolific)
    assert Participation.objects.get().comment == "Nice"


@pytest.mark.parametrize(
    ("width", "color_scheme"), [(320, "dark"), (360, "light"), (768, "light"), (1280, "dark")]
)
def test_the_last_pages_are_accessible_and_fit(
    live_server, page_at, assert_axe_clean, assert_fits, width, color_scheme
) -> None:
    study = StudyFactory(contact="affect-lab@psychology.example.org")
    study.completion_codes.create(outcome="study_full", code="A-CODE-OF-THIRTY-CHARACTERS-01")
    study.completion_codes.create(outcome="no_consent", code="NOTHANKS")
    page = page_at(width, color_scheme=color_scheme)

    def check() -> None:
        assert page.locator("h1").count() == 1
        assert_axe_clean(page)
        assert_fits(page)

    open_own(page, live_server, done(study=study))
    check()
    page.get_by_label("I will go back to Prolific myself").check()
    finish(page)
    check()
    page.get_by_role("button", name="Withdraw from the study").click()
    check()
    page.get_by_role("button", name="Withdraw and delete my answers").click()
    check()

    link = "?PROLIFIC_PID=person2&STUDY_ID=study1&SESSION_ID=session1"
    page.goto(f"{live_server.url}/s/{study.slug}/{link}")
    page.get_by_role("button", name="I do not take part").click()
    check()
    study.state = "closed"
    study.save()
    page.goto(f"{live_server.url}/s/{study.slug}/{link}")
    check()
    old = done(study=study, prolific_id="x", completed_at=timezone.now() - timedelta(days=99))
    page.goto(f"{live_server.url}/s/{study.slug}/p/{old.code}/withdraw/")
    check()


def test_a_comment_that_is_too_long_is_pointed_out(
    live_server, page_at, assert_axe_clean, assert_fits
) -> None:
    page = page_at(320)
    open_own(page, live_server, done())
    page.locator("#comment").evaluate("box => { box.removeAttribute('maxlength'); }")
    page.locator("#comment").fill("x" * 2001)
    finish(page)

    expect(page.get_by_role("alert")).to_be_focused()
    assert_axe_clean(page)
    assert_fits(page)
    page.get_by_role("alert").get_by_role("link").click()
    expect(page.locator("#comment")).to_be_focused()
