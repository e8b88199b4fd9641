"""A person in front of the study: on a phone and a desktop, by keyboard, without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from surveys.models import Administration, Participation
from tests.factories import ParticipationFactory, StudyFactory, complete_instrument

pytestmark = [pytest.mark.needs_chromium, pytest.mark.django_db(transaction=True)]

LINK = "?PROLIFIC_PID=person1&STUDY_ID=study1&SESSION_ID=session1"
LIGHT_AND_DARK = ["light", "dark"]
AT_LEAST = 44
HEAVIEST = 60 * 1024


def answer_demographics(page: Page) -> None:
    page.get_by_label("Female", exact=True).check()
    page.get_by_label("Year, four digits").fill("1985")
    page.get_by_label("Which country are you from?").select_option("Chile")
    page.get_by_label("Student", exact=True).check()
    page.get_by_label("Primary school", exact=True).check()


def answer_ratings(page: Page, value: int = 3) -> None:
    for group in page.get_by_role("group").all():
        # A tap on the words, not on the circle.
        group.locator("label").nth(value - 1).click()


def fill_page(page: Page) -> None:
    if page.get_by_label("Year, four digits").count():
        answer_demographics(page)
    else:
        answer_ratings(page)


def go_on(page: Page) -> None:
    page.get_by_role("button", name="Continue").click()


def walk(page: Page, address: str, visit) -> None:
    """Through the whole study, calling `visit` on each page before it is answered."""
    page.goto(address)
    visit(page)
    page.get_by_role("button", name="I agree and take part").click()
    while page.get_by_role("button", name="Continue").count():
        visit(page)
        fill_page(page)
        go_on(page)
    visit(page)
    stay = page.get_by_label("I will go back to Prolific myself")
    if stay.count():
        stay.check()
    page.get_by_role("button", name="Finish").click()
    visit(page)


def assert_large_targets(page: Page) -> None:
    """Every control, with the label that belongs to it, is at least 44 px high and wide."""
    targets = page.locator(
        "main label:has(input), main button, main select, main .back-link, main a.button,"
        " main input[type=text], .error-summary a"
    )
    assert targets.count()
    for target in targets.all():
        box = target.bounding_box()
        assert box, target
        assert box["height"] >= AT_LEAST, (target.inner_text(), box)
        assert box["width"] >= AT_LEAST, (target.inner_text(), box)


@pytest.mark.parametrize(("width", "java_script"), [(360, True), (1280, True), (360, False)])
def test_a_person_completes_the_study(live_server, page_at, width, java_script) -> None:
    study = StudyFactory(n_situations=2)
    page = page_at(width, java_script_enabled=java_script)
    headings = []

    walk(
        page,
        f"{live_server.url}/s/{study.slug}/{LINK}",
        lambda page: headings.append(page.locator("h1").inner_text()),
    )

    assert len(headings) == len(set(headings)) == 13
    expect(page.get_by_text("CODE1234")).to_be_visible()
    expect(page.get_by_role("link", name="Return to Prolific")).to_be_visible()
    participation = Participation.objects.counted().get()
    assert (participation.year_of_birth, participation.country) == (1985, "Chile")
    assert (
        list(Administration.objects.counted().values_list("ratings", flat=True)) == [[3] * 20] * 2
    )


def test_the_keyboard_alone_is_enough(live_server, page_at) -> None:
    study = StudyFactory()
    page = page_at(1280)
    page.goto(f"{live_server.url}/s/{study.slug}/")

    def tab_to(condition: str) -> None:
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate(f"() => document.activeElement.matches({condition!r})"):
                return
        raise AssertionError(f"no way to {condition} by keyboard at {page.url}")

    tab_to("button[value=agree]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/1/")
    for name in ("gender", "year_of_birth", "country", "employment", "education"):
        tab_to(f"[name={name}]")
        if name == "year_of_birth":
            page.keyboard.type("1970")
        elif name == "country":
            page.keyboard.type("Chil")
        else:
            page.keyboard.press("Space")
    tab_to("main form[method=post] button")
    page.keyboard.press("Enter")
    for number in range(2, 11):
        page.wait_for_url(f"**/{number}/")
        for _ in range(0 if number == 6 else 5):
            tab_to("input[type=radio]:not(:checked)")
            page.keyboard.press("Space")
            page.keyboard.press("ArrowRight")
        # Choosing by arrow keys sends nothing by itself.
        assert page.url.endswith(f"/{number}/")
        tab_to("main form[method=post] button")
        page.keyboard.press("Enter")
    expect(page.locator("#comment")).to_be_visible()
    tab_to("#comment")
    page.keyboard.type("No trouble")
    tab_to("main form[method=post] button")
    page.keyboard.press("Enter")
    expect(page.get_by_text("CODE1234")).to_be_visible()

    assert (
        list(Administration.objects.counted().values_list("ratings", flat=True)) == [[2] * 20] * 2
    )
    assert Participation.objects.get().country == "Chile"
    assert Participation.objects.get().comment == "No trouble"


@pytest.mark.parametrize(("width", "color_scheme"), [(320, "light"), (1280, "dark")])
def test_every_page_is_accessible_fits_and_is_light(
    live_server, page_at, assert_axe_clean, assert_fits, width, color_scheme
) -> None:
    study = StudyFactory()
    page = page_at(width, color_scheme=color_scheme)
    weights: dict[str, int] = {}
    page.on("response", lambda r: weights.update({r.url: len(r.body()) if r.ok else 0}))
    kinds: set[str] = set()

    def visit(page: Page) -> None:
        page.wait_for_load_state()
        # The parts of a measure differ in their words alone.
        kind = re.sub(r"[0-9]", "", page.locator("h1").inner_text())
        if kind not in kinds:
            assert_axe_clean(page)
        kinds.add(kind)
        assert_fits(page)
        assert_large_targets(page)
        static = sum(size for url, size in weights.items() if "/static/" in url)
        assert 0 < static + len(page.content().encode()) <= HEAVIEST
        assert page.evaluate("() => [...document.scripts].every((script) => script.src)")

    walk(page, f"{live_server.url}/s/{study.slug}/{LINK}", visit)


@pytest.mark.parametrize("color_scheme", LIGHT_AND_DARK)
def test_the_pages_beside_the_way_are_accessible_and_fit(
    live_server, page_at, assert_axe_clean, assert_fits, color_scheme
) -> None:
    study = StudyFactory(state="closed")
    person = ParticipationFactory(study=study)
    gone = ParticipationFactory(study=study, state="withdrawn")
    page = page_at(320, color_scheme=color_scheme)
    for path in ("", "declined/", f"p/{person.code}/withdraw/", f"p/{gone.code}/", "p/unknown/"):
        page.goto(f"{live_server.url}/s/{study.slug}/{path}")
        assert page.locator("h1").count() == 1
        assert_axe_clean(page)
        assert_fits(page)


@pytest.mark.parametrize("color_scheme", LIGHT_AND_DARK)
def test_errors_take_the_focus_and_lead_to_the_question(
    live_server, page_at, assert_axe_clean, assert_fits, color_scheme
) -> None:
    participation = ParticipationFactory(pages_done=1)
    own = f"{live_server.url}/s/{participation.study.slug}/p/{participation.code}/"
    page = page_at(320, color_scheme=color_scheme)
    page.goto(own)
    page.locator("fieldset").nth(1).locator("label").nth(4).click()
    go_on(page)

    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    assert page.title().startswith("Error: ")
    assert_axe_clean(page)
    assert_fits(page)
    assert_large_targets(page)
    summary.get_by_role("link").first.click()
    expect(page.locator("fieldset").first.locator("input").first).to_be_focused()
    expect(page.locator("fieldset").nth(1).locator("input").nth(4)).to_be_checked()

    for field in (0, 2, 3, 4):
        page.locator("fieldset").nth(field).locator("label").first.click()
    go_on(page)
    page.wait_for_url("**/3/")


def test_demographic_errors_are_accessible(
    live_server, page_at, assert_axe_clean, assert_fits
) -> None:
    participation = ParticipationFactory()
    page = page_at(320)
    page.goto(f"{live_server.url}/s/{participation.study.slug}/p/{participation.code}/")
    page.get_by_label("Year, four digits").fill("85")
    go_on(page)

    for link in page.get_by_role("alert").get_by_role("link").all():
        link.click()
        target = link.get_attribute("href")
        assert page.evaluate("() => '#' + document.activeElement.id") == target
    assert_axe_clean(page)
    assert_fits(page)


@pytest.mark.parametrize(("width", "columns"), [(360, 1), (1280, 5)])
def test_choices_are_stacked_on_phones_and_equal_columns_beside(
    live_server, page_at, width, columns
) -> None:
    participation = ParticipationFactory(pages_done=1)
    page = page_at(width)
    page.goto(f"{live_server.url}/s/{participation.study.slug}/p/{participation.code}/")

    for group in page.get_by_role("group").all():
        boxes = [label.bounding_box() for label in group.locator("label").all()]
        assert len(boxes) == 5
        assert len({round(box["x"]) for box in boxes}) == columns
        assert len({round(box["width"]) for box in boxes}) == 1


def test_back_shows_what_was_answered_and_the_browsers_back_is_safe(live_server, page_at) -> None:
    study = StudyFactory()
    page = page_at(360)
    page.goto(f"{live_server.url}/s/{study.slug}/")
    page.get_by_role("button", name="I agree and take part").click()
    for _ in range(3):
        fill_page(page)
        go_on(page)
    page.wait_for_url("**/4/")

    page.get_by_role("link", name="Back").click()
    expect(page.locator("input:checked")).to_have_count(5)
    page.locator("fieldset").first.locator("label").first.click()
    go_on(page)
    page.wait_for_url("**/4/")
    page.go_back()
    page.reload()
    expect(page.locator("fieldset").first.locator("input").first).to_be_checked()

    own = page.url.rsplit("/", 2)[0] + "/"
    other = page_at(1280)
    other.goto(own)
    assert other.url == own + "4/"


def test_seven_options_with_words_at_the_ends_fit(
    live_server, page_at, assert_axe_clean, assert_fits
) -> None:
    study = StudyFactory(instrument=complete_instrument("mjs"))
    participation = ParticipationFactory(study=study, pages_done=1)
    for width in (320, 768, 1280):
        page = page_at(width)
        page.goto(f"{live_server.url}/s/{study.slug}/p/{participation.code}/")
        assert_axe_clean(page)
        assert_fits(page)
        assert_large_targets(page)


def test_nothing_is_cut_off_at_four_hundred_percent(live_server, page_at, assert_fits) -> None:
    participation = ParticipationFactory(pages_done=1)
    # What a window of 1280 by 1024 has left at 400 % zoom.
    page = page_at(320, 256)
    page.goto(f"{live_server.url}/s/{participation.study.slug}/p/{participation.code}/")
    assert_fits(page)
    for label in page.locator("label").all():
        box = label.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320
