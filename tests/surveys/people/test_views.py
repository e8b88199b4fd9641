from __future__ import annotations

import re

import pytest
from django.test import Client

from surveys.models import Assignment, Participant, Participation, Study
from tests.factories import (
    ParticipationFactory,
    SituationVersionFactory,
    StudyFactory,
    complete_instrument,
)
from tests.surveys.people.conftest import LINK, Person, page_address

pytestmark = pytest.mark.django_db


def html_of(response) -> str:
    return response.content.decode()


def test_a_person_completes_a_study(person) -> None:
    one = person(StudyFactory())
    own = one.consent()

    assert one.walk(own) == own

    html = one.finish(own)
    assert "CODE1234" in html
    assert "Return to Prolific" not in html
    assert Participation.objects.counted().count() == 1


def test_the_code_is_on_no_page_before_the_end(person) -> None:
    one = person(StudyFactory())
    own = one.consent()

    for _ in range(10):
        assert "CODE1234" not in html_of(one.client.get(own, follow=True))
        one.walk(own, pages=1)

    assert "CODE1234" not in html_of(one.client.get(own))
    assert "CODE1234" in one.finish(own)


def test_ids_leave_the_address_and_arrive_in_their_table(person) -> None:
    one = person(StudyFactory(admits_without_ids=False))
    lower = {name.lower(): value for name, value in LINK.items()}

    entered = one.client.get(one.address, lower)
    assert (entered.status_code, entered["location"]) == (302, one.address)
    own = one.consent(lower)

    submission = Participation.objects.get().submission
    assert submission.prolific_participant_id == "person1"
    assert submission.prolific_study_id == "study1"
    assert submission.prolific_session_id == "session1"
    one.walk(own)
    link = 'href="https://app.prolific.com/submissions/complete?cc=CODE1234"'
    assert link in one.finish(own)


def test_the_consent_form_alone_carries_the_ids(person) -> None:
    one = person(StudyFactory(admits_without_ids=False))
    token = one.entry_token(LINK)
    one.client.cookies.clear()

    response = one.decide(token, "agree")

    assert response.status_code == 302
    assert Participation.objects.get().submission.prolific_participant_id == "person1"


def test_a_link_leads_back_to_the_same_page_in_another_browser(person) -> None:
    study = StudyFactory(admits_without_ids=False)
    one = person(study)
    here = one.walk(one.consent(LINK), pages=3)

    other = person(study).client.get(one.address, LINK, follow=True)

    assert other.request["PATH_INFO"] == here
    assert Participation.objects.count() == 1


def test_the_link_beats_what_the_browser_remembers(person) -> None:
    one = person(StudyFactory(admits_without_ids=False))
    first = one.consent(LINK)

    second = one.consent(LINK | {"PROLIFIC_PID": "person2"})

    assert first != second
    broken = one.client.get(one.address, LINK | {"PROLIFIC_PID": "undefined"}, follow=True)
    assert broken.status_code == 400
    assert one.client.get(one.address).status_code == 400


@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_changes_nothing(person, method: str) -> None:
    study = StudyFactory()
    look = getattr(person(study).client, method)

    look(f"/s/{study.slug}/", LINK, follow=True)
    look(f"/s/{study.slug}/")
    assert (Participant.objects.count(), Assignment.objects.count()) == (0, 0)

    participation = ParticipationFactory(study=study)
    before = list(Participation.objects.values())
    for path in ("", "1/", "2/", "6/", "withdraw/"):
        look(f"/s/{study.slug}/p/{participation.code}/{path}")
    assert list(Participation.objects.values()) == before
    assert not participation.administrations.exists()


def test_visiting_stores_the_ids_nowhere(person, django_assert_num_queries) -> None:
    one = person(StudyFactory())

    with django_assert_num_queries(0):
        one.client.get(one.address, LINK)


def test_declining_leaves_no_row(person) -> None:
    one = person(StudyFactory())

    response = one.decide(one.entry_token(), "decline")

    assert Participant.objects.count() == 0
    assert "You are not taking part" in html_of(one.client.get(response["location"]))


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"state": "draft"}, 403, "has not opened yet"),
        ({"state": "paused"}, 409, "takes a break"),
        ({"state": "closed"}, 410, "has ended"),
        ({"state": "archived"}, 410, "has ended"),
        ({"origin": "imported", "state": "closed"}, 404, "takes no participants here"),
        ({"target_per_situation": 0}, 409, "all the participants it needs"),
        ({"admits_without_ids": False}, 400, "link from Prolific"),
    ],
)
def test_who_cannot_enter_reads_why(person, fields: dict, status: int, words: str) -> None:
    one = person(StudyFactory(**fields))

    response = one.client.get(one.address)

    assert response.status_code == status
    assert words in html_of(response)


def test_a_full_study_says_so_to_whoever_consented_too_late(person) -> None:
    one = person(StudyFactory())
    token = one.entry_token()
    Study.objects.update(target_per_situation=0)

    assert one.decide(token, "agree").status_code == 409
    assert Participant.objects.count() == 0


@pytest.mark.parametrize("path", ["/s/nowhere/", "/s/nowhere/p/abc/", "/s/nowhere/p/abc/2/"])
def test_unknown_addresses_are_friendly(client, path: str) -> None:
    for response in (client.get(path), client.get(path + "withdraw/")):
        assert response.status_code == 404
    assert "link that you were given" in html_of(client.get(path))


def test_a_code_opens_only_its_own_study(client) -> None:
    participation = ParticipationFactory()
    other = StudyFactory()

    assert client.get(f"/s/{other.slug}/p/{participation.code}/1/").status_code == 404
    assert client.post(f"/s/{other.slug}/p/{participation.code}/withdraw/").status_code == 404
    participation.refresh_from_db()
    assert participation.state == "active"


def test_a_consent_form_of_another_study_or_maker_is_refused(person) -> None:
    one, other = person(StudyFactory()), person(StudyFactory())

    for token in ("", "forged", other.entry_token()):
        assert one.decide(token, "agree").status_code == 400
    assert Participant.objects.count() == 0


def test_forms_need_no_cookie_and_no_token(person) -> None:
    study = StudyFactory()
    token = Person(study).entry_token()
    strict = Client(enforce_csrf_checks=True)

    entered = strict.post(
        f"/s/{study.slug}/", {"entry": token, "decision": "agree"}, headers={"origin": "null"}
    )
    page = Person(study, strict).current(entered["location"])
    strict.cookies.clear()
    answers = Person(study).page_answers(page)

    assert strict.post(page, answers, headers={"origin": "null"})["location"].endswith("/2/")


def test_every_page_keeps_its_address_and_answers_to_itself(person) -> None:
    one = person(StudyFactory())
    own = one.consent()
    paths = [one.address, own, own + "1/", own + "withdraw/", "/s/nowhere/"]

    for path in paths:
        headers = one.client.get(path).headers
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"
        assert "noindex" in headers["X-Robots-Tag"]
        assert not one.client.cookies


def test_errors_come_first_and_answers_stay(person) -> None:
    participation = ParticipationFactory(pages_done=1)
    first, second, *_ = participation.item_order
    page = page_address(participation, 2)

    response = Client().post(page, {f"item-{first}": "4"})

    html = html_of(response)
    assert response.status_code == 422
    assert "<title>Error: " in html
    assert html.index("4 questions still need an answer") < html.index("<fieldset")
    assert f'href="#item-{second}-1"' in html
    assert f'href="#item-{first}-1"' not in html
    assert f'id="item-{first}-4" value="4" checked' in html
    assert html.count(" checked") == 1
    # What was given is also there for whoever closes the window and returns.
    assert f'id="item-{first}-4" value="4" checked' in html_of(Client().get(page))


def test_a_wrong_year_is_shown_as_it_was_typed() -> None:
    participation = ParticipationFactory()

    html = html_of(
        Client().post(page_address(participation, 1), {"year_of_birth": '19"9', "gender": "Male"})
    )

    assert 'value="19&quot;9"' in html
    assert "four digits" in html
    assert 'value="Male" checked' in html


def test_nothing_is_chosen_beforehand(person) -> None:
    one = person(StudyFactory())
    own = one.consent()

    for _ in range(10):
        assert " checked" not in html_of(one.client.get(own, follow=True))
        one.walk(own, pages=1)


def test_going_back_shows_answers_until_the_second_measure_has_begun(person) -> None:
    one = person(StudyFactory())
    own = one.consent()
    one.walk(own, pages=5)
    assert html_of(one.client.get(own + "2/")).count(" checked") == 5
    assert f'href="{own}5/"' in html_of(one.client.get(own + "6/"))

    one.walk(own, pages=1)

    for number in range(1, 7):
        assert one.client.get(own + f"{number}/")["location"] == own + "7/"
    assert 'class="back-link"' not in html_of(one.client.get(own + "7/"))
    one.walk(own, pages=1)
    assert f'href="{own}7/"' in html_of(one.client.get(own + "8/"))


def test_a_page_ahead_leads_to_the_current_one(person) -> None:
    one = person(StudyFactory())
    own = one.consent()

    for number in (2, 9, 11, 99999999999999999999):
        assert one.client.get(own + f"{number}/")["location"] == own + "1/"


def test_after_the_end_every_page_leads_to_the_end(person) -> None:
    one = person(StudyFactory())
    own = one.consent()
    one.walk(own)

    for number in (1, 6, 10, 11):
        assert one.client.get(own + f"{number}/")["location"] == own
        assert one.client.post(own + f"{number}/", {})["location"] == own


def test_titles_and_headings_are_unique_and_say_where_one_is(person) -> None:
    one = person(StudyFactory(n_situations=2, situations_per_person=2))
    own = one.consent()
    titles, headings = [], []
    for number in range(1, 16):
        html = html_of(one.client.get(own, follow=True))
        titles += re.findall(r"<title>(.*?)</title>", html, re.DOTALL)
        headings += re.findall(r"<h1>(.*?)</h1>", html, re.DOTALL)
        assert f"Page {number} of 15" in html
        one.walk(own, pages=1)

    assert len(set(titles)) == len(set(headings)) == 15


def test_options_of_an_item_and_options_without_words_are_shown_as_they_are() -> None:
    study = StudyFactory(instrument=complete_instrument("mjs"), items_per_page=24)
    html = html_of(Client().get(page_address(ParticipationFactory(study=study, pages_done=1), 2)))

    choices = re.findall(
        r'id="item-(\d+)-(\d)".*?<span class="number">(\d)</span>(.*?)</span>', html
    )
    words = {(item, value): text.strip() for item, value, _, text in choices}
    assert len(words) == 24 * 7
    assert (words["1", "1"], words["1", "4"], words["1", "7"]) == ("never", "", "all the time")
    assert (words["9", "1"], words["9", "7"]) == ("very pleased", "very upset")


def test_withdrawing_asks_first_and_then_deletes(person) -> None:
    one = person(StudyFactory())
    own = one.consent(LINK)
    here = one.walk(own, pages=3)
    assert f'action="{own}withdraw/"' in html_of(one.client.get(here))

    assert "cannot be undone" in html_of(one.client.get(own + "withdraw/"))
    assert Participation.objects.get().administrations.exists()
    response = one.client.post(own + "withdraw/", follow=True)

    assert "You have withdrawn" in html_of(response)
    assert "CODE1234" not in html_of(response)
    assert not Participation.objects.get().administrations.exists()
    assert one.client.get(here)["location"] == own
    # The link does not start anew.
    assert one.client.get(one.address, LINK, follow=True).request["PATH_INFO"] == own


def test_who_withdraws_after_the_end_keeps_the_code(person) -> None:
    one = person(StudyFactory())
    own = one.consent()
    one.walk(own)

    response = one.client.post(own + "withdraw/", follow=True)

    assert "You have withdrawn" in html_of(response)
    assert "CODE1234" in html_of(response)


def test_texts_of_researchers_are_markdown_without_html(person) -> None:
    study = StudyFactory(consent_text="# Hello\n\n**Bold** <b>x</b> [go](javascript:alert(1))")

    html = html_of(Client().get(f"/s/{study.slug}/"))

    assert "<h2>Hello</h2>" in html
    assert html.count("<h1>") == 1
    assert "<strong>Bold</strong> &lt;b&gt;" in html
    assert 'href="javascript' not in html


def test_words_of_a_situation_are_text(person) -> None:
    version = SituationVersionFactory(text="You read <script>alert(1)</script> & wait.")
    participation = ParticipationFactory(pages_done=5, assigned=[version])

    html = html_of(Client().get(page_address(participation, 6)))

    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; wait." in html


def test_admins_see_a_draft_as_participants_would(client, admin_client) -> None:
    version = SituationVersionFactory(situation__state="draft", text="You hear a door close.")
    address = f"/preview/situations/{version.situation_id}/"

    assert client.get(address).status_code == 302
    assert "You hear a door close." in html_of(admin_client.get(address))
