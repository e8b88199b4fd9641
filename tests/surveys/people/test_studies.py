from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command

from surveys.domain.study_states import TRANSITIONS
from surveys.models import Situation, Study, StudySituation
from surveys.services.catalogue import load_catalogue, revise_situation
from surveys.services.errors import SurveyError
from surveys.services.studies import (
    add_situations,
    archive_study,
    change_state,
    close_study,
    end_pilot,
    open_study,
    pause_study,
    set_situation_closed,
    start_pilot,
)
from surveys.services.study_rules import opening_advice, opening_faults
from tests.factories import SituationVersionFactory, StudyFactory, complete_instrument

pytestmark = pytest.mark.django_db


def events(study: Study) -> list[str]:
    return list(study.events.order_by("id").values_list("kind", flat=True))


def test_a_study_opens_closes_and_opens_again() -> None:
    study = StudyFactory(state="draft")

    assert open_study(study=study).is_open
    assert open_study(study=study).is_open
    assert close_study(study=study).state == Study.State.CLOSED
    assert close_study(study=study).state == Study.State.CLOSED
    assert open_study(study=study).is_open
    assert events(study) == ["opened", "closed", "reopened"]


def test_a_whole_life_is_recorded_with_its_actor(admin_user) -> None:
    study = StudyFactory(state="draft")
    steps = (start_pilot, end_pilot, start_pilot, open_study, pause_study, open_study,
             close_study, archive_study, close_study)  # fmt: skip

    for step in steps:
        step(study=study, actor=admin_user)

    assert events(study) == [
        "pilot started", "pilot ended", "pilot started", "opened", "paused", "resumed",
        "closed", "archived", "restored",
    ]  # fmt: skip
    assert set(study.events.values_list("actor", flat=True)) == {admin_user.pk}


def test_the_first_opening_and_the_last_closing_are_kept() -> None:
    study = StudyFactory(state="draft")
    days = [datetime(2026, 12, day, tzinfo=UTC) for day in range(1, 6)]
    states = ["open", "closed", "open", "closed", "archived"]

    seen = []
    for state, day in zip(states, days, strict=True):
        study = change_state(study=study, state=state, now=day)
        seen.append((study.opened_at, study.closed_at))

    first = days[0]
    assert seen == [
        (first, None), (first, days[1]), (first, None), (first, days[3]), (first, days[3]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "following"),
    [(a, b) for a in Study.State.values for b in Study.State.values if a != b],
)
def test_only_legal_steps_are_taken(state: str, following: str) -> None:
    study = StudyFactory(state=state)

    if following in TRANSITIONS[state]:
        assert change_state(study=study, state=following).state == following
    else:
        with pytest.raises(SurveyError) as refused:
            change_state(study=study, state=following)
        assert refused.value.code == "transition_illegal"
        study.refresh_from_db()
        assert (study.state, events(study)) == (state, [])


def test_a_pilot_needs_what_an_open_study_needs() -> None:
    study = StudyFactory(state="draft", consent_text="")

    with pytest.raises(SurveyError) as refused:
        start_pilot(study=study)

    assert refused.value.code == "consent_text_missing"


def test_an_instructed_item_needs_options_with_words() -> None:
    study = StudyFactory(state="draft", attention_items=1)
    assert opening_faults(study=study) == ()

    study.instrument.definition["options"][0]["label"] = " "
    study.instrument.save()
    study = Study.objects.get()

    assert opening_faults(study=study) == ("options_unlabelled",)


@pytest.mark.parametrize(
    ("flags", "attention_items", "is_reachable"),
    [(4, 0, True), (5, 0, False), (5, 1, True), (6, 2, False), (None, 0, True)],
)
def test_an_exclusion_rule_that_nobody_can_meet_is_a_fault(
    flags: int | None, attention_items: int, is_reachable: bool
) -> None:
    study = StudyFactory(state="draft", exclusion_flags=flags, attention_items=attention_items)

    assert opening_faults(study=study) == (() if is_reachable else ("exclusion_unreachable",))


def test_what_would_be_missed_later_is_advised() -> None:
    study = StudyFactory(state="draft", debrief_text="")
    for outcome in ("no_consent", "withdrawn", "study_full"):
        study.completion_codes.create(outcome=outcome, code=outcome)
    assert set(opening_advice(study=study)) == {
        "contact_missing", "debrief_missing", "exclusion_rule_missing", "reward_missing",
        "pilot_missing",
    }  # fmt: skip

    study.attention_items = 1
    assert "codes_few" in opening_advice(study=study)


def test_one_situation_closes_and_opens_while_people_take_part() -> None:
    study = StudyFactory(n_situations=2)
    row = study.study_situations.first()

    set_situation_closed(study=study, place=row.pk, is_closed=True)
    set_situation_closed(study=study, place=row.pk, is_closed=True)
    assert [s.is_closed for s in study.study_situations.order_by("id")] == [True, False]
    set_situation_closed(study=study, place=row.pk, is_closed=False)

    assert events(study) == ["situation closed", "situation opened"]
    with pytest.raises(SurveyError) as refused:
        set_situation_closed(study=StudyFactory(), place=row.pk, is_closed=True)
    assert refused.value.code == "situation_unknown"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"consent_text": " "}, "consent_text_missing"),
        ({"completion_code": ""}, "completion_code_missing"),
        ({"n_situations": 0}, "situations_too_few"),
        ({"situations_per_person": 2}, "situations_too_few"),
        ({"origin": "imported"}, "study_imported"),
        ({"target_per_situation": 0}, "target_zero"),
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
