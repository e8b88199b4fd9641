from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from surveys.models import Situation, Study, StudySituation
from surveys.services.catalogue import load_catalogue, revise_situation
from surveys.services.errors import SurveyError
from surveys.services.studies import add_situations, close_study, open_study, opening_faults
from tests.factories import SituationVersionFactory, StudyFactory, complete_instrument

pytestmark = pytest.mark.django_db


def test_a_study_opens_closes_and_opens_again() -> None:
    study = StudyFactory(state="draft")

    assert open_study(study=study).is_open
    assert open_study(study=study).is_open
    assert close_study(study=study).state == Study.State.CLOSED
    assert close_study(study=study).state == Study.State.CLOSED
    assert open_study(study=study).is_open


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"consent_text": " "}, "consent_text_missing"),
        ({"completion_code": ""}, "completion_code_missing"),
        ({"n_situations": 0}, "situations_too_few"),
        ({"situations_per_person": 2}, "situations_too_few"),
        ({"origin": "imported"}, "study_imported"),
    ],
)
def test_an_unfinished_study_does_not_open(fields: dict, code: str) -> None:
    study = StudyFactory(state="draft", **fields)

    with pytest.raises(SurveyError) as refused:
        open_study(study=study)

    assert refused.value.code == code
    study.refresh_from_db()
    assert study.state == "draft"


def test_a_study_opens_only_with_published_situations_and_a_whole_instrument() -> None:
    instrument = complete_instrument("dass_21")
    instrument.item_texts = {}
    instrument.save()
    study = StudyFactory(state="draft", instrument=instrument)
    Situation.objects.update(state="draft")

    assert opening_faults(study=study) == ("instrument_incomplete", "situations_unpublished")


def test_situations_join_a_study_once_in_their_newest_words() -> None:
    study = StudyFactory(n_situations=0)
    old = SituationVersionFactory()
    new = SituationVersionFactory(situation=old.situation, number=2)

    assert add_situations(study=study, situations=[old.situation]) == 1
    assert add_situations(study=study, situations=Situation.objects.all()) == 0
    revise_situation(situation=old.situation, text="You hear that the shop has closed for good.")
    assert add_situations(study=study, situations=[old.situation]) == 0
    assert study.situations.get() == new


def test_drafts_do_not_join_a_study() -> None:
    study = StudyFactory(n_situations=0)
    version = SituationVersionFactory(situation__state="draft")

    with pytest.raises(SurveyError) as refused:
        add_situations(study=study, situations=[version.situation])

    assert refused.value.code == "situations_unpublished"
    assert not StudySituation.objects.exists()


def test_the_demonstration_needs_the_catalogue() -> None:
    with pytest.raises(CommandError, match="load_catalogue"):
        call_command("open_demo_study")


def test_the_demonstration_opens_once_and_lets_people_in(client, capsys) -> None:
    load_catalogue()

    call_command("open_demo_study", "--format", "json")
    first = json.loads(capsys.readouterr().out)
    rows = (Study.objects.values().get(), StudySituation.objects.count())
    call_command("open_demo_study", "--format", "json")
    second = json.loads(capsys.readouterr().out)

    assert first["address"].endswith("/s/demo/")
    assert (first["created"], second["created"]) == (True, False)
    assert (Study.objects.values().get(), StudySituation.objects.count()) == rows
    assert rows[1] == Situation.objects.filter(kind="standard").count()
    assert client.get("/s/demo/").status_code == 200


def test_the_demonstration_stays_closed_when_an_admin_closed_it() -> None:
    load_catalogue()
    call_command("open_demo_study")
    close_study(study=Study.objects.get())

    call_command("open_demo_study")

    assert Study.objects.get().state == "closed"
