"""A real browser for tests: `page_at` opens pages that watch their own console.

Every page made here fails its test on a breach of the content security policy, a script error or
a file that is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Response, sync_playwright

from tests.conftest import CHROMIUM

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
TALL = {320: 640, 360: 740, 768: 1024, 1280: 800}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class ConsoleWatch:
    """What went wrong in the pages of a test; `expected` holds texts that may."""

    complaints: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"script error: {error}"))
        page.on("response", self._on_response)

    def _on_console(self, message: Any) -> None:
        # Files that are missing are reported by their address below; a page may be a refusal.
        is_missing_file = message.text.startswith("Failed to load resource")
        if message.type in {"error", "warning"} and not is_missing_file:
            self.complaints.append(f"{message.type}: {message.text}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 400 and response.request.resource_type != "document":
            self.complaints.append(f"{response.status}: {response.url}")

    def unexpected(self) -> list[str]:
        return [c for c in self.complaints if not any(text in c for text in self.expected)]


@pytest.fixture
def console() -> Iterator[ConsoleWatch]:
    """Add a text to `console.expected` where a test provokes a complaint on purpose."""
    watch = ConsoleWatch()
    yield watch
    assert watch.unexpected() == []


@pytest.fixture
def page_at(browser: Browser, console: ConsoleWatch) -> Iterator[Callable[..., Page]]:
    """`page_at(360)`, `page_at(1280, color_scheme="dark")`, `page_at(360, java_script_enabled=False)`.

    Each call has its own cookies. Other keywords go to Playwright's `new_context`.
    """  # noqa: E501
    contexts = []

    def open_page(width: int, height: int | None = None, **options: Any) -> Page:
        viewport = {"width": width, "height": height or TALL.get(width, 800)}
        context = browser.new_context(viewport=viewport, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        console.watch(page)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def assert_axe_clean() -> Callable[[Page], None]:
    """Fail with axe's own report unless the page meets WCAG 2.0 to 2.2, levels A and AA."""
    axe = Axe()

    def check(page: Page) -> None:
        results = axe.run(page, options={"runOnly": {"type": "tag", "values": AXE_TAGS}})
        assert results.violations_count == 0, f"{page.url}\n{results.generate_report()}"

    return check


@pytest.fixture(scope="session")
def assert_fits() -> Callable[[Page], None]:
    """Fail where the page scrolls sideways."""

    def check(page: Page) -> None:
        wide, seen = page.evaluate(
            "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide <= seen, f"{page.url} is {wide}px wide in a window of {seen}px"

    return check
