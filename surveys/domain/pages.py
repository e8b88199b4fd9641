"""Which page is page n: the steps of a protocol cut into pages, and where one may go.

The only home of that question. Page numbers count from 1; a participation knows only how many
pages it has done. The questions about the person, where a study asks any, come first, because a
mood that they change would otherwise sit between the situation and the measure.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass

from surveys.domain.attention import InstructedItem
from surveys.domain.demographics import QUESTIONS, asked_questions
from surveys.domain.instrument import Item
from surveys.domain.protocol import Imagine, ImaginedSituation, Measure, Protocol


@dataclass(frozen=True, slots=True)
class DemographicsPage:
    """Some questions about the person, at least one."""

    questions: tuple[str, ...] = QUESTIONS


@dataclass(frozen=True, slots=True)
class SituationPage:
    """Read one situation. `ordinal` counts from 1 to `total` within the protocol."""

    situation: ImaginedSituation
    ordinal: int
    total: int


@dataclass(frozen=True, slots=True)
class RatingsPage:
    """Some items of one measure.

    `measure_position` counts the measures of the protocol from 0; `ordinal` and `total` say which
    of the situations came before (0 of n in the default measure); `part` counts from 1 to `parts`.
    `first_place` counts the items of the measure on earlier pages. `check` is an instructed item
    that stands before the item at its place, and is no item itself.
    """

    measure_position: int
    measure: Measure
    items: tuple[Item, ...]
    part: int
    parts: int
    ordinal: int
    total: int
    first_place: int = 0
    check: InstructedItem | None = None

    @property
    def is_last_of_measure(self) -> bool:
        return self.part == self.parts


Page = DemographicsPage | SituationPage | RatingsPage


def list_pages(
    protocol: Protocol,
    *,
    items_per_page: int,
    questions: Collection[str] = QUESTIONS,
    checks: Collection[InstructedItem] = (),
) -> tuple[Page, ...]:
    """Every page of one participant in order, the questions about the person first if any."""
    if items_per_page < 1:
        raise ValueError(f"a page holds at least one item, not {items_per_page}")
    asked = asked_questions(questions)
    pages: list[Page] = [DemographicsPage(asked)] if asked else []
    check_of = {check.measure_position: check for check in checks}
    total = len(protocol.situations)
    ordinal = position = 0
    for step in protocol.steps:
        if isinstance(step, Imagine):
            ordinal += 1
            pages.append(SituationPage(step.situation, ordinal, total))
        else:
            check = check_of.get(position)
            pages += _ratings_pages(step, items_per_page, position, ordinal, total, check)
            position += 1
    return tuple(pages)


def _ratings_pages(
    measure: Measure,
    items_per_page: int,
    position: int,
    ordinal: int,
    total: int,
    check: InstructedItem | None,
) -> list[RatingsPage]:
    starts = range(0, len(measure.items), items_per_page)
    return [
        RatingsPage(
            measure_position=position,
            measure=measure,
            items=measure.items[start : start + items_per_page],
            part=part,
            parts=len(starts),
            ordinal=ordinal,
            total=total,
            first_place=start,
            check=check if check and start <= check.place < start + items_per_page else None,
        )
        for part, start in enumerate(starts, start=1)
    ]


def current_page(pages: Sequence[Page], pages_done: int) -> int:
    """The number of the page to fill next; the last one where all are done."""
    return min(pages_done + 1, len(pages))


def earliest_open_page(pages: Sequence[Page], pages_done: int) -> int:
    """The lowest number of a page that may still be seen and changed.

    Whoever has continued from a situation has begun the measure after it, and neither the
    situation nor anything before it opens again: a second look would change what is measured.
    """
    left = [n for n, page in enumerate(pages[:pages_done], 1) if isinstance(page, SituationPage)]
    return left[-1] + 1 if left else 1


def is_open(pages: Sequence[Page], pages_done: int, number: int) -> bool:
    """Whether page `number` may be seen and saved now."""
    earliest = earliest_open_page(pages, pages_done)
    return earliest <= number <= current_page(pages, pages_done)


def first_unanswered_page(
    pages: Sequence[Page], measure_position: int, answered: Container[str]
) -> int | None:
    """The first page of a measure with an item whose key is not in `answered`, or None."""
    for number, page in enumerate(pages, 1):
        if not isinstance(page, RatingsPage) or page.measure_position != measure_position:
            continue
        if any(item.key not in answered for item in page.items):
            return number
    return None
