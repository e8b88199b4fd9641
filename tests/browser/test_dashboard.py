"""The comparison in a real browser, at three widths, light and dark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from surveys.services.catalogue import load_catalogue

pytestmark = [pytest.mark.needs_chromium, pytest.mark.django_db(transaction=True)]
PageAt = Callable[..., Page]

LOADED = "() => [...document.images].every(image => image.complete && image.naturalWidth > 0)"


@pytest.fixture
def address(live_server: LiveServer) -> str:
    load_catalogue()
    return f"{live_server.url}/dashboards/"


@pytest.mark.parametrize(
    ("width", "scheme"), [(360, "light"), (768, "light"), (768, "dark"), (1280, "dark")]
)
def test_pages_are_accessible_and_fit(
    width: int,
    scheme: str,
    address: str,
    page_at: PageAt,
    assert_axe_clean: Callable[[Page], None],
    assert_fits: Callable[[Page], None],
) -> None:
    page = page_at(width, color_scheme=scheme)
    for path in ("", "published/gpt-4/"):
        page.goto(address + path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate(LOADED)
        assert_fits(page)
        assert_axe_clean(page)


def test_the_keyboard_reaches_table_and_form(address: str, page_at: PageAt) -> None:
    page = page_at(360)
    page.goto(address)
    region = page.locator(".table-region").first
    region.focus()
    before = region.evaluate("element => element.scrollLeft")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "() => document.querySelector('.table-region').scrollLeft > 0", timeout=5000
    )
    assert before == 0
    page.locator("#f-by").select_option("factor")
    page.get_by_role("button", name="Show").press("Enter")
    page.wait_for_url("**by=factor**")
    assert page.get_by_role("rowheader", name="Driving Situations").first.is_visible()


def test_it_works_without_scripts(address: str, page_at: PageAt) -> None:
    page = page_at(1280, java_script_enabled=False)
    page.goto(address)
    page.locator("tr.overall td a").first.click()

    assert "as published" in page.locator("h1").inner_text()
