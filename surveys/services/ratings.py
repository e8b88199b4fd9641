"""Storing the answers of one page of a measure, with how they came about."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction

from surveys.domain.pages import RatingsPage
from surveys.domain.paradata import ClientReport, trace_items
from surveys.models import Administration, AttentionCheck
from surveys.services.journey import Journey


def store_ratings(
    *,
    journey: Journey,
    page: RatingsPage,
    given: Mapping[str, int],
    shown_at: datetime,
    now: datetime,
    report: ClientReport,
) -> dict[str, int]:
    """Add the given ratings to the measure, for the caller's transaction; all of its ratings.

    Nothing is written where they are there already. A complete measure is scored.
    """
    before = journey.ratings(page.measure_position)
    ratings = {**before, **given}
    if ratings == before:
        return ratings
    administration = journey.administrations.get(page.measure_position)
    if administration is None:
        administration = _new_administration(journey, page, now)
    administration.paradata = trace_items(
        administration.paradata,
        places={item.key: place for place, item in enumerate(page.items, page.first_place)},
        answered_before=before,
        given=given,
        shown_at=shown_at,
        now=now,
        report=report,
    )
    _set_ratings(administration, journey, page, ratings, now)
    administration.save()
    return ratings


def store_check(*, check: AttentionCheck, answer: int, now: datetime) -> None:
    """Keep the answer to an instructed item; the last one before its page was left is what counts.

    The same answer once more keeps the time of the first.
    """
    if check.answered_value == answer:
        return
    check.answered_value = answer
    check.answered_at = now
    check.save(update_fields=["answered_value", "answered_at"])


def _set_ratings(
    administration: Administration,
    journey: Journey,
    page: RatingsPage,
    ratings: Mapping[str, int],
    now: datetime,
) -> None:
    administration.ratings = [ratings.get(key) for key in journey.instrument.item_keys]
    if len(ratings) < len(journey.instrument.items):
        return
    in_order = [ratings[key] for key in journey.protocol.item_order]
    scores = journey.protocol.administer(page.measure, in_order).scores
    # Means are exact fractions, which JSON does not know.
    administration.scores = {
        key: float(value) if isinstance(value, Fraction) else value for key, value in scores.items()
    }
    administration.completed_at = administration.completed_at or now


def _new_administration(journey: Journey, page: RatingsPage, now: datetime) -> Administration:
    index = {key: position for position, key in enumerate(journey.instrument.item_keys)}
    situation = page.measure.situation
    return Administration(
        participation=journey.participation,
        position=page.measure_position,
        instrument_id=journey.participation.study.instrument_id,
        phase=page.measure.phase.value,
        situation_version_id=situation.key if situation else None,
        item_order=[index[key] for key in journey.protocol.item_order],
        started_at=now,
    )
