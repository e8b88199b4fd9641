"""Saving a page: one transaction, safe to repeat, keeping every answer that was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from surveys.domain.answers import read_ratings
from surveys.domain.demographics import QUESTIONS, read_demographics
from surveys.domain.outcomes import Outcome
from surveys.domain.pages import (
    DemographicsPage,
    RatingsPage,
    SituationPage,
    first_unanswered_page,
)
from surveys.domain.paradata import ClientReport, read_report
from surveys.models import PageVisit, Participation
from surveys.services.countries import country_names
from surveys.services.errors import SurveyError
from surveys.services.journey import Journey, load_journey
from surveys.services.paradata import record_sent
from surveys.services.quality import judge
from surveys.services.ratings import store_check, store_ratings


@dataclass(frozen=True, slots=True)
class SavedPage:
    """What became of a page.

    `faults` maps item keys or questions to fault codes; empty where nothing is wrong. `next_page`
    is the page to fill now, None once the participation is over. `wait_s` says how many seconds a
    situation still holds its reader; then `next_page` is the situation itself.
    """

    journey: Journey
    faults: Mapping[str, str]
    next_page: int | None
    wait_s: int = 0


@dataclass(frozen=True, slots=True)
class _Arrival:
    """One page that came in: for whom, which, when, and what the browser says about it."""

    journey: Journey
    number: int
    now: datetime
    report: ClientReport

    def record(self, *, is_saved: bool) -> PageVisit:
        return record_sent(
            participation=self.journey.participation,
            number=self.number,
            now=self.now,
            visible_ms=self.report.visible_ms,
            is_saved=is_saved,
        )


@transaction.atomic
def save_page(
    *, slug: str, code: str, number: int, sent: Mapping[str, str], now: datetime, report: str = ""
) -> SavedPage:
    """Keep the valid answers of a page and say what comes next.

    `sent` maps item keys, CHECK_KEY or questions to what the form sent; `report` is what survey.js
    tells about the page, "" without scripts. Pages that are still open may be saved again; what was
    answered there before stays unless a valid answer replaces it, and so does the current page. A
    page that is not open to this participant (ahead of them, sealed, or after the end) changes
    nothing. The last page completes the participation in the same transaction. Raises SurveyError
    `participation_unknown`.
    """
    journey = load_journey(slug=slug, code=code, is_locked=True)
    if not journey.is_open(number):
        return SavedPage(journey, {}, journey.current_page if journey.is_active else None)
    arrival = _Arrival(journey, number, now, read_report(report, now=now))
    faults: Mapping[str, str] = {}
    gap: int | None = None
    wait_s = 0
    match journey.pages[number - 1]:
        case DemographicsPage() as page:
            faults = _keep_demographics(arrival, page, sent)
        case SituationPage():
            wait_s = _keep_reading(arrival)
        case RatingsPage() as page:
            faults, gap = _keep_ratings(arrival, page, sent)
    is_left = not faults and gap is None and not wait_s
    _advance(arrival, is_left=is_left)
    if faults or wait_s:
        return SavedPage(journey, faults, number, wait_s)
    next_page = gap or journey.current_page
    return SavedPage(journey, {}, next_page if journey.is_active else None)


def _advance(arrival: _Arrival, *, is_left: bool) -> None:
    """Store what a page changes about the participation, which is complete after its last page."""
    participation, report = arrival.journey.participation, arrival.report
    fields = [*QUESTIONS, "declined_questions", "pages_done", "last_seen_at"]
    participation.last_seen_at = arrival.now
    participation.viewport_class = report.viewport_class or participation.viewport_class
    participation.layout = report.layout or participation.layout
    participation.is_translated = participation.is_translated or report.is_translated
    fields += ["viewport_class", "layout", "is_translated"]
    if is_left:
        participation.pages_done = max(participation.pages_done, arrival.number)
        if participation.pages_done >= len(arrival.journey.pages):
            complete_participation(participation=participation, now=arrival.now)
            fields += ["state", "completed_at", "flags", "outcome", "excluded_because"]
    participation.save(update_fields=fields)


def complete_participation(*, participation: Participation, now: datetime) -> None:
    """Mark as completed and judge the answers; the caller saves, in the transaction that holds
    the last of them.
    """
    participation.state = Participation.State.COMPLETED
    participation.completed_at = now
    try:
        judge(participation=participation)
    except SurveyError as error:
        if error.code != "not_completed":
            raise
        # The study was laid out anew under way. They did all that they were asked, and there is
        # too little to judge them by.
        participation.outcome = Outcome.COMPLETED


def _keep_demographics(
    arrival: _Arrival, page: DemographicsPage, sent: Mapping[str, str]
) -> Mapping[str, str]:
    participation = arrival.journey.participation
    answers = read_demographics(
        sent, countries=country_names(), this_year=arrival.now.year, questions=page.questions
    )
    declined = set(participation.declined_questions) - set(answers.given) | set(answers.declined)
    for question in answers.declined:
        setattr(participation, question, None if question == "year_of_birth" else "")
    for question, answer in answers.given.items():
        setattr(participation, question, answer)
    participation.declined_questions = [q for q in QUESTIONS if q in declined]
    arrival.record(is_saved=not answers.faults)
    return answers.faults


def _keep_reading(arrival: _Arrival) -> int:
    """The seconds that the situation still holds its reader."""
    is_free = arrival.journey.participation.study.reading_words_per_minute is None
    visit = arrival.record(is_saved=is_free)
    left = arrival.journey.wait_s(visit, arrival.now)
    if not left and visit.saved_at is None:
        visit.saved_at = arrival.now
        visit.save(update_fields=["saved_at"])
    return left


def _keep_ratings(
    arrival: _Arrival, page: RatingsPage, sent: Mapping[str, str]
) -> tuple[Mapping[str, str], int | None]:
    """Store what is given. Returns the faults, and the page of a gap earlier in the measure.

    Such a gap opens only where a study was laid out anew after this participant had begun.
    """
    journey = arrival.journey
    answers = read_ratings(journey.instrument, page.items, sent, page.check)
    visit = arrival.record(is_saved=not answers.missing)
    if page.check and answers.check is not None:
        check = journey.checks[page.measure_position]
        store_check(check=check, answer=answers.check, now=arrival.now)
    ratings = store_ratings(
        journey=journey,
        page=page,
        given=answers.given,
        shown_at=visit.first_shown_at,
        now=arrival.now,
        report=arrival.report,
    )
    is_end = page.is_last_of_measure and not answers.missing
    gap = first_unanswered_page(journey.pages, page.measure_position, ratings) if is_end else None
    return dict.fromkeys(answers.missing, "missing"), gap
