"""Where a participant stands: their protocol, its pages and what they have answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from surveys.domain.instrument import Instrument
from surveys.domain.pages import Page, current_page, earliest_open_page, is_open, list_pages
from surveys.domain.protocol import ImaginedSituation, Protocol, ProtocolError
from surveys.models import Administration, Participation
from surveys.services.errors import SurveyError


@dataclass(frozen=True, slots=True)
class Journey:
    """One participation with everything that its pages need; made by three queries.

    `administrations` are keyed by the position of the measure in the protocol.
    """

    participation: Participation
    protocol: Protocol
    pages: tuple[Page, ...]
    administrations: Mapping[int, Administration]

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


def find_by_code(*, slug: str, code: str, is_locked: bool = False) -> Participation:
    """The participation at this address; SurveyError `participation_unknown` where none is."""
    participations = Participation.objects.select_related("study__instrument")
    if is_locked:
        participations = participations.select_for_update(of=("self",))
    participation: Participation | None = participations.filter(code=code, study__slug=slug).first()
    if participation is None:
        raise SurveyError(code="participation_unknown")
    return participation


def load_journey(*, slug: str, code: str, is_locked: bool = False) -> Journey:
    """The journey at this address, locked for the caller's transaction if asked.

    Raises SurveyError `participation_unknown`, or `instrument_incomplete` where the item texts
    were taken away.
    """
    participation = find_by_code(slug=slug, code=code, is_locked=is_locked)
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
    pages = list_pages(protocol, items_per_page=study.items_per_page)
    administrations = {a.position: a for a in participation.administrations.all()}
    return Journey(participation, protocol, pages, administrations)
