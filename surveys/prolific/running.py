"""Publishing, pausing, starting again and stopping the study on Prolific."""

from __future__ import annotations

from django.contrib.auth.models import User

from surveys.models import ProlificStudy
from surveys.prolific.checks import list_disagreements
from surveys.prolific.client import ProlificClient
from surveys.prolific.drafts import note_description
from surveys.services.errors import SurveyError
from surveys.services.studies import record_event

PUBLISH, START, PAUSE, STOP = "PUBLISH", "START", "PAUSE", "STOP"
_DONE = {
    PUBLISH: "prolific published",
    START: "prolific started",
    PAUSE: "prolific paused",
    STOP: "prolific stopped",
}


def check_launch(*, row: ProlificStudy, client: ProlificClient) -> tuple[str, ...]:
    """What Prolific's study and ours disagree about, as it is now; the description is stored."""
    described = client.get_study(row.prolific_id)
    note_description(row, described)
    row.save()
    return list_disagreements(study=row.study, described=described)


def move_study(
    *,
    row: ProlificStudy,
    action: str,
    client: ProlificClient,
    actor: User | None = None,
) -> ProlificStudy:
    """Publish, start, pause or stop; publishing only where both sides agree about everything.

    Raises SurveyError `launch_disagreements` with all of them.
    """
    if action in (PUBLISH, START):
        disagreements = check_launch(row=row, client=client)
        if disagreements:
            raise SurveyError(code="launch_disagreements", detail=" ".join(disagreements))
    client.transition_study(row.prolific_id, action)
    # The act is written down before anything else can fail.
    record_event(study=row.study, kind=_DONE[action], actor=actor)
    note_description(row, client.get_study(row.prolific_id))
    row.save()
    return row
