from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command

from surveys.models import Factor, InstrumentVersion, Situation, Study, StudySituation
from surveys.services.catalogue import is_in_use, load_catalogue, revise_situation
from surveys.services.situations import add_situation

pytestmark = pytest.mark.django_db


@pytest.fixture
def factor() -> Factor:
    load_catalogue()
    return Factor.objects.get(name="Driving Situations")


def give_to_a_study(situation: Situation) -> None:
    study = Study.objects.create(
        slug="x", title="X", instrument=InstrumentVersion.objects.get(key="PANAS")
    )
    StudySituation.objects.create(study=study, situation_version=situation.current_version)


def test_loading_twice_changes_nothing() -> None:
    first, second = load_catalogue(), load_catalogue()

    assert first.created == 9 + 180 + 36 + 12
    assert (second.created, second.updated, second.unchanged) == (0, 0, first.created)
    assert Situation.objects.published().standard().count() == 180
    assert Situation.objects.filter(kind="neutral").count() == 12


def test_the_command_reports_what_it_did() -> None:
    out = StringIO()
    call_command("load_catalogue", format="json", stdout=out)

    assert json.loads(out.getvalue()) == {"created": 237, "updated": 0, "unchanged": 0}


def test_situations_are_named_as_in_the_release(factor: Factor) -> None:
    first = Situation.objects.in_catalogue_order().filter(factor=factor, kind="standard").first()

    assert first.code == "Anger-4_scenario-0"


def test_words_that_nobody_was_given_are_edited_in_place(factor: Factor) -> None:
    situation = add_situation(factor=factor, text="You wait.")

    assert revise_situation(situation=situation, text="You wait for long.")
    assert [v.text for v in situation.versions.all()] == ["You wait for long."]


def test_words_in_use_stay_and_a_new_version_is_made(factor: Factor) -> None:
    situation = add_situation(factor=factor, text="You wait.")
    give_to_a_study(situation)

    assert is_in_use(situation.current_version)
    assert revise_situation(situation=situation, text="You wait for long.")
    assert [(v.number, v.text) for v in situation.versions.all()] == [
        (1, "You wait."),
        (2, "You wait for long."),
    ]
    assert situation.current_version.number == 2


def test_the_same_words_are_no_revision(factor: Factor) -> None:
    situation = add_situation(factor=factor, text="You wait.")

    assert not revise_situation(situation=situation, text="You wait.")


def test_what_an_admin_revised_survives_the_next_load(factor: Factor) -> None:
    situation = Situation.objects.filter(factor=factor, kind="standard").first()
    give_to_a_study(situation)
    revise_situation(situation=situation, text="You drive on.")

    assert load_catalogue().updated == 0
    assert situation.versions.last().text == "You drive on."


def test_added_situations_are_drafts_numbered_within_their_factor(factor: Factor) -> None:
    first = add_situation(factor=factor, text="One.")
    second = add_situation(factor=factor, text="Two.")
    neutral = add_situation(factor=None, text="Three.", kind="neutral")

    assert [first.position, second.position, neutral.position] == [0, 1, 0]
    assert first.state == Situation.State.DRAFT
    assert first not in Situation.objects.published()
