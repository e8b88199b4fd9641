"""Drafting on Prolific, checking both sides, publishing, pausing, stopping."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from surveys.domain.outcomes import Outcome
from surveys.models import ProlificStudy, Study
from surveys.prolific.checks import list_disagreements
from surveys.prolific.client import ProlificClient
from surveys.prolific.drafts import connect_study, draft_study, push_study, study_fields
from surveys.prolific.errors import ProlificError
from surveys.prolific.running import check_launch, move_study
from surveys.services.errors import SurveyError
from tests.surveys.prolific.rows import paid_study
from tests.surveys.prolific.stand_in import ProlificStandIn

pytestmark = pytest.mark.django_db


def draft(study: Study, client: ProlificClient) -> ProlificStudy:
    return draft_study(study=study, client=client)


def move(row: ProlificStudy, action: str, client: ProlificClient) -> ProlificStudy:
    return move_study(row=row, action=action, client=client)


def kinds(study: Study) -> list[str]:
    return [event.kind for event in study.events.order_by("id")]


def test_a_draft_carries_everything(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = paid_study(consent_text="# Title\nImagine a *situation*.\n\n## Data\nSecret part")

    row = draft(study, client_of_prolific)

    there = prolific.studies[row.prolific_id]
    assert there["status"] == "UNPUBLISHED"
    assert there["external_study_url"] == (
        f"https://survey.example.org/s/{study.slug}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}"
        "&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    assert there["description"] == "<p>Imagine a <em>situation</em>.</p>"
    assert (there["reward"], there["total_available_places"]) == (120, 10)
    assert (there["estimated_completion_time"], there["maximum_allowed_time"]) == (8, 16)
    assert there["prolific_id_option"] == "url_parameters"
    assert there["content_warnings"] == ["sensitive"]
    codes = {code["code_type"]: code for code in there["completion_codes"]}
    assert codes["NO_CONSENT"]["actions"] == [
        {"action": "REQUEST_RETURN", "return_reason": "Did not consent"}
    ]
    assert codes["COMPLETED"]["actions"] == [{"action": "MANUALLY_REVIEW"}]
    assert len(there["completion_codes"]) == 5
    assert kinds(study) == ["prolific drafted"]


def test_every_outcome_has_its_type_and_no_code_rejects(client_of_prolific: ProlificClient) -> None:
    study = paid_study()

    codes = study_fields(study=study)["completion_codes"]

    assert len(codes) == len(Outcome)
    assert "REJECT" not in str(codes).upper()


def test_an_unfinished_study_is_not_drafted(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient, settings: Any
) -> None:
    study = paid_study()
    Study.objects.filter(pk=study.pk).update(reward_minor=None, consent_text=" ")
    study.refresh_from_db()
    settings.SITE_URL = "http://localhost:8000"

    with pytest.raises(SurveyError) as caught:
        draft(study, client_of_prolific)

    assert caught.value.code == "draft_incomplete"
    for word in ("reward", "consent text", "AFFECTBENCH_SITE_URL"):
        assert word in str(caught.value)
    assert prolific.studies == {}


def test_a_study_is_drafted_once(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = paid_study()
    draft(study, client_of_prolific)

    with pytest.raises(SurveyError) as caught:
        draft(study, client_of_prolific)

    assert caught.value.code == "prolific_exists"
    assert len(prolific.studies) == 1


def test_two_studies_cannot_share_one_on_prolific(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    prolific.add_study("st1")
    first, second = paid_study(), paid_study()
    connect = {"prolific_id": "st1", "client": client_of_prolific}
    connect_study(study=first, **connect)

    with pytest.raises(SurveyError) as caught:
        connect_study(study=second, **connect)

    assert caught.value.code == "prolific_exists"
    assert kinds(second) == []


def test_a_failed_draft_stores_nothing(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    study = paid_study()
    prolific.fail("/studies/", 400)

    with pytest.raises(ProlificError):
        draft(study, client_of_prolific)

    assert not ProlificStudy.objects.exists()
    assert kinds(study) == []


def spoil(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda there: there.update(fields)


def drop_code(there: dict[str, Any]) -> None:
    there["completion_codes"].pop()


def other_action(there: dict[str, Any]) -> None:
    there["completion_codes"][0]["actions"] = [{"action": "AUTOMATICALLY_APPROVE"}]


def other_type(there: dict[str, Any]) -> None:
    there["completion_codes"][1]["code_type"] = "OTHER"


def other_code(there: dict[str, Any]) -> None:
    there["completion_codes"].append({"code": "STRANGE", "code_type": "OTHER", "actions": []})


def old_form(there: dict[str, Any]) -> None:
    there["completion_codes"] = []
    there["completion_code"] = "CODE1234"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (spoil(reward=100), "The reward is 100 on Prolific and 120 here."),
        (spoil(total_available_places=9), "The number of places is 9"),
        (spoil(external_study_url="https://elsewhere.org"), "The address of the study is"),
        (spoil(maximum_allowed_time=5), "allows 5 minutes at most"),
        (spoil(prolific_id_option="question"), "How the ids are passed on"),
        (drop_code, "is missing on Prolific"),
        (other_action, "leads to AUTOMATICALLY_APPROVE on Prolific and to MANUALLY_REVIEW here"),
        (other_type, "is of the type OTHER on Prolific"),
        (other_code, "The code STRANGE on Prolific is unknown here"),
        (old_form, "leads to nothing on Prolific"),
    ],
)
def test_a_disagreement_is_named_and_keeps_from_publishing(
    change: Callable[[dict[str, Any]], None],
    words: str,
    prolific: ProlificStandIn,
    client_of_prolific: ProlificClient,
) -> None:
    row = draft(paid_study(), client_of_prolific)
    change(prolific.studies[row.prolific_id])

    with pytest.raises(SurveyError) as caught:
        move(row, "PUBLISH", client_of_prolific)

    assert caught.value.code == "launch_disagreements"
    assert words in str(caught.value)
    assert prolific.studies[row.prolific_id]["status"] == "UNPUBLISHED"
    assert prolific.sent("/transition/") == []


def test_two_live_studies_keep_their_own_codes(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    first, second = (draft(paid_study(), client_of_prolific) for _ in range(2))

    there = prolific.studies[second.prolific_id]
    mixed = list_disagreements(study=first.study, described=there)

    assert check_launch(row=first, client=client_of_prolific) == ()
    assert sum("is missing on Prolific" in line for line in mixed) == 4


def test_a_study_that_is_closed_here_is_not_published(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    row = draft(paid_study(state=Study.State.PAUSED), client_of_prolific)

    with pytest.raises(SurveyError, match="The study is paused here"):
        move(row, "PUBLISH", client_of_prolific)


def test_the_life_of_a_study_on_prolific(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    row = draft(paid_study(), client_of_prolific)

    assert move(row, "PUBLISH", client_of_prolific).status == "PROCESSING"
    assert check_launch(row=row, client=client_of_prolific) == ()
    assert move(row, "PAUSE", client_of_prolific).status == "PAUSED"
    assert move(row, "START", client_of_prolific).status == "ACTIVE"
    assert move(row, "STOP", client_of_prolific).status == "AWAITING_REVIEW"
    assert kinds(row.study) == [
        "prolific drafted", "prolific published", "prolific paused", "prolific started",
        "prolific stopped",
    ]  # fmt: skip


def test_a_refused_transition_is_no_event(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    row = draft(paid_study(), client_of_prolific)

    with pytest.raises(ProlificError, match="cannot PAUSE a study that is UNPUBLISHED"):
        move(row, "PAUSE", client_of_prolific)

    assert kinds(row.study) == ["prolific drafted"]


def test_a_draft_takes_over_changes_and_a_published_study_only_more_places(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    row = draft(paid_study(), client_of_prolific)
    there = prolific.studies[row.prolific_id]
    push = {"row": row, "client": client_of_prolific}

    row.study.reward_minor = 200
    push_study(**push)
    assert there["reward"] == 200

    there["status"] = "ACTIVE"
    row.study.n_places = 12
    assert push_study(**push).n_places == 12
    row.study.n_places = 3
    with pytest.raises(SurveyError) as caught:
        push_study(**push)
    assert caught.value.code == "push_too_late"
    assert there["total_available_places"] == 12
