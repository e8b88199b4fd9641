"""The questions about the person: as many as the study asks."""

from __future__ import annotations

import re

import pytest

from surveys.models import Participation
from tests.factories import StudyFactory
from tests.surveys.people.conftest import Person

pytestmark = pytest.mark.django_db


def test_a_study_asks_only_its_questions() -> None:
    one = Person(StudyFactory(demographic_questions=["country", "gender"]))
    own = one.consent()

    html = one.client.get(own + "1/").content.decode()
    assert set(re.findall(r'name="(\w+)"', html)) & {
        "gender", "country", "year_of_birth", "employment", "education"
    } == {"gender", "country"}  # fmt: skip
    sent = {"gender": "Male", "country": "Chad", "education": "None"}

    assert one.client.post(own + "1/", sent)["location"] == own + "2/"
    participation = Participation.objects.get()
    assert (participation.gender, participation.country) == ("Male", "Chad")
    assert participation.education == ""
    assert participation.declined_questions == []


def test_a_study_without_questions_begins_with_the_first_measure() -> None:
    one = Person(StudyFactory(demographic_questions=[]))
    own = one.consent()

    html = one.client.get(own, follow=True).content.decode()
    assert "First questions" in html
    assert "Page 1 of 9" in html

    assert one.walk(own) == own
    participation = Participation.objects.counted().get()
    assert participation.pages_done == 9
    # Pages and visits fit together, so reading and answering times are known.
    assert "very_fast_ratings" in {flag["code"] for flag in participation.flags}
