"""Saving a page: one transaction, safe to repeat, keeping every answer that was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from django.db import transaction

from surveys.domain.answers import read_ratings
from surveys.domain.demographics import QUESTIONS, read_demographics
from surveys.domain.pages import (
    DemographicsPage,
    RatingsPage,
    SituationPage,
    first_unanswered_page,
)
from surveys.models import Administration, Participation
from surveys.services.countries import country_names
from surveys.services.journey import Journey, load_journey


@dataclass(frozen=True, slots=True)
class SavedPage:
    """What became of a page.

    `faults` maps item keys or questions to fault codes; empty where nothing is wrong. `next_page`
    is the page to fill now, None once the participation is over.
    """

    journey: Journey
    faults: Mapping[str, str]
    next_page: int | None


@transaction.atomic
def save_page(
    *, slug: str, code: str, number: int, sent: Mapping[str, str], now: datetime
) -> SavedPage:
    """Store the answers of page `number`, keyed by item or question, and move on.

    Valid answers of a page with faults are kept as well, but the page stays the current one. A
    page that is not open to this participant (ahead of them, sealed, or after the end) changes
    nothing. The last page completes the participation in the same transaction. Raises SurveyError
    `participation_unknown`.
    """
    journey = load_journey(slug=slug, code=code, is_locked=True)
    if not journey.is_open(number):
        return SavedPage(journey, {}, journey.current_page if journey.is_active else None)
    participation = journey.participation
    faults: Mapping[str, str] = {}
    gap: int | None = None
    match journey.pages[number - 1]:
        case DemographicsPage():
            faults = _keep_demographics(participation, sent, now)
        case SituationPage():
            pass
        case RatingsPage() as page:
            faults, gap = _keep_ratings(journey, page, sent, now)
    if not faults and gap is None:
        participation.pages_done = max(participation.pages_done, number)
        if participation.pages_done >= len(journey.pages):
            complete_participation(participation=participation, now=now)
    participation.last_seen_at = now
    participation.save(
        update_fields=[*QUESTIONS, "declined_questions", "pages_done", "last_seen_at", "state",
                       "completed_at"]
    )  # fmt: skip
    if faults:
        return SavedPage(journey, faults, number)
    next_page = gap or journey.current_page
    return SavedPage(journey, {}, next_page if journey.is_active else None)


def complete_participation(*, participation: Participation, now: datetime) -> None:
    """Mark as completed; the caller saves, in the transaction that holds the last answers."""
    participation.state = Participation.State.COMPLETED
    participation.completed_at = now


def _keep_demographics(
    participation: Participation, sent: Mapping[str, str], now: datetime
) -> Mapping[str, str]:
    answers = read_demographics(sent, countries=country_names(), this_year=now.year)
    declined = set(participation.declined_questions) - set(answers.given) | set(answers.declined)
    for question in answers.declined:
        setattr(participation, question, None if question == "year_of_birth" else "")
    for question, answer in answers.given.items():
        setattr(participation, question, answer)
    participation.declined_questions = [q for q in QUESTIONS if q in declined]
    return answers.faults


def _keep_ratings(
    journey: Journey, page: RatingsPage, sent: Mapping[str, str], now: datetime
) -> tuple[Mapping[str, str], int | None]:
    """Store what is given. Returns the faults, and the page of a gap earlier in the measure.

    Such a gap opens only where a study was laid out anew after this participant had begun.
    """
    answers = read_ratings(journey.instrument, page.items, sent)
    before = journey.ratings(page.measure_position)
    ratings = {**before, **answers.given}
    if ratings != before:
        _store(journey, page, ratings, now)
    faults = dict.fromkeys(answers.missing, "missing")
    is_end = page.is_last_of_measure and not faults
    gap = first_unanswered_page(journey.pages, page.measure_position, ratings) if is_end else None
    return faults, gap


def _store(journey: Journey, page: RatingsPage, ratings: Mapping[str, int], now: datetime) -> None:
    administration = journey.administrations.get(page.measure_position)
    if administration is None:
        administration = _new_administration(journey, page, now)
    administration.ratings = [ratings.get(key) for key in journey.instrument.item_keys]
    if len(ratings) == len(journey.instrument.items):
        in_order = [ratings[key] for key in journey.protocol.item_order]
        scores = journey.protocol.administer(page.measure, in_order).scores
        # Means are exact fractions, which JSON does not know.
        administration.scores = {
            key: float(value) if isinstance(value, Fraction) else value
            for key, value in scores.items()
        }
        administration.completed_at = administration.completed_at or now
    administration.save()


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
