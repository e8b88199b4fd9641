"""A participation for looking at a study's pages: it exists within a block and is never stored.

Entering and the pages are the participants' own, over rows that they read and write as ever; the
transaction is always rolled back. A synthetic object beside the database would have to follow
whatever those functions come to ask for.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction

from surveys.domain.outcomes import Outcome
from surveys.models import Participation, Study
from surveys.models.participation import new_code
from surveys.services.entry import enter_study
from surveys.services.places import count_places


@contextmanager
def rehearse_entry(*, study: Study, now: datetime) -> Iterator[None]:
    """Within the block the study lets people in, whatever its state and however full it is.

    With fewer open situations than each person is to get, people get those that there are.
    Nothing that happens in the block is ever stored.
    """
    with transaction.atomic():
        try:
            n_open = len(count_places(study=study, now=now))
            Study.objects.filter(pk=study.pk).update(
                state=Study.State.PILOT,
                target_per_situation=None,
                situations_per_person=min(study.situations_per_person, n_open),
            )
            yield
        finally:
            transaction.set_rollback(True)


@contextmanager
def rehearse(*, study: Study, now: datetime) -> Iterator[Participation]:
    """Somebody who has just consented; may be changed and saved at will inside the block.

    The same study, equally filled, gives the same situations and order of items each time. Raises
    SurveyError `instrument_incomplete`.
    """
    with rehearse_entry(study=study, now=now):
        yield enter_study(
            slug=study.slug, ids=None, code=new_code(), now=now, rng=random.Random(study.pk)
        )


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
