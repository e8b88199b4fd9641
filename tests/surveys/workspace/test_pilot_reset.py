"""Resetting a pilot takes the tests of one study, and nothing else."""

from __future__ import annotations

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from surveys.models import Participant, Participation, Study, Submission
from surveys.services.errors import SurveyError
from surveys.services.pilot import count_tests, reset_pilot
from tests.factories import ParticipationFactory, StudyFactory
from tests.surveys.people.conftest import Person

PEOPLE = st.lists(
    st.tuples(
        st.sampled_from([0, 1]),
        st.booleans(),
        st.sampled_from(Participation.State.values),
        st.sampled_from(["draft", "pilot", "open", "closed"]),
    ),
    max_size=6,
)


class ResetProperty(TestCase):
    @settings(max_examples=15, suppress_health_check=list(HealthCheck))
    @given(PEOPLE)
    def test_only_the_tests_of_this_study_go(self, people: list) -> None:
        studies = [StudyFactory(), StudyFactory()]
        for index, is_test, state, study_state in people:
            Study.objects.filter(pk=studies[index].pk).update(state=study_state)
            ParticipationFactory(study=studies[index], is_test=is_test, state=state)
        stay = set(Participation.objects.exclude(study=studies[0], is_test=True).values_list("pk"))
        expected = sum(index == 0 and is_test for index, is_test, *_ in people)

        gone = reset_pilot(study=studies[0])

        assert gone.total == expected
        assert set(Participation.objects.values_list("pk")) == stay
        assert Participant.objects.count() == len(stay)
        assert count_tests(study=studies[0]).total == 0


@pytest.mark.django_db
def test_a_whole_trial_leaves_nothing_but_the_note_of_its_reset() -> None:
    study = StudyFactory(state="pilot")
    one = Person(study)
    one.walk(one.consent())
    assert count_tests(study=study).completed == 1

    reset_pilot(study=study)
    reset_pilot(study=study)

    assert not Submission.objects.exists()
    assert not Participant.objects.exists()
    assert study.events.get().detail == "tests deleted: 1"


@pytest.mark.django_db
def test_somebody_who_is_also_in_another_study_stays_there() -> None:
    test = ParticipationFactory(is_test=True)
    other = ParticipationFactory(participant=test.participant)

    reset_pilot(study=test.study)

    assert Participation.objects.get() == other
    assert Participant.objects.get() == test.participant


@pytest.mark.django_db
def test_a_paid_bonus_keeps_everything() -> None:
    test = ParticipationFactory(is_test=True, prolific_id="p1")
    test.submission.bonus_payments.create(amount_minor=50, reason="thanks")

    with pytest.raises(SurveyError, match="test_was_paid"):
        reset_pilot(study=test.study)

    assert Participation.objects.get() == test
    assert not test.study.events.exists()


@pytest.mark.django_db
def test_a_participant_whose_test_was_deleted_is_told_so(client: Client) -> None:
    test = ParticipationFactory(is_test=True)
    reset_pilot(study=test.study)

    response = client.get(f"/s/{test.study.slug}/p/{test.code}/")

    assert response.status_code == 404
