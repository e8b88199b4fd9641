"""Entering a study: who may, and the one participation that each link leads to."""

from __future__ import annotations

import random
import secrets
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import translation
from django.utils.translation import gettext as _

from surveys.domain.allocation import NoPlaceLeft, allocate
from surveys.domain.attention import draw_checks
from surveys.domain.entry_ids import EntryIds
from surveys.domain.protocol import ItemOrder, draw_item_order
from surveys.models import Assignment, AttentionCheck, Participant, Participation, Study
from surveys.prolific.entering import keep_submission
from surveys.services.errors import SurveyError
from surveys.services.places import count_places, has_room
from surveys.simulation.identities import is_forged, is_simulated

PILOT_PREFIX = "pilot-"


def find_participation(*, study: Study, ids: EntryIds | None, code: str) -> Participation | None:
    """The participation that these ids, or without ids this code, already lead to.

    In a pilot nobody is recognised by ids, so that the same person may try again and again.
    """
    participations = Participation.objects.filter(study=study)
    if ids is None or study.is_pilot:
        return participations.filter(code=code).first() if code else None
    return participations.filter(submission__prolific_participant_id=ids.participant).first()


def check_admission(*, study: Study, ids: EntryIds | None, now: datetime) -> None:
    """Raise SurveyError unless somebody new may enter now. Writes nothing."""
    _check_takes_people(study, ids)
    if not has_room(study=study, now=now):
        raise SurveyError(code="study_full")


def _check_takes_people(study: Study, ids: EntryIds | None) -> None:
    if study.origin == Study.Origin.IMPORTED:
        raise SurveyError(code="study_imported")
    if study.state == Study.State.DRAFT:
        raise SurveyError(code="study_draft")
    if study.state == Study.State.PAUSED:
        raise SurveyError(code="study_paused")
    if not (study.is_open or study.is_pilot):
        raise SurveyError(code="study_closed")
    if not study.instrument.is_complete:
        raise SurveyError(code="instrument_incomplete")
    if ids is None and not (study.admits_without_ids or study.is_pilot):
        raise SurveyError(code="ids_missing")
    # Simulated by somebody with another key: they would count as people.
    if ids is not None and is_forged(slug=study.slug, participant=ids.participant):
        raise SurveyError(code="ids_missing")


def enter_study(
    *,
    slug: str,
    ids: EntryIds | None,
    code: str,
    now: datetime,
    rng: random.Random,
    consent_version: str = "",
) -> Participation:
    """Record consent and give the participant their situations and their order of items.

    `consent_version` is that of the text they read, "" for the study's present one.

    `code` was drawn when the consent form was made and becomes the participation's secret: the
    same form sent twice leads to one participation, as does the same participant id from
    anywhere, also after the submission was returned. In a pilot the ids of the link are replaced
    by made-up ones: a test leaves no trace of a person, who may take part in earnest later.
    Raises SurveyError where somebody new may not enter.
    """
    try:
        return _enter(slug, ids, code, now, rng, consent_version)
    except IntegrityError:
        # Somebody was faster past every lock; the constraint kept one row, which is the answer.
        study = _study(slug)
        existing = find_participation(study=study, ids=ids, code=code)
        # A form that was sent in the pilot, and once more after it.
        existing = existing or find_participation(study=study, ids=None, code=code)
        if existing is None:
            raise
        return existing


def _study(slug: str, *, is_locked: bool = False) -> Study:
    studies = Study.objects.select_related("instrument")
    if is_locked:
        studies = studies.select_for_update(of=("self",))
    study: Study | None = studies.filter(slug=slug).first()
    if study is None:
        raise SurveyError(code="study_unknown")
    return study


@transaction.atomic
def _enter(
    slug: str,
    ids: EntryIds | None,
    code: str,
    now: datetime,
    rng: random.Random,
    consent_version: str,
) -> Participation:
    # The lock makes the counts of places true until the assignments made from them are stored.
    study = _study(slug, is_locked=True)
    existing = find_participation(study=study, ids=ids, code=code)
    if existing is not None:
        return existing
    _check_takes_people(study, ids)
    simulated = ids is not None and is_simulated(slug=slug, participant=ids.participant)
    if study.is_pilot and not simulated:
        ids = _made_up_ids()
    situations = _allocate(study, now, rng)
    participation = Participation.objects.create(
        study=study,
        participant=_participant(ids),
        code=code,
        is_test=study.is_pilot or simulated,
        language=study.language,
        item_order=draw_item_order(study.instrument.spec, ItemOrder(study.item_order), rng),
        consent_version=consent_version or study.consent_version,
        consented_at=now,
        last_seen_at=now,
    )
    Assignment.objects.bulk_create(
        Assignment(participation=participation, situation_version_id=pk, position=position)
        for position, pk in enumerate(situations)
    )
    _draw_checks(participation, study, rng)
    if ids is not None:
        keep_submission(participation=participation, ids=ids)
    return participation


def _draw_checks(participation: Participation, study: Study, rng: random.Random) -> None:
    """Which answers this person is asked to choose, where, and in which words."""
    if not study.attention_items:
        return
    with translation.override(study.language):
        checks = draw_checks(
            study.instrument.spec,
            n_measures=study.situations_per_person + 1,
            count=study.attention_items,
            rng=rng,
            say=lambda words: _("Please choose “%(answer)s” here.") % {"answer": words},
        )
    AttentionCheck.objects.bulk_create(
        AttentionCheck(
            participation=participation,
            measure_position=check.measure_position,
            place=check.place,
            asked_value=check.asked_value,
            text=check.text,
        )
        for check in checks
    )


def _made_up_ids() -> EntryIds:
    return EntryIds(*(PILOT_PREFIX + secrets.token_hex(8) for _ in range(3)))


def _allocate(study: Study, now: datetime, rng: random.Random) -> tuple[int, ...]:
    try:
        return allocate(
            count_places(study=study, now=now),
            count=study.situations_per_person,
            rng=rng,
            target=study.target_per_situation,
        )
    except NoPlaceLeft as error:
        raise SurveyError(code="study_full", detail=str(error)) from error


def _participant(ids: EntryIds | None) -> Participant:
    """The pseudonym of a person who took part in another study before, or a new one."""
    if ids is not None:
        earlier = Participant.objects.filter(
            participations__submission__prolific_participant_id=ids.participant
        ).first()
        if earlier is not None:
            return earlier
    return Participant.objects.create()
