"""The last pages: debrief, something pleasant, support, comment, and the code of the outcome."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from django.db import OperationalError, transaction
from django.test import Client
from django.utils import timezone

from surveys.domain.outcomes import Outcome
from surveys.models import Participation, Situation
from surveys.services.leaving import LONGEST_COMMENT
from tests.factories import (
    CollectionFactory,
    FactorFactory,
    ParticipationFactory,
    SituationVersionFactory,
    StudyFactory,
)
from tests.surveys.people.conftest import LINK, Person, at_once

pytestmark = pytest.mark.django_db
CODES = {outcome: f"CODE-{outcome.name}" for outcome in Outcome}


def html_of(response) -> str:
    return response.content.decode()


def address_of(participation: Participation) -> str:
    return f"/s/{participation.study.slug}/p/{participation.code}/"


def done(**fields) -> Participation:
    """Somebody whose last answer was saved a minute ago, and who has not left yet."""
    now = timezone.now()
    fields = {"state": "completed", "completed_at": now - timedelta(minutes=1), **fields}
    return ParticipationFactory(**fields)


def visit(participation: Participation) -> str:
    return html_of(Client().get(address_of(participation)))


def send(participation: Participation, **fields: str):
    return Client().post(address_of(participation) + "finish/", fields, follow=True)


def test_the_debrief_comes_before_the_code(person) -> None:
    study = StudyFactory(debrief_text="We looked at **change**.", contact="lab@example.org")
    one = person(study)
    own = one.consent(LINK)
    one.walk(own)

    html = html_of(one.client.get(own))

    assert "<strong>change</strong>" in html
    assert "lab@example.org" in html
    assert "do not name yourself or others" in html
    assert "findahelpline.com" in html
    assert html.count("<button") == 2  # Finish, and withdraw
    assert "CODE1234" not in html
    assert "cc=" not in html


def test_finishing_keeps_the_comment_and_both_times() -> None:
    participation = done(prolific_id="person1")
    completed_at = participation.completed_at
    before = timezone.now()

    response = send(participation, comment="  It was\r\nfine. \x00 ")

    participation.refresh_from_db()
    assert "CODE1234" in html_of(response)
    assert participation.comment == "It was\nfine."
    assert participation.completed_at == completed_at
    assert before <= participation.left_at <= timezone.now()


def test_finishing_again_changes_nothing() -> None:
    participation = done(prolific_id="person1")
    send(participation, comment="first")
    left_at = Participation.objects.get().left_at

    for comment in ("", "second"):
        assert "CODE1234" in html_of(send(participation, comment=comment))

    participation.refresh_from_db()
    assert (participation.comment, participation.left_at) == ("first", left_at)


def test_a_comment_that_comes_after_an_empty_one_is_kept() -> None:
    participation = done()
    send(participation)
    send(participation, comment="one more thing")

    assert Participation.objects.get().comment == "one more thing"


@pytest.mark.django_db(transaction=True)
def test_twenty_clicks_on_finish_are_one() -> None:
    participation = done(prolific_id="person1")

    answers = at_once([lambda: send(participation, comment="hello")] * 20)

    assert all("CODE1234" in html_of(answer) for answer in answers)
    assert Participation.objects.get().comment == "hello"


def test_a_comment_of_the_greatest_length_is_kept_whole() -> None:
    participation = done()
    longest = "ä\r\n" * (LONGEST_COMMENT // 2 - 1) + "ab"

    send(participation, comment=longest)

    assert Participation.objects.get().comment == longest.replace("\r\n", "\n")


def test_a_comment_that_is_too_long_comes_back_whole_and_stores_nothing() -> None:
    participation = done()
    long = "x" * (LONGEST_COMMENT + 1)

    response = send(participation, comment=long)

    assert response.status_code == 422
    assert long in html_of(response)
    assert "too long" in html_of(response)
    participation.refresh_from_db()
    assert (participation.comment, participation.left_at) == ("", None)


def test_words_of_a_comment_are_text() -> None:
    response = send(done(), comment="</textarea><script>" + "x" * LONGEST_COMMENT)

    assert "&lt;/textarea&gt;&lt;script&gt;" in html_of(response)


def test_only_whoever_has_answered_everything_can_finish() -> None:
    active, gone = ParticipationFactory(), ParticipationFactory(state="withdrawn")
    for participation in (active, gone):
        response = send(participation, comment="hello")
        assert "CODE1234" not in html_of(response)
        assert Client().get(address_of(participation) + "finish/").status_code == 302
    assert not Participation.objects.exclude(comment="", left_at=None).exists()


def test_looking_at_the_last_pages_changes_nothing() -> None:
    participation = done(prolific_id="person1")
    before = Participation.objects.values().get()

    for path in ("", "finish/"):
        for look in (Client().get, Client().head):
            look(address_of(participation) + path)

    assert Participation.objects.values().get() == before


def test_the_way_back_to_prolific_goes_by_itself_only_right_after_finishing() -> None:
    participation = done(prolific_id="person1")

    html = html_of(send(participation))
    seconds = int(re.search(r'data-seconds="(\d+)"', html).group(1))
    assert 0 < seconds <= 5
    assert f"In {seconds} seconds" in html
    assert "js/leave.js" in html
    assert ">Return to Prolific</a>" in html

    later = visit(participation)
    assert "You have finished this study" in later
    assert "CODE1234" in later
    assert "leave.js" not in later


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({"prolific_id": "person1"}, {"stay": "yes"}),
        ({"prolific_id": "person1", "is_test": True}, {}),
        ({}, {}),
    ],
)
def test_nobody_is_taken_away_who_does_not_want_or_need_it(fields: dict, sent: dict) -> None:
    html = html_of(send(done(**fields), **sent))

    assert "CODE1234" in html
    assert "leave.js" not in html


def test_each_study_and_outcome_has_its_own_code() -> None:
    first, second = StudyFactory(completion_code=""), StudyFactory(completion_code="")
    for outcome, code in CODES.items():
        first.completion_codes.create(outcome=outcome, code=code)
        second.completion_codes.create(outcome=outcome, code=f"B{code}")

    def shown(participation: Participation) -> list[str]:
        html = html_of(send(participation))
        return re.findall(r"complete\?cc=([\w-]+)", html)

    for study, prefix in ((first, ""), (second, "B")):
        for outcome in (Outcome.COMPLETED, Outcome.FAILED_ATTENTION):
            person = done(study=study, outcome=outcome, prolific_id=f"a{outcome}{prefix}")
            assert shown(person) == [f"{prefix}{CODES[outcome]}"]
        nobody_said = done(study=study, outcome="", prolific_id=f"b{prefix}")
        assert shown(nobody_said) == [f"{prefix}{CODES[Outcome.COMPLETED]}"]


def test_an_outcome_without_a_code_falls_back_to_that_of_completing() -> None:
    participation = done(outcome="failed_attention", prolific_id="person1")

    assert "CODE1234" in html_of(send(participation))


def test_without_any_code_the_end_says_that_all_is_saved() -> None:
    html = html_of(send(done(study=StudyFactory(completion_code=""))))

    assert "All your answers are saved" in html
    assert "completion code" not in html


def test_a_code_of_odd_characters_survives_its_address(settings) -> None:
    settings.PROLIFIC_COMPLETION_URL = "https://prolific.example/complete"
    study = StudyFactory(completion_code="A&B/C D")

    html = html_of(send(done(study=study, prolific_id="person1")))

    assert 'href="https://prolific.example/complete?cc=A%26B%2FC%20D"' in html


def test_after_the_last_page_the_row_is_final_whether_the_debrief_is_seen_or_not(person) -> None:
    one = person(StudyFactory())
    own = one.consent(LINK)
    last = one.walk(own, pages=9)
    answers = one.page_answers(last)

    one.client.post(last, answers)  # and the browser dies before it asks for the next page

    stored = Participation.objects.counted().get()
    assert stored.completed_at is not None
    assert stored.left_at is None
    assert "CODE1234" in person(one.study).finish(own)
    assert Participation.objects.get().completed_at == stored.completed_at


@pytest.mark.django_db(transaction=True)
def test_no_code_is_shown_before_the_last_answer_is_committed() -> None:
    one = Person(StudyFactory())
    own = one.consent(LINK)
    last = one.walk(own, pages=9)

    def seen_by_others() -> list[tuple[int, str]]:
        answers = at_once([lambda p=p: Client().get(own + p) for p in ("", "finish/")])
        return [(a.status_code, a.get("location", "")) for a in answers]

    with transaction.atomic():
        one.client.post(last, one.page_answers(last))
        assert Participation.objects.get().state == "completed"
        assert seen_by_others() == [(302, last), (302, own)]

    assert seen_by_others() == [(200, ""), (302, own)]


def test_finishing_that_fails_once_works_the_second_time(monkeypatch) -> None:
    participation = done(study=StudyFactory(contact="lab@example.org"), prolific_id="person1")

    def full(*args: object, **kwargs: object) -> None:
        raise OperationalError("database or disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(Participation, "save", full)
        response = send(participation, comment="Nice study")

    html = html_of(response)
    assert response.status_code == 503
    assert "could not be saved just now" in html
    assert "Nice study</textarea>" in html
    assert "CODE1234" in html
    assert "lab@example.org" in html
    assert "leave.js" not in html

    assert send(participation, comment="Nice study").status_code == 200
    assert Participation.objects.get().comment == "Nice study"


def test_a_failure_before_everything_is_answered_shows_no_code(monkeypatch) -> None:
    participation = ParticipationFactory(prolific_id="person1")

    def gone(**kwargs: object) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr("surveys.views.ends.leave_study", gone)
    response = send(participation)

    assert response.status_code == 503
    assert "CODE1234" not in html_of(response)


class TestUplifting:
    def counterpart(self, version, text: str, **fields) -> None:
        situation = version.situation
        fields = {"factor": situation.factor, "collection": situation.collection, **fields}
        SituationVersionFactory(
            text=text,
            **{f"situation__{k}": v for k, v in fields.items()},
            situation__kind=fields.get("kind", "positive"),
        )

    def test_a_positive_counterpart_follows_a_negative_situation(self) -> None:
        version = SituationVersionFactory()
        self.counterpart(version, "You hear good news.")
        self.counterpart(version, "You hear of another matter.", factor=FactorFactory())

        html = visit(done(assigned=[version]))

        assert "You hear good news." in html
        assert "another matter" not in html
        assert html.count('class="situation"') == 1

    def test_of_several_situations_the_last_one_is_answered(self) -> None:
        first, last = SituationVersionFactory(), SituationVersionFactory()
        for version, text in ((first, "First counterpart."), (last, "Last counterpart.")):
            self.counterpart(version, text)

        html = visit(done(assigned=[first, last]))

        assert "Last counterpart." in html
        assert "First counterpart." not in html

    def test_the_newest_words_of_a_published_counterpart_are_used(self) -> None:
        version = SituationVersionFactory()
        self.counterpart(version, "Old words.")
        positive = Situation.objects.get(kind="positive")
        SituationVersionFactory(situation=positive, number=2, text="New words.")
        participation = done(assigned=[version])
        assert "New words." in visit(participation)

        Situation.objects.filter(kind="positive").update(state="retired")

        html = visit(participation)
        assert "New words." not in html
        assert "Something pleasant to end with" in html
        assert "The sun is out" in html

    def test_the_persons_own_collection_comes_first(self) -> None:
        version = SituationVersionFactory(situation__collection=CollectionFactory(slug="own"))
        self.counterpart(version, "From elsewhere.", collection=CollectionFactory(slug="a"))
        participation = done(assigned=[version])
        assert "From elsewhere." in visit(participation)

        self.counterpart(version, "From home.")

        assert "From home." in visit(participation)

    def test_another_collection_never_answers_in_a_foreign_language(self) -> None:
        version = SituationVersionFactory()
        self.counterpart(version, "In English only.", collection=CollectionFactory(slug="a"))

        html = visit(done(study=StudyFactory(language="de"), assigned=[version]))

        assert "In English only." not in html
        assert html.count('class="situation"') == 1

    @pytest.mark.parametrize("kind", ["neutral", "positive"])
    def test_nothing_is_lifted_after_other_situations(self, kind: str) -> None:
        factor = {"situation__factor": None} if kind == "neutral" else {}
        version = SituationVersionFactory(situation__kind=kind, **factor)

        assert "Something pleasant" not in visit(done(assigned=[version]))

    def test_a_study_may_do_without(self) -> None:
        study = StudyFactory(has_uplifting_task=False)

        assert "Something pleasant" not in visit(done(study=study))


@pytest.mark.parametrize(
    ("country", "language", "there", "not_there"),
    [
        ("Germany", "en", "tel:08001110111", "tel:116123"),
        ("United Kingdom", "en", "tel:116123", "tel:988"),
        ("Canada", "de", "tel:988", "tel:142"),
        ("", "en", "tel:988", "tel:142"),
        ("Chad", "en", "tel:131114", "tel:142"),
        ("", "de", "tel:142", "tel:988"),
    ],
)
def test_lines_to_call_are_those_of_the_country(country, language, there, not_there) -> None:
    html = visit(done(study=StudyFactory(language=language), country=country))

    assert f'href="{there}"' in html
    assert f'href="{not_there}"' not in html
    assert 'href="https://findahelpline.com"' in html


def test_the_date_of_the_deadline_is_said(person) -> None:
    completed_at = datetime.fromisoformat("2026-02-20T23:30:00+00:00")
    participation = done(study=StudyFactory(withdrawal_days=14), completed_at=completed_at)

    assert "Until the end of March 6, 2026 (UTC)" in visit(participation)


def test_a_participation_costs_few_queries_at_its_end(django_assert_max_num_queries) -> None:
    participation = done(prolific_id="person1")
    with django_assert_max_num_queries(6):
        visit(participation)
    send(participation)
    with django_assert_max_num_queries(6):
        visit(participation)
