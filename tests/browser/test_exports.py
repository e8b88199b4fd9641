"""The page of a study's data in a real browser."""

from __future__ import annotations

import zipfile
from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from surveys.models import Study
from tests.factories import StudyFactory
from tests.surveys.exporting.people import answered

pytestmark = [pytest.mark.needs_chromium, pytest.mark.django_db(transaction=True)]
WINDOWS = [(320, "light"), (360, "dark"), (768, "light"), (1280, "light"), (1280, "dark")]


@pytest.fixture
def study() -> Study:
    study = StudyFactory(title="Feelings in situations of every day")
    answered(study, prolific_id="person1")
    answered(study, evoked=[1] * 20, excluded_because="Quality rule: 2 flags: x, y")
    return study


@pytest.fixture
def desk(
    page_at: Callable[..., Page], live_server: LiveServer, admin_client: Client
) -> Callable[..., Page]:
    def sit_down(width: int, **options: object) -> Page:
        page = page_at(width, base_url=live_server.url, **options)
        cookie = admin_client.cookies["sessionid"]
        page.context.add_cookies(
            [{"name": "sessionid", "value": cookie.value, "url": live_server.url}]
        )
        return page

    return sit_down


@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_the_page_is_accessible_and_fits(
    width: int,
    scheme: str,
    study: Study,
    desk: Callable[..., Page],
    assert_axe_clean: Callable[[Page], None],
    assert_fits: Callable[[Page], None],
) -> None:
    page = desk(width, color_scheme=scheme)
    page.goto(f"/studies/{study.slug}/data/")

    assert_fits(page)
    assert_axe_clean(page)


def test_a_keyboard_downloads_the_answers_without_scripts(
    study: Study, desk: Callable[..., Page]
) -> None:
    page = desk(360, java_script_enabled=False)
    page.goto(f"/studies/{study.slug}/data/")
    page.get_by_label("Excel workbook").focus()
    page.keyboard.press("Space")

    with page.expect_download() as download:
        page.keyboard.press("Enter")

    assert download.value.suggested_filename == f"{study.slug}-participants-xlsx.zip"
    with zipfile.ZipFile(download.value.path()) as archive:
        assert f"{study.slug}-participants.xlsx" in archive.namelist()
