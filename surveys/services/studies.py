"""The life of a study: filled with situations, opened, closed."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from surveys.domain.outcomes import Outcome
from surveys.models import Situation, Study, StudySituation
from surveys.services.errors import SurveyError


def opening_faults(*, study: Study) -> tuple[str, ...]:
    """The codes of everything that keeps a study from opening, the gravest first."""
    if study.origin == Study.Origin.IMPORTED:
        return ("study_imported",)
    places = study.study_situations.filter(is_closed=False)
    unpublished = places.exclude(situation_version__situation__state=Situation.State.PUBLISHED)
    faults = {
        "instrument_incomplete": not study.instrument.is_complete,
        "consent_text_missing": not study.consent_text.strip(),
        "completion_code_missing": not study.code_for(Outcome.COMPLETED),
        "situations_too_few": places.count() < study.situations_per_person,
        "situations_unpublished": unpublished.exists(),
    }
    return tuple(code for code, is_so in faults.items() if is_so)


@transaction.atomic
def open_study(*, study: Study) -> Study:
    """Let people in, also again after closing. Raises SurveyError with the gravest fault."""
    locked = _lock(study)
    if locked.is_open:
        return locked
    faults = opening_faults(study=locked)
    if faults:
        raise SurveyError(code=faults[0], detail=", ".join(faults))
    return _set_state(locked, Study.State.OPEN)


@transaction.atomic
def close_study(*, study: Study) -> Study:
    """Let nobody new in; who has begun may finish. Closing a draft or a closed study is nothing."""
    locked = _lock(study)
    return _set_state(locked, Study.State.CLOSED) if locked.is_open else locked


@transaction.atomic
def add_situations(*, study: Study, situations: Iterable[Situation]) -> int:
    """Put the newest words of each situation into the study. Returns how many are new there.

    A situation that is in the study in older words stays in those, so that nobody is given the
    same scene twice. Raises SurveyError: `situations_unpublished`, or `study_imported`.
    """
    locked = _lock(study)
    if locked.origin == Study.Origin.IMPORTED:
        raise SurveyError(code="study_imported")
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


def _lock(study: Study) -> Study:
    studies = Study.objects.select_for_update(of=("self",)).select_related("instrument")
    locked: Study = studies.get(pk=study.pk)
    return locked


def _set_state(study: Study, state: Study.State) -> Study:
    study.state = state
    study.save(update_fields=["state"])
    return study
