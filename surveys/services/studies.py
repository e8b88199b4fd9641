"""The life of a study: filled with situations, piloted, opened, paused, closed, archived."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from surveys.domain.study_states import ENTERABLE, STEPS, may_follow
from surveys.models import Situation, Study, StudyEvent, StudySituation
from surveys.services.errors import SurveyError
from surveys.services.study_rules import opening_faults


@transaction.atomic
def change_state(
    *,
    study: Study,
    state: str,
    actor: User | None = None,
    now: datetime | None = None,
) -> Study:
    """Bring a study into a state, and record who did it; being there already is nothing.

    `actor` is None where the software did it. Raises SurveyError `transition_illegal`, or, where
    people could enter, the gravest of `opening_faults` with all of them as its detail.
    """
    locked = lock_study(study)
    if locked.state == state:
        return locked
    if locked.origin == Study.Origin.IMPORTED:
        raise SurveyError(code="study_imported")
    if not may_follow(locked.state, state):
        raise SurveyError(code="transition_illegal", detail=f"{locked.state} to {state}")
    faults = opening_faults(study=locked) if state in ENTERABLE else ()
    if faults:
        raise SurveyError(code=faults[0], detail=", ".join(faults))
    record_event(study=locked, kind=STEPS[locked.state, state], actor=actor)
    _set_state(locked, Study.State(state), now or timezone.now())
    return locked


def start_pilot(*, study: Study, actor: User | None = None) -> Study:
    """Let people try the study; all of them are tests and none is counted."""
    return change_state(study=study, state=Study.State.PILOT, actor=actor)


def end_pilot(*, study: Study, actor: User | None = None) -> Study:
    """Make a piloted study a draft again, which lets nobody in."""
    return change_state(study=study, state=Study.State.DRAFT, actor=actor)


def open_study(*, study: Study, actor: User | None = None) -> Study:
    """Let people in, also again after a pause or after closing."""
    return change_state(study=study, state=Study.State.OPEN, actor=actor)


def pause_study(*, study: Study, actor: User | None = None) -> Study:
    """Let nobody new in for a while; who has begun may finish."""
    return change_state(study=study, state=Study.State.PAUSED, actor=actor)


def close_study(*, study: Study, actor: User | None = None) -> Study:
    """Let nobody new in for good, or take a study out of the archive; who has begun may finish."""
    return change_state(study=study, state=Study.State.CLOSED, actor=actor)


def archive_study(*, study: Study, actor: User | None = None) -> Study:
    """Put a closed study away; its answers stay, and it can be restored with `close_study`."""
    return change_state(study=study, state=Study.State.ARCHIVED, actor=actor)


@transaction.atomic
def add_situations(*, study: Study, situations: Iterable[Situation]) -> int:
    """Put the newest words of each situation into the study. Returns how many are new there.

    A situation that is in the study in older words stays in those, so that nobody is given the
    same scene twice. Raises SurveyError: `situations_unpublished`, `study_imported` or
    `study_archived`.
    """
    locked = lock_study(study)
    if locked.origin == Study.Origin.IMPORTED:
        raise SurveyError(code="study_imported")
    if locked.state == Study.State.ARCHIVED:
        raise SurveyError(code="study_archived")
    present = set(locked.situations.values_list("situation_id", flat=True))
    new = [situation for situation in situations if situation.pk not in present]
    for situation in new:
        if situation.state != Situation.State.PUBLISHED or situation.current_version is None:
            raise SurveyError(code="situations_unpublished", detail=f"{situation}")
    StudySituation.objects.bulk_create(
        StudySituation(study=locked, situation_version=situation.current_version)
        for situation in new
    )
    return len(new)


@transaction.atomic
def set_situation_closed(
    *, study: Study, place: int, is_closed: bool, actor: User | None = None
) -> StudySituation:
    """Give one situation (the id of its row in the study) to nobody new, or to people again.

    Whoever has it keeps it. Raises SurveyError `situation_unknown`.
    """
    # The study's lock is the one under which situations are given out.
    locked = lock_study(study)
    row: StudySituation | None = (
        locked.study_situations.select_related("situation_version__situation__factor__emotion")
        .filter(pk=place)
        .first()
    )
    if row is None:
        raise SurveyError(code="situation_unknown")
    if row.is_closed != is_closed:
        row.is_closed = is_closed
        row.save(update_fields=["is_closed"])
        kind = "situation closed" if is_closed else "situation opened"
        record_event(study=locked, kind=kind, detail=f"{row.situation_version}", actor=actor)
    return row


def record_event(
    *, study: Study, kind: str, detail: str = "", actor: User | None = None
) -> StudyEvent:
    """Write down what happened to a study; in the transaction in which it happened."""
    event: StudyEvent = StudyEvent.objects.create(
        study=study, kind=kind, detail=detail, actor=actor
    )
    return event


def lock_study(study: Study) -> Study:
    """The stored study, locked until the transaction ends."""
    studies = Study.objects.select_for_update(of=("self",)).select_related("instrument")
    locked: Study = studies.get(pk=study.pk)
    return locked


def _set_state(study: Study, state: Study.State, now: datetime) -> None:
    """The first opening and the last closing are kept; an open study has not closed."""
    if state == Study.State.OPEN:
        study.opened_at = study.opened_at or now
        study.closed_at = None
    elif state == Study.State.CLOSED:
        study.closed_at = study.closed_at or now
    study.state = state
    study.save(update_fields=["state", "opened_at", "closed_at"])
