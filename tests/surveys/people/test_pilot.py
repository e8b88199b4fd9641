"""Trying a study before it opens: tests come and go and leave nothing that counts."""

from __future__ import annotations

import pytest

from surveys.models import Participation, Study, Submission
from tests.factories import StudyFactory
from tests.surveys.people.conftest import LINK, Person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("link", [None, LINK, LINK | {"PROLIFIC_PID": "undefined"}])
def test_a_pilot_is_walked_with_or_without_ids_and_never_counted(link) -> None:
    one = Person(StudyFactory(state="pilot", admits_without_ids=False, target_per_situation=1))

    own = one.consent(link)
    assert one.walk(own) == own

    html = one.finish(own)
    assert "CODE1234" in html
    assert "Return to Prolific" in html
    participation = Participation.objects.get()
    assert participation.is_test
    assert not Participation.objects.counted().exists()


def test_the_same_link_enters_a_pilot_again_and_again_under_made_up_ids() -> None:
    study = StudyFactory(state="pilot", admits_without_ids=False)

    owns = {Person(study).consent(LINK) for _ in range(2)}

    assert len(owns) == 2
    ids = Submission.objects.values_list(
        "prolific_participant_id", "prolific_study_id", "prolific_session_id"
    )
    made_up = {text for row in ids for text in row}
    assert len(made_up) == 6
    assert all(text.startswith("pilot-") for text in made_up)


def test_the_same_form_enters_a_pilot_once() -> None:
    one = Person(StudyFactory(state="pilot"))
    token = one.entry_token()

    assert one.decide(token, "agree")["location"] == one.decide(token, "agree")["location"]
    assert Participation.objects.count() == 1


def test_who_tried_the_pilot_may_take_part_in_earnest_later() -> None:
    one = Person(StudyFactory(state="pilot", admits_without_ids=False))
    token = one.entry_token(LINK)
    tried = one.decide(token, "agree")["location"]
    Study.objects.update(state="open")

    # The form of the pilot, sent once more, is still the test.
    assert one.decide(token, "agree")["location"] == tried
    assert one.consent(LINK) != tried

    earnest = Participation.objects.get(is_test=False)
    assert earnest.submission.prolific_participant_id == "person1"


@pytest.mark.parametrize("state", ["draft", "paused", "closed", "archived"])
def test_asking_for_a_pilot_opens_no_other_state(state: str) -> None:
    one = Person(StudyFactory(state=state))

    assert one.client.get(one.address, {"pilot": "1"}).status_code >= 400
