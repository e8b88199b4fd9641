"""A researcher edits a study in the administration: what is taken, what is refused and why."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from surveys.domain.outcomes import Outcome
from surveys.models import Factor, Study
from surveys.services.completion_codes import ACTIONS, propose_codes
from surveys.services.errors import SurveyError
from surveys.services.study_situations import choose_situations, remove_situations
from surveys.study_words import FAULTS, FIXED, REFUSALS, steps_from
from tests.factories import (
    EmotionFactory,
    FactorFactory,
    ParticipationFactory,
    SituationFactory,
    SituationVersionFactory,
    StudyFactory,
)
from tests.forms import shown_form

pytestmark = pytest.mark.django_db


def change_address(study: Study) -> str:
    return reverse("admin:surveys_study_change", args=[study.pk])


def send(client: Client, study: Study, **changes: Any) -> str:
    """Change fields of the shown form; the page that comes of it."""
    address = change_address(study)
    data = shown_form(client, address) | changes | {"_continue": "1"}
    return client.post(address, data, follow=True).content.decode()


FROZEN = {
    "item_order": "fixed",
    "items_per_page": 7,
    "situations_per_person": 2,
    "attention_items": 2,
    "reading_words_per_minute": 200,
    "demographic_questions": ["gender"],
    "language": "de",
    "flag_item_seconds": 3.5,
    "flag_reading_words_per_minute": 700,
    "flag_synonym_difference": 1.5,
    "exclusion_flags": 2,
}


@pytest.mark.parametrize("field", FROZEN)
def test_what_collected_data_rest_on_is_refused_with_the_reason(
    field: str, admin_client: Client
) -> None:
    study = StudyFactory(n_situations=2)
    before = Study.objects.values().get()
    ParticipationFactory(study=study)

    page = send(admin_client, study, **{field: FROZEN[field]})

    assert Study.objects.values().get() == before
    assert any(escape(sentence) in page for sentence in REFUSALS.values())
    assert FIXED in page


@pytest.mark.parametrize("field", FROZEN)
def test_the_same_is_free_while_only_tests_took_part(field: str, admin_client: Client) -> None:
    study = StudyFactory(state="pilot", n_situations=2)
    ParticipationFactory(study=study, is_test=True)

    send(admin_client, study, **{field: FROZEN[field]})

    assert getattr(Study.objects.get(), field) == FROZEN[field]
    assert study.events.get().kind == "changed"
    assert field in study.events.get().detail


def test_title_target_and_debriefing_change_while_people_take_part(admin_client: Client) -> None:
    study = StudyFactory()
    ParticipationFactory(study=study)

    send(admin_client, study, title="Clearer", target_per_situation=9, debrief_text="More.")

    study.refresh_from_db()
    assert (study.title, study.target_per_situation, study.debrief_text) == ("Clearer", 9, "More.")


def test_a_changed_consent_text_asks_for_a_version(admin_client: Client) -> None:
    study = StudyFactory()
    ParticipationFactory(study=study)

    page = send(admin_client, study, consent_text="Other words.")
    assert "Give the new text a version of its own" in page
    send(admin_client, study, consent_text="Other words.", consent_version="2")

    study.refresh_from_db()
    assert (study.consent_text, study.consent_version) == ("Other words.", "2")


def test_a_form_that_was_open_meanwhile_does_not_undo_a_step(admin_client: Client) -> None:
    study = StudyFactory()
    data = shown_form(admin_client, change_address(study)) | {"title": "New"}
    Study.objects.update(state="paused", n_declined=4)

    admin_client.post(change_address(study), data)

    study.refresh_from_db()
    assert (study.title, study.state, study.n_declined) == ("New", "paused", 4)


@pytest.mark.parametrize("state", Study.State.values)
def test_only_legal_steps_have_a_button(state: str, admin_client: Client) -> None:
    study = StudyFactory(state=state)

    page = admin_client.get(change_address(study)).content.decode()

    offered = {name for name in Study.State.values if f'name="_step-{name}"' in page}
    assert offered == {following for following, _ in steps_from(state)}


def test_a_step_that_became_illegal_says_so(admin_client: Client) -> None:
    study = StudyFactory(state="draft")

    page = send(admin_client, study, **{"_step-archived": "1"})

    assert FAULTS["transition_illegal"] in page
    assert Study.objects.get().state == "draft"


def test_codes_are_proposed_for_the_outcomes_that_have_none(admin_client: Client) -> None:
    study = StudyFactory(state="draft")

    send(admin_client, study, _propose_codes="1")

    codes = {code.outcome: code for code in study.completion_codes.all()}
    assert set(codes) == set(Outcome)
    assert codes["completed"].code == "CODE1234"
    assert len({code.code for code in codes.values()}) == len(Outcome)
    assert codes["no_consent"].action == "REQUEST_RETURN"
    assert propose_codes(study=study, rng=random.Random(1)) == []


def test_no_proposed_action_turns_anybody_down() -> None:
    assert set(ACTIONS) == set(Outcome)
    assert "REJECT" not in "".join(ACTIONS.values())


def code_row(study: Study, **values: Any) -> dict[str, Any]:
    return {f"completion_codes-0-{name}": value for name, value in values.items()}


def test_a_code_that_may_have_been_handed_in_stays(admin_client: Client) -> None:
    study = StudyFactory()
    ParticipationFactory(study=study)

    for change in ({"code": "OTHER123"}, {"DELETE": "on"}):
        page = send(admin_client, study, **code_row(study, **change))
        assert "may have handed this code to Prolific" in page
    send(admin_client, study, **code_row(study, action="AUTOMATICALLY_APPROVE"))

    code = study.completion_codes.get()
    assert (code.code, code.action) == ("CODE1234", "AUTOMATICALLY_APPROVE")


def test_every_field_of_a_code_has_a_name_for_screen_readers(admin_client: Client) -> None:
    study = StudyFactory(state="draft")

    page = admin_client.get(change_address(study)).content.decode()

    fields = re.findall(r'<(?:input|select)[^>]*name="completion_codes-0-[^>]*>', page)
    shown = [field for field in fields if 'type="hidden"' not in field]
    assert len(shown) == 4
    assert all("of completion code 1" in field for field in shown)


@pytest.mark.parametrize("code", ["has space", "a&b=c", "ab", "Ünïcode"])
def test_a_code_that_breaks_an_address_is_refused(code: str, admin_client: Client) -> None:
    study = StudyFactory(state="draft")

    page = send(admin_client, study, **code_row(study, code=code))

    assert "letters, digits" in page
    assert study.completion_codes.get().code == "CODE1234"


def test_nothing_changes_in_the_archive(admin_client: Client) -> None:
    study = StudyFactory(state="archived")
    before = Study.objects.values().get()
    factor = FactorFactory()
    SituationVersionFactory(situation__factor=factor)

    send(admin_client, study, title="New")
    send(admin_client, study, **code_row(study, code="OTHER123"))
    page = send(admin_client, study, add_factors=[factor.pk])

    assert FAULTS["study_archived"] in page
    assert Study.objects.values().get() == before
    assert study.completion_codes.get().code == "CODE1234"
    assert study.study_situations.count() == 1


def test_an_imported_study_is_shown_without_what_it_cannot_do(admin_client: Client) -> None:
    study = StudyFactory(origin="imported", state="closed")

    page = send(admin_client, study, title="Named better")

    assert Study.objects.get().title == "Named better"
    assert "_step-" not in page
    assert "_propose_codes" not in page


@pytest.fixture
def catalogue() -> dict[str, Factor]:
    """Two factors of anger and one of fear with three situations each, one neutral situation."""
    anger, fear = EmotionFactory(name="Anger", position=0), EmotionFactory(name="Fear", position=1)
    factors = {
        name: FactorFactory(emotion=emotion, name=name, position=n)
        for n, (name, emotion) in enumerate([("a", anger), ("b", anger), ("c", fear)])
    }
    for factor in factors.values():
        for n in range(3):
            SituationVersionFactory(situation__factor=factor, situation__position=n)
        SituationVersionFactory(situation__factor=factor, situation__kind="positive")
    SituationVersionFactory(situation__factor=None, situation__kind="neutral")
    SituationVersionFactory(situation__factor=factors["a"], situation__state="draft")
    SituationFactory(factor=factors["a"])  # published, but without words
    return factors


def test_situations_are_chosen_by_emotion_factor_kind_and_number(catalogue) -> None:
    anger = catalogue["a"].emotion

    def counts(**choice: Any) -> dict[str, int]:
        found = choose_situations(**choice)
        names = [s.factor.name if s.factor else "neutral" for s in found]
        return {name: names.count(name) for name in dict.fromkeys(names)}

    assert counts(emotions=[anger]) == {"a": 3, "b": 3}
    assert counts(emotions=[anger], factors=[catalogue["c"]]) == {"a": 3, "b": 3, "c": 3}
    assert counts(factors=[catalogue["c"]], per_factor=2) == {"c": 2}
    assert counts(factors=[catalogue["c"]], kinds=["positive", "standard"], per_factor=2) == {
        "c": 3
    }
    assert counts(factors=[catalogue["b"]], kinds=["standard", "neutral"]) == {"b": 3, "neutral": 1}
    assert counts(emotions=[anger], collections=[]) == {"a": 3, "b": 3}
    assert counts() == {}


def test_situations_are_added_by_emotion_and_number_in_the_form(catalogue, admin_client) -> None:
    study = StudyFactory(n_situations=0)
    anger = catalogue["a"].emotion

    page = send(admin_client, study, add_emotions=[anger.pk], add_per_factor=2)
    again = send(admin_client, study, add_emotions=[anger.pk], add_per_factor=2)

    assert "4 situations added." in page
    assert "0 situations added." in again
    assert "4 situations, 0 of them closed" in again
    send(admin_client, study, title="Only the title")
    assert study.study_situations.count() == 4


def choose_action(client: Client, study: Study, action: str) -> str:
    rows = study.study_situations.values_list("pk", flat=True)
    address = reverse("admin:surveys_studysituation_changelist")
    data = {"action": action, "_selected_action": list(rows)}
    return client.post(f"{address}?study__id__exact={study.pk}", data, follow=True).content.decode()


def test_situations_are_closed_while_people_take_part_but_not_taken_out(
    admin_client: Client,
) -> None:
    study = StudyFactory(n_situations=2)
    ParticipationFactory(study=study)

    choose_action(admin_client, study, "close")
    assert set(study.study_situations.values_list("is_closed", flat=True)) == {True}
    page = choose_action(admin_client, study, "take_out")

    assert FAULTS["study_has_takers"] in page
    assert study.study_situations.count() == 2
    choose_action(admin_client, study, "open")
    assert set(study.study_situations.values_list("is_closed", flat=True)) == {False}
    assert study.events.count() == 4


def test_situations_are_taken_out_before_anybody_took_part(admin_client: Client) -> None:
    study = StudyFactory(state="pilot", n_situations=2)
    other = StudyFactory().study_situations.get()
    ParticipationFactory(study=study, is_test=True)

    choose_action(admin_client, study, "take_out")

    assert study.study_situations.count() == 0
    assert remove_situations(study=study, places=[other.pk]) == 0
    with pytest.raises(SurveyError, match="study_archived"):
        remove_situations(study=StudyFactory(state="archived"), places=[])


def test_the_form_does_not_grow_with_the_situations(admin_client: Client) -> None:
    """With a field for each of hundreds Django would refuse the whole form."""
    few, many = StudyFactory(n_situations=1), StudyFactory(n_situations=30)

    sizes = [len(shown_form(admin_client, change_address(study))) for study in (few, many)]

    assert sizes[0] == sizes[1]
