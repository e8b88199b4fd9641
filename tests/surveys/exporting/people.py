"""People with answers, for exports: everything about them given by the test."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from surveys.models import Administration, PageVisit, Participation, SituationVersion, Study
from tests.factories import ParticipationFactory

LATE = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
PROLIFIC_ID = "5f0c1a2b3c4d5e6f7a8b9c0d"
SESSION_ID = "60aa1a2b3c4d5e6f7a8b9c0e"
DEFAULT = [1, 2, 3, 4, 5] * 4
EVOKED = [5, 4, 3, 2, 1] * 4


def answered(
    study: Study,
    *,
    default: Sequence[int] = DEFAULT,
    evoked: Sequence[int] = EVOKED,
    situations: Sequence[SituationVersion] | None = None,
    prolific_id: str = "",
    **fields,
) -> Participation:
    """Somebody who finished, with items shown in reverse, thirty seconds a page."""
    keys = study.instrument.spec.item_keys
    given = {
        "state": "completed", "outcome": "completed", "item_order": list(reversed(keys)),
        "consented_at": LATE, "completed_at": LATE + timedelta(minutes=5), "pages_done": 10,
    }  # fmt: skip
    participation = ParticipationFactory(
        study=study, assigned=situations, prolific_id=prolific_id, **given | fields
    )
    measure(participation, 0, default)
    for position, _ in enumerate(participation.assignments.all(), start=1):
        measure(participation, position, evoked)
    return participation


def measure(participation: Participation, position: int, ratings: Sequence[int | None]) -> None:
    """One measure; scored where it is complete, by the sums of PANAS."""
    study = participation.study
    spec = study.instrument.spec
    by_item = dict(zip(spec.item_keys, ratings, strict=True))
    scores = None
    if None not in ratings:
        scores = {s.key: sum(by_item[key] for key in s.items) for s in spec.subscales}
    version = participation.assignments.get(position=position - 1) if position else None
    first = spec.item_keys[0]
    Administration.objects.create(
        participation=participation,
        position=position,
        instrument=study.instrument,
        phase="evoked" if position else "default",
        situation_version=version.situation_version if version else None,
        item_order=list(reversed(range(len(ratings)))),
        ratings=list(ratings),
        scores=scores,
        started_at=LATE,
        completed_at=LATE if scores else None,
        paradata={first: {"shown_at": LATE.isoformat(), "answered_at": None, "changes": 2}},
    )


def visited(participation: Participation, seconds: float) -> None:
    PageVisit.objects.bulk_create(
        PageVisit(
            participation=participation,
            number=number,
            first_shown_at=LATE,
            last_shown_at=LATE,
            saved_at=LATE + timedelta(seconds=seconds),
        )
        for number in range(1, participation.pages_done + 1)
    )
