"""A study in German is German to its participants, and no sentence is forgotten."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from functools import cache

import polib
import pytest
from django.test import Client
from django.utils import translation

from surveys.models import Participation
from tests.factories import ParticipationFactory, StudyFactory
from tests.messages import CATALOGUE, Message, messages, placeholders
from tests.surveys.people.conftest import LINK, Person, page_address

GERMAN = {"accept-language": "de"}
ENGLISH = {"accept-language": "en"}


@pytest.fixture(scope="module")
def catalogue() -> polib.POFile:
    return polib.pofile(str(CATALOGUE))


def key(entry: polib.POEntry) -> Message:
    return Message(entry.msgid, entry.msgid_plural)


def translations(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


class TestCatalogue:
    def test_every_sentence_is_in_it_and_nothing_else(self, catalogue) -> None:
        hint = "run `python -m tests.messages`, then translate what is new"
        assert {key(entry) for entry in catalogue} == set(messages()), hint

    def test_sentences_of_templates_and_modules_are_found(self) -> None:
        found = set(messages())

        assert Message("I agree and take part") in found
        assert Message("page %(number)s of %(total)s") in found
        assert Message("What is your gender?") in found
        plural = "%(count)d questions still need an answer"
        assert Message("One question still needs an answer", plural) in found

    def test_every_sentence_is_translated_and_none_is_a_guess(self, catalogue) -> None:
        unfinished = [
            entry.msgid
            for entry in catalogue
            if entry.fuzzy or entry.obsolete or not all(map(str.strip, translations(entry)))
        ]
        assert unfinished == []

    def test_translations_leave_open_what_the_sentence_does(self, catalogue) -> None:
        wrong = []
        for entry in catalogue:
            expected = placeholders(entry.msgid) | placeholders(entry.msgid_plural)
            for text in translations(entry):
                # A form for one may say the number in a word.
                may_lack = {("count", "d")} if entry.msgid_plural else set()
                if not expected - may_lack <= placeholders(text) <= expected:
                    wrong.append(entry.msgid)
                if re.findall(r"</?\w+", entry.msgid) != re.findall(r"</?\w+", text):
                    wrong.append(entry.msgid)
        assert wrong == []

    def test_what_django_reads_is_what_is_written(self, catalogue) -> None:
        compiled = polib.mofile(str(CATALOGUE.with_suffix(".mo")))

        assert {key(e): translations(e) for e in compiled} == {
            key(e): translations(e) for e in catalogue
        }


def text_of(page: str) -> str:
    """What is read on a page or told by it: text, titles and labels."""
    body = re.sub(r"<(script|style).*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"</?[a-z][^>]*>", " ", body)).split())


@cache
def english_sentences() -> list[str]:
    """What no German page may say; single words and names may be the same in both."""
    entries = polib.pofile(str(CATALOGUE))
    texts = [entry.msgid for entry in entries if entry.msgstr != entry.msgid]
    return [text for text in texts if " " in text and not placeholders(text)]


def english_on(page: str) -> list[str]:
    text = text_of(page)
    return [sentence for sentence in english_sentences() if sentence in text]


def assert_german(response) -> None:
    page = response.content.decode()
    assert '<html lang="de">' in page, response.request["PATH_INFO"]
    assert response.headers["Content-Language"] == "de"
    assert english_on(page) == []


@pytest.mark.django_db
class TestPages:
    @pytest.mark.parametrize("headers", [GERMAN, ENGLISH])
    def test_the_whole_way_through_a_german_study_is_german(self, headers: dict) -> None:
        study = StudyFactory(
            language="de",
            n_situations=2,
            situations_per_person=2,
            consent_text="Wir fragen, wie Sie sich fühlen.",
            debrief_text="Es ging um Gefühle.",
            contact="labor@example.org",
        )
        one = Person(study, Client(headers=headers))
        assert_german(one.client.get(one.address, LINK, follow=True))
        own = one.consent(LINK)
        while (here := one.current(own)) != own:
            assert_german(one.client.get(here))
            answers = one.page_answers(here)
            if answers:
                assert_german(one.client.post(here, {}))
            one.client.post(here, answers)
        assert_german(one.client.get(own))
        assert_german(one.client.post(own + "finish/", {"comment": "x" * 2001}))
        assert_german(one.client.post(own + "finish/", {"comment": ""}, follow=True))
        assert_german(one.client.get(own))
        assert_german(one.client.get(own + "withdraw/"))
        assert_german(one.client.post(own + "withdraw/", follow=True))

    def test_german_forms_say_numbers_and_dates_as_germans_do(self) -> None:
        study = StudyFactory(language="de")
        asked = ParticipationFactory(study=study, pages_done=1)
        first, *others = asked.item_order

        def send(items: list[str]) -> str:
            sent = {f"item-{key}": "3" for key in items}
            return Client().post(page_address(asked, 2), sent).content.decode()

        assert "5 Fragen sind noch nicht beantwortet" in send([])
        assert "Eine Frage ist noch nicht beantwortet" in send(others)
        assert f'href="#item-{first}-1"' in send(others)
        now = datetime(2026, 2, 20, 12, tzinfo=UTC)
        done = ParticipationFactory(study=study, state="completed", completed_at=now)
        page = Client().get(f"/s/{study.slug}/p/{done.code}/").content.decode()
        assert "6. März 2026 (UTC)" in page

    def test_an_english_study_stays_english_for_a_german_reader(self) -> None:
        one = Person(StudyFactory(), Client(headers=GERMAN))
        own = one.consent()

        for address in (one.address, own, own + "withdraw/"):
            response = one.client.get(address, follow=True)
            assert '<html lang="en">' in response.content.decode()
            assert response.headers["Content-Language"] == "en"

    @pytest.mark.parametrize(
        "fields",
        [
            {"state": "draft"},
            {"state": "paused"},
            {"state": "closed"},
            {"state": "archived"},
            {"target_per_situation": 0},
            {"admits_without_ids": False},
        ],
    )
    def test_refusals_speak_the_studys_language(self, fields: dict) -> None:
        study = StudyFactory(language="de", **fields)

        assert_german(Client(headers=ENGLISH).get(f"/s/{study.slug}/"))

    def test_declining_and_beginning_again_speak_the_studys_language(self) -> None:
        study = StudyFactory(language="de")
        one = Person(study, Client(headers=ENGLISH))
        assert_german(one.client.get(f"{one.address}declined/"))
        one.consent(LINK)

        again = LINK | {"SESSION_ID": "session2"}
        assert_german(one.client.get(one.address, again, follow=True))
        assert_german(one.client.get(f"{one.address}p/unknown/"))

    def test_where_no_study_is_known_the_readers_language_is_spoken(self) -> None:
        assert_german(Client(headers=GERMAN).get("/s/nowhere/"))
        english = Client(headers={"accept-language": "fr"}).get("/s/nowhere/")
        assert '<html lang="en">' in english.content.decode()

    def test_what_was_spoken_ends_with_the_page(self) -> None:
        before = translation.get_language()

        Client().get(f"/s/{StudyFactory(language='de').slug}/")
        Client(headers=GERMAN).get("/s/nowhere/")

        assert translation.get_language() == before

    def test_texts_of_researchers_and_instruments_stay_as_they_are(self) -> None:
        study = StudyFactory(language="de", consent_text="Continue as you like.")
        page = Client().get(f"/s/{study.slug}/").content.decode()
        assert "Continue as you like." in page

        asked = ParticipationFactory(study=study, pages_done=1)
        page = Client().get(page_address(asked, 2)).content.decode()
        assert study.instrument.spec.instruction in html.unescape(page)

    def test_countries_are_in_the_order_of_the_readers_alphabet(self) -> None:
        def countries(language: str) -> str:
            asked = ParticipationFactory(study=StudyFactory(language=language))
            page = Client().get(page_address(asked, 1)).content.decode()
            return html.unescape(" ".join(re.findall(r"<option.*?>(.*?)</option>", page)))

        in_english = "Choose from the list Prefer not to say Afghanistan Åland Islands Albania"
        assert countries("en").startswith(in_english)
        assert "Afghanistan Ägypten Ålandinseln Albanien" in countries("de")
        assert "Oman Österreich Pakistan" in countries("de")

    def test_answers_are_stored_in_the_words_of_the_data_whatever_the_language(self) -> None:
        asked = ParticipationFactory(study=StudyFactory(language="de"))
        page = Client().get(page_address(asked, 1)).content.decode()
        assert 'value="Female"' in page
        assert "Weiblich" in page
        answers = {
            "gender": "Female",
            "year_of_birth": "1985",
            "country": "Germany",
            "employment": "Student",
            "education": "None",
        }

        Client().post(page_address(asked, 1), answers)

        stored = Participation.objects.get()
        assert (stored.gender, stored.country, stored.education) == ("Female", "Germany", "None")

    @pytest.mark.parametrize("address", ["/", "/admin/login/", "/dashboards/", "/nothing/"])
    def test_pages_for_staff_and_the_public_are_english_and_say_so(self, address: str) -> None:
        page = Client(headers=GERMAN).get(address).content.decode()

        assert re.search(r'<html[^>]* lang="en', page)
        assert "Zum Inhalt" not in page
