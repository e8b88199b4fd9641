"""A participation for looking at a study's pages: it exists within a block and is never stored.

The pages are shown by the very functions that show them to participants, from rows that they
read and write as ever; the transaction is always rolled back. A synthetic object beside the
database would have to follow whatever those functions come to ask for.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction

from surveys.domain.outcomes import Outcome
from surveys.domain.protocol import ItemOrder, draw_item_order
from surveys.models import Assignment, Participant, Participation, Study, Submission

REHEARSAL = "rehearsal-"


@contextmanager
def rehearse(*, study: Study, now: datetime) -> Iterator[Participation]:
    """A consenting participant of Prolific with the study's first open situations.

    It may be changed and saved at will inside the block; nothing of the block is ever stored.
    The same study gives the same order of items each time.
    """
    with transaction.atomic():
        try:
            yield _make(study, now)
        finally:
            transaction.set_rollback(True)


@contextmanager
def rehearse_entry(*, study: Study) -> Iterator[None]:
    """Within the block the study lets people in, whatever its state and however full it is."""
    with transaction.atomic():
        try:
            Study.objects.filter(pk=study.pk).update(
                state=Study.State.PILOT, target_per_situation=None
            )
            yield
        finally:
            transaction.set_rollback(True)


def _make(study: Study, now: datetime) -> Participation:
    spec = study.instrument.spec
    rng = random.Random(study.pk)
    participation: Participation = Participation.objects.create(
        study=study,
        participant=Participant.objects.create(),
        is_test=True,
        language=study.language,
        item_order=draw_item_order(spec, ItemOrder(study.item_order), rng),
        consent_version=study.consent_version,
        consented_at=now,
        last_seen_at=now,
    )
    places = study.study_situations.filter(is_closed=False).order_by("id")
    versions = places.values_list("situation_version_id", flat=True)
    Assignment.objects.bulk_create(
        Assignment(participation=participation, situation_version_id=pk, position=position)
        for position, pk in enumerate(versions[: study.situations_per_person])
    )
    Submission.objects.create(
        study=study,
        participation=participation,
        prolific_participant_id=REHEARSAL + participation.code,
        prolific_study_id=REHEARSAL,
        prolific_session_id=REHEARSAL,
    )
    return participation


def go_to_page(participation: Participation, number: int) -> None:
    """Let everything before this page be done."""
    participation.pages_done = number - 1
    participation.save(update_fields=["pages_done"])


def finish(participation: Participation, *, n_pages: int, now: datetime, has_left: bool) -> None:
    """Let every page be done, and with `has_left` the debriefing as well."""
    participation.pages_done = n_pages
    participation.state = Participation.State.COMPLETED
    participation.outcome = Outcome.COMPLETED
    participation.completed_at = now
    participation.left_at = now if has_left else None
    participation.save()
