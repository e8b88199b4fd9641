"""Where a participant stands: their protocol, its pages and what they have answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from surveys.domain.attention import CHECK_KEY, InstructedItem
from surveys.domain.demographics import QUESTIONS
from surveys.domain.instrument import Instrument
from surveys.domain.pages import (
    Page,
    SituationPage,
    current_page,
    earliest_open_page,
    is_open,
    list_pages,
)
from surveys.domain.protocol import ImaginedSituation, Protocol, ProtocolError
from surveys.domain.reading import reading_seconds, seconds_left
from surveys.models import Administration, AttentionCheck, PageVisit, Participation
from surveys.services.errors import SurveyError


@dataclass(frozen=True, slots=True)
class Journey:
    """One participation with everything that its pages need; made by three queries.

    A fourth is made where the study asks for attention. `administrations` and `checks` are keyed
    by the position of the measure in the protocol.
    """

    participation: Participation
    protocol: Protocol
    pages: tuple[Page, ...]
    administrations: Mapping[int, Administration]
    checks: Mapping[int, AttentionCheck]

    @property
    def instrument(self) -> Instrument:
        return self.protocol.instrument

    @property
    def is_active(self) -> bool:
        return self.participation.state == Participation.State.ACTIVE

    @property
    def current_page(self) -> int:
        return current_page(self.pages, self.participation.pages_done)

    @property
    def earliest_open_page(self) -> int:
        return earliest_open_page(self.pages, self.participation.pages_done)

    def is_open(self, number: int) -> bool:
        """Whether this page may be seen and saved now."""
        return self.is_active and is_open(self.pages, self.participation.pages_done, number)

    def ratings(self, measure_position: int) -> dict[str, int]:
        """What was answered so far in one measure, keyed by item."""
        administration = self.administrations.get(measure_position)
        if administration is None:
            return {}
        pairs = zip(self.instrument.item_keys, administration.ratings, strict=True)
        return {key: rating for key, rating in pairs if rating is not None}

    def answers(self, measure_position: int) -> dict[str, int]:
        """The ratings, and the answer to the measure's instructed item if it has one."""
        check = self.checks.get(measure_position)
        answer = check.answered_value if check else None
        return self.ratings(measure_position) | ({} if answer is None else {CHECK_KEY: answer})

    def wait_s(self, visit: PageVisit, now: datetime) -> int:
        """How many more seconds a page holds its reader; 0 for all but unread situations.

        They count from the first time it was shown, by the server's clock: a reload does not
        begin anew, and a second window does not skip them.
        """
        page = self.pages[visit.number - 1]
        if not isinstance(page, SituationPage) or visit.saved_at is not None:
            return 0
        speed = self.participation.study.reading_words_per_minute
        needed = reading_seconds(page.situation.text, speed)
        return seconds_left(needed=needed, shown_at=visit.first_shown_at, now=now)


# What pages need of a participation, its study and its instrument: a third of all columns. Each
# column costs every page time, and a study has many; one that is not here is read when asked for.
_COLUMNS = (
    "code", "state", "item_order", "pages_done", "excluded_because", "study_id",
    *QUESTIONS, "declined_questions", "viewport_class", "layout", "is_translated",
    *(
        f"study__{name}"
        for name in (
            "slug", "title", "language", "items_per_page", "demographic_questions",
            "attention_items", "reading_words_per_minute", "flag_item_seconds",
            "flag_reading_words_per_minute", "flag_synonym_difference", "exclusion_flags",
            "planned_minutes", "instrument_id",
        )
    ),
    "study__instrument__definition", "study__instrument__item_texts",
)  # fmt: skip


def find_by_code(
    *, slug: str, code: str, is_locked: bool = False, columns: Sequence[str] = ()
) -> Participation:
    """The participation at this address, with all columns or with these.

    Raises SurveyError `participation_unknown` where none is.
    """
    participations = Participation.objects.select_related("study__instrument")
    if columns:
        participations = participations.only(*columns)
    if is_locked:
        participations = participations.select_for_update(of=("self",))
    # Codes are unique, so there is nothing to order.
    found = participations.filter(code=code, study__slug=slug).order_by()[:1]
    participation: Participation | None = next(iter(found), None)
    if participation is None:
        raise SurveyError(code="participation_unknown")
    return participation


def load_journey(*, slug: str, code: str, is_locked: bool = False) -> Journey:
    """The journey at this address, locked for the caller's transaction if asked.

    Raises SurveyError `participation_unknown`, or `instrument_incomplete` where the item texts
    were taken away.
    """
    participation = find_by_code(slug=slug, code=code, is_locked=is_locked, columns=_COLUMNS)
    study = participation.study
    assignments = participation.assignments.order_by("position").values_list(
        "situation_version_id", "situation_version__text"
    )
    try:
        protocol = Protocol(
            instrument=study.instrument.spec,
            item_order=tuple(participation.item_order),
            situations=tuple(ImaginedSituation(pk, text) for pk, text in assignments),
        )
    except ProtocolError as error:
        raise SurveyError(code="instrument_incomplete", detail=str(error)) from error
    checks = _load_checks(participation)
    pages = list_pages(
        protocol,
        items_per_page=study.items_per_page,
        questions=study.demographic_questions,
        checks=[
            InstructedItem(c.measure_position, c.place, c.asked_value, c.text)
            for c in checks.values()
        ],
    )
    # Without the order of the model, which joins the participation and its study once more.
    administrations = {a.position: a for a in participation.administrations.order_by()}
    return Journey(participation, protocol, pages, administrations, checks)


def _load_checks(participation: Participation) -> dict[int, AttentionCheck]:
    """No query where the study has none, which most have not."""
    if not participation.study.attention_items:
        return {}
    return {check.measure_position: check for check in participation.attention_checks.order_by()}
