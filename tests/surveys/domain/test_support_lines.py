"""The support lines: what ships is sound, and what would not be is refused."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from surveys.domain.support_lines import SupportLinesError, read_support_lines

DATA = Path(__file__).parents[3] / "surveys" / "data"
COUNTRIES = [row["name"] for row in json.loads((DATA / "countries.json").read_text("utf-8"))]
LINE = {"name": "Listeners", "phone": "0800 12 34", "url": "https://listeners.example"}


def raw(**changes: Any) -> dict[str, Any]:
    """A sound file of two countries, changed."""
    sound = {
        "finder": "https://findahelpline.com",
        "usual": {"en": ["Ireland"], "de": ["Austria"]},
        "countries": {"Austria": [LINE], "Ireland": [LINE, {**LINE, "hours": "9:00–24:00"}]},
    }
    return copy.deepcopy(sound) | changes


def read(content: dict[str, Any]):
    return read_support_lines(content, countries=COUNTRIES)


@pytest.fixture(scope="module")
def shipped():
    return read(json.loads((DATA / "support_lines.json").read_text("utf-8")))


@pytest.mark.parametrize(
    ("country", "dialled"),
    [
        ("United Kingdom", "116123"),
        ("Ireland", "116123"),
        ("United States", "988"),
        ("Canada", "988"),
        ("Australia", "131114"),
        ("New Zealand", "1737"),
        ("Germany", "08001110111"),
        ("Austria", "142"),
        ("Switzerland", "143"),
        ("France", "3114"),
        ("Netherlands", "113"),
        ("Spain", "024"),
    ],
)
def test_the_numbers_of_large_countries_are_those_that_are_published(
    shipped, country: str, dialled: str
) -> None:
    ((name, lines),) = shipped.for_person(country=country, language="en")

    assert name == country
    assert lines[0].dialled == dialled


def test_every_language_of_the_site_has_lines_of_its_own(shipped, settings) -> None:
    assert {code for code, _ in settings.LANGUAGES} <= set(shipped.usual)
    assert shipped.finder == "https://findahelpline.com"


def test_without_a_known_country_the_usual_lines_of_the_language_are_shown() -> None:
    lines = read(raw())

    for country in ("", "Chad", "Atlantis"):
        assert [c for c, _ in lines.for_person(country=country, language="de")] == ["Austria"]
        assert [c for c, _ in lines.for_person(country=country, language="fr")] == ["Ireland"]
    assert [c for c, _ in lines.for_person(country="Ireland", language="de")] == ["Ireland"]


def test_hours_are_kept_where_they_are_told() -> None:
    ((_, lines),) = read(raw()).for_person(country="Ireland", language="en")

    assert [line.hours for line in lines] == ["", "9:00–24:00"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"extra": 1}, "expected finder"),
        ({"finder": "http://findahelpline.com"}, "finder"),
        ({"finder": "javascript:alert(1)"}, "finder"),
        ({"usual": {"de": ["Austria"]}}, "language en"),
        ({"usual": {"en": []}}, "language en"),
        ({"usual": {"en": ["Chad"]}}, "'Chad', which has no line"),
        ({"countries": {"Ireland": [LINE], "Austria": []}}, "Austria: there is no line"),
        ({"countries": {"UK": [LINE]}}, "'UK' is not spelled"),
    ],
)
def test_a_broken_file_is_refused_with_the_reason(changes: dict, words: str) -> None:
    with pytest.raises(SupportLinesError, match=words):
        read(raw(**changes))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"phone": ""}, "not a telephone number"),
        ({"phone": "call us"}, "not a telephone number"),
        ({"phone": "116 123;ext=1"}, "not a telephone number"),
        ({"phone": "١١٦"}, "not a telephone number"),
        ({"url": "http://a.example"}, "not a secure web address"),
        ({"url": "https://a.example/?q=1"}, "not a secure web address"),
        ({"url": "https://a b.example"}, "not a secure web address"),
        ({"name": " "}, "no name"),
        ({"mail": "a@b.example"}, "a line has name, phone, url"),
    ],
)
def test_a_broken_line_is_refused_with_its_country(changes: dict, words: str) -> None:
    with pytest.raises(SupportLinesError, match=rf"^Austria: .*{words}"):
        read(raw(countries={"Austria": [LINE | changes], "Ireland": [LINE]}))


@pytest.mark.parametrize("missing", ["name", "phone", "url"])
def test_a_line_that_lacks_something_is_refused(missing: str) -> None:
    line = {key: value for key, value in LINE.items() if key != missing}
    with pytest.raises(SupportLinesError, match=r"^Austria: a line has"):
        read(raw(countries={"Austria": [line], "Ireland": [LINE]}))
