"""What survey.js adds to a page: a report, a countdown, and answers that survive a failed send."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from surveys.models import Administration, PageVisit, Participation
from tests.browser.test_survey import answer_ratings, go_on
from tests.factories import ParticipationFactory, SituationVersionFactory, StudyFactory

pytestmark = [pytest.mark.needs_chromium, pytest.mark.django_db(transaction=True)]


def address_of(live_server, participation: Participation) -> str:
    return f"{live_server.url}/s/{participation.study.slug}/p/{participation.code}/"


@pytest.mark.parametrize(
    ("width", "viewport", "layout"),
    [(360, "small", "stacked"), (768, "medium", "row"), (1280, "large", "row")],
)
def test_a_page_reports_how_it_was_answered(live_server, page_at, width, viewport, layout) -> None:
    participation = ParticipationFactory(pages_done=1)
    page = page_at(width)
    page.goto(address_of(live_server, participation))
    answer_ratings(page, 2)
    page.locator("fieldset").first.locator("label").nth(4).click()
    page.wait_for_timeout(300)
    go_on(page)
    page.wait_for_url("**/3/")

    participation.refresh_from_db()
    assert (participation.viewport_class, participation.layout) == (viewport, layout)
    assert not participation.is_translated
    first, second, *_ = participation.item_order
    paradata = Administration.objects.get().paradata
    assert (paradata[first]["client_changes"], paradata[second]["client_changes"]) == (1, 0)
    for entry in paradata.values():
        assert entry["client_shown_at"] <= entry["client_answered_at"]
    visit = PageVisit.objects.get(number=2)
    assert visit.visits == 1
    wall_ms = (visit.saved_at - visit.first_shown_at).total_seconds() * 1000
    assert 300 <= visit.visible_ms <= wall_ms


def test_without_scripts_the_same_page_is_saved_without_a_report(live_server, page_at) -> None:
    participation = ParticipationFactory(pages_done=1)
    page = page_at(360, java_script_enabled=False)
    page.goto(address_of(live_server, participation))
    answer_ratings(page)
    go_on(page)

    expect(page.get_by_text("Page 3 of 10")).to_be_visible()
    participation.refresh_from_db()
    assert participation.viewport_class == ""
    assert PageVisit.objects.get(number=2).visible_ms == 0


TRANSLATE = """() => {
  document.documentElement.classList.add("translated-ltr");
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim()) nodes.push(walker.currentNode);
  for (const node of nodes) {
    const outer = document.createElement("font"), inner = document.createElement("font");
    inner.textContent = "übersetzt " + node.data;
    outer.append(inner);
    node.replaceWith(outer);
  }
}"""
TRANSLATIONS = [
    TRANSLATE,
    "() => document.documentElement.classList.add('translated-rtl')",
    "() => { document.documentElement.lang = 'es'; }",
]


@pytest.mark.parametrize("translation", TRANSLATIONS)
def test_a_translated_page_is_saved_and_marked(live_server, page_at, translation) -> None:
    participation = ParticipationFactory(pages_done=1)
    page = page_at(360)
    page.goto(address_of(live_server, participation))
    page.evaluate(translation)
    answer_ratings(page)
    page.locator("main form[method=post] button").click()
    page.wait_for_url("**/3/")

    participation.refresh_from_db()
    assert participation.is_translated
    assert Administration.objects.get().ratings.count(3) == 5


def at_situation(words: int, speed: int) -> Participation:
    study = StudyFactory(reading_words_per_minute=speed)
    version = SituationVersionFactory(text="word " * words)
    return ParticipationFactory(study=study, pages_done=5, assigned=[version])


def test_a_countdown_says_when_one_may_go_on(
    live_server, page_at, assert_axe_clean, assert_fits
) -> None:
    participation = at_situation(words=40, speed=600)
    page = page_at(320)
    page.goto(address_of(live_server, participation))
    page.evaluate(
        """() => {
          window.said = [];
          new MutationObserver(() => window.said.push(document.querySelector("#wait").textContent))
            .observe(document.querySelector("#wait"), {childList: true, characterData: true});
        }"""
    )
    button = page.get_by_role("button", name="Continue")
    status = page.get_by_role("status")
    expect(page.locator(".countdown")).to_have_text(re.compile("^0:0[1-4]$"))
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(status).to_contain_text("You can continue after 4 seconds.")
    assert_axe_clean(page)
    assert_fits(page)
    button.click(force=True)
    assert page.url.endswith("/6/")
    assert not PageVisit.objects.filter(saved_at__isnull=False).exists()

    expect(status).to_have_text("You can continue now.")
    expect(button).not_to_have_attribute("aria-disabled", "true")
    # Said once at the beginning and once at the end, and not every second.
    said = [text for text in page.evaluate("() => window.said") if text]
    assert len(said) <= 2
    assert said[-1] == "You can continue now."
    button.click()
    page.wait_for_url("**/7/")


def test_without_scripts_the_wait_is_said_and_kept(live_server, page_at, assert_fits) -> None:
    participation = at_situation(words=20, speed=600)
    page = page_at(320, java_script_enabled=False)
    page.goto(address_of(live_server, participation))
    expect(page.get_by_role("status")).to_contain_text("You can continue after 2 seconds.")
    go_on(page)

    expect(page.get_by_role("status")).to_contain_text("You can continue after")
    expect(page.get_by_role("status")).to_be_focused()
    assert_fits(page)
    page.wait_for_timeout(2100)
    go_on(page)
    expect(page.get_by_text("Page 7 of 10")).to_be_visible()


def stored_answers(page: Page) -> list[str]:
    return page.evaluate("() => Object.keys(localStorage)")


def test_answers_survive_a_send_that_fails(live_server, page_at, console) -> None:
    console.expected.append("ERR_")
    participation = ParticipationFactory(pages_done=1)
    page = page_at(360)
    page.goto(address_of(live_server, participation))
    page.route("**/2/", lambda route: route.abort() if route.request.method == "POST" else None)
    answer_ratings(page, 4)
    go_on(page)
    page.unroute("**/2/")
    assert not Administration.objects.exists()

    page.goto(address_of(live_server, participation))
    expect(page.locator("input:checked")).to_have_count(5)
    go_on(page)
    page.wait_for_url("**/3/")

    assert Administration.objects.get().ratings.count(4) == 5
    assert stored_answers(page) == []


def test_answers_survive_a_tab_that_was_closed(live_server, page_at) -> None:
    participation = ParticipationFactory(pages_done=1)
    page = page_at(360)
    page.goto(address_of(live_server, participation))
    page.locator("fieldset").nth(2).locator("label").nth(1).click()
    assert stored_answers(page) == [
        f"affectbench:unsent:/s/{participation.study.slug}/p/{participation.code}/2/"
    ]
    other = page.context.new_page()
    page.close()

    other.goto(address_of(live_server, participation))

    expect(other.locator("input:checked")).to_have_count(1)
    expect(other.locator("fieldset").nth(2).locator("input").nth(1)).to_be_checked()


def test_what_was_typed_and_chosen_survives_too(live_server, page_at) -> None:
    participation = ParticipationFactory()
    page = page_at(360)
    page.goto(address_of(live_server, participation))
    page.get_by_label("Year, four digits").fill("1985")
    page.get_by_label("Which country are you from?").select_option("Chile")
    page.get_by_label("Male", exact=True).check()

    page.goto("about:blank")
    page.goto(address_of(live_server, participation))

    expect(page.get_by_label("Year, four digits")).to_have_value("1985")
    expect(page.get_by_label("Which country are you from?")).to_have_value("Chile")
    expect(page.get_by_label("Male", exact=True)).to_be_checked()
    expect(page.locator("input:checked")).to_have_count(1)


def test_an_answer_of_the_server_is_not_replaced_by_an_older_one(live_server, page_at) -> None:
    participation = ParticipationFactory(pages_done=1)
    page = page_at(360)
    page.goto(address_of(live_server, participation))
    page.locator("fieldset").first.locator("label").nth(0).click()
    elsewhere = page_at(1280)
    elsewhere.goto(address_of(live_server, participation))
    answer_ratings(elsewhere, 5)
    go_on(elsewhere)
    elsewhere.wait_for_url("**/3/")

    page.goto(address_of(live_server, participation) + "2/")

    expect(page.locator("fieldset").first.locator("input").nth(4)).to_be_checked()


def test_a_double_click_saves_once_and_goes_on(live_server, page_at) -> None:
    participation = ParticipationFactory(pages_done=1)
    page = page_at(1280)
    page.goto(address_of(live_server, participation))
    answer_ratings(page)
    page.get_by_role("button", name="Continue").dblclick()
    page.wait_for_url("**/3/")

    assert Administration.objects.get().ratings.count(3) == 5
    participation.refresh_from_db()
    assert participation.pages_done == 2


def test_nothing_is_left_in_the_browser_at_the_end(live_server, page_at) -> None:
    participation = ParticipationFactory(pages_done=9)
    page = page_at(360)
    page.goto(address_of(live_server, participation))
    answer_ratings(page)
    assert stored_answers(page)

    Participation.objects.update(state="withdrawn")
    page.goto(address_of(live_server, participation))

    assert stored_answers(page) == []
