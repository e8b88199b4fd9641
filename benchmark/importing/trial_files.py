"""A model's answers as the release keeps them: one CSV column a trial.

Ratings are bound to items through the order column that the trial's header names, never by
position. A column that is not wholly filled is an invalid trial; a rating that is none of the
instrument's is a broken file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmark.importing.trial_tables import TrialColumn, TrialTable
from surveys.domain.instrument import Instrument
from surveys.importing.faults import ReleaseFileError, location
from surveys.importing.places import Place
from surveys.importing.tables import first_names, rating, whole_number

SHOWN = re.compile(r'\s*Imagine you are the protagonist in the scenario: "(.*)"\s*', re.DOTALL)


@dataclass(frozen=True, slots=True)
class ReadTrial:
    """One column, which counts from 0. `ratings` are in the instrument's order, None where blank.

    `item_order` lists positions in that order as shown; `shown` are the situation's words as the
    file quotes them; `repeat` tells apart the trials of one situation.
    """

    column: int
    header: str
    place: Place | None
    repeat: int
    item_order: tuple[int, ...]
    shown: str
    ratings: tuple[int | None, ...]

    @property
    def blanks(self) -> int:
        return self.ratings.count(None)


@dataclass(frozen=True, slots=True)
class TrialFile:
    """The trials of a file in column order, the headers that are missing, and warnings."""

    trials: tuple[ReadTrial, ...]
    missing: tuple[str, ...]
    warnings: tuple[str, ...]


def read_trials(
    source: TrialTable, instrument: Instrument, presented: Collection[Place] = ()
) -> TrialFile:
    """Bind every column's ratings to the instrument's items.

    `presented` are the situations of the published study, where they are known: a file that has
    most of those of its emotions is expected to have all of them.
    Raises ReleaseFileError on a file cut off, an order that is no permutation, and a cell that
    is neither blank nor a rating of the instrument.
    """
    count = len(instrument.items)
    if source.item_count != count:
        cut_off = source.item_count < count
        raise ReleaseFileError(
            f"{source.item_count} rows of ratings, {instrument.key} has {count} items"
            + (": the file seems to be cut off" if cut_off else ""),
            column=0,
            header=source.table.header[0],
            row=(source.item_count if cut_off else count) + 3,
        )
    used = sorted({trial.order for trial in source.trials})
    orders = {order: _order(source, order, count) for order in used}
    ranks = {
        phase: {order: rank for rank, order in enumerate(sorted(own))}
        for phase, own in _orders_by_phase(source.trials).items()
    }
    trials = []
    for trial, cells in zip(source.trials, _columns(source), strict=True):
        rank = ranks[trial.place is None]
        repeat = trial.test * len(rank) + rank[trial.order]
        trials.append(_trial(trial, repeat, cells, orders[trial.order], instrument))
    if instrument.emotion:
        # A scale is given after the situations of its own emotion alone.
        own = {trial.place.emotion for trial in source.trials if trial.place}
        presented = {place for place in presented if place.emotion in own}
    missing = tuple(_missing(source.trials, presented))
    warnings = [*_order_doubts(source, orders, instrument), *_oddities(source, missing)]
    return TrialFile(tuple(trials), missing, tuple(warnings))


def _trial(
    column: TrialColumn,
    repeat: int,
    cells: Sequence[str],
    order: tuple[int, ...],
    instrument: Instrument,
) -> ReadTrial:
    return ReadTrial(
        column=column.index,
        header=column.header,
        place=column.place,
        repeat=repeat,
        item_order=order,
        shown=shown_words(cells[0]),
        ratings=_ratings(column, cells[1:], order, instrument),
    )


def shown_words(cell: str) -> str:
    """The situation's words out of the sentence that presents them."""
    quoted = SHOWN.fullmatch(cell)
    return (quoted[1] if quoted else cell).strip()


def _columns(source: TrialTable) -> Iterator[tuple[str, ...]]:
    columns = list(zip(*source.table.rows, strict=True))
    return (columns[trial.index] for trial in source.trials)


def _orders_by_phase(trials: Sequence[TrialColumn]) -> dict[bool, set[int]]:
    result: dict[bool, set[int]] = {}
    for trial in trials:
        result.setdefault(trial.place is None, set()).add(trial.order)
    return result


def _order(source: TrialTable, order: int, count: int) -> tuple[int, ...]:
    column = source.orders[order]
    header = source.table.header[column]
    seen: dict[int, int] = {}
    for row, cells in enumerate(source.table.rows[1:], start=3):
        try:
            number = whole_number(cells[column])
        except ValueError as error:
            raise ReleaseFileError(
                f"the item number {error}", column=column, header=header, row=row
            ) from error
        if number is None or not 1 <= number <= count or number in seen:
            fault = (
                "the item number is missing"
                if number is None
                else f"item {number} stands in row {seen[number]} too"
                if number in seen
                else f"{number} is not an item of 1..{count}"
            )
            raise ReleaseFileError(fault, column=column, header=header, row=row)
        seen[number] = row
    return tuple(number - 1 for number in seen)


def _ratings(
    trial: TrialColumn, cells: Sequence[str], order: tuple[int, ...], instrument: Instrument
) -> tuple[int | None, ...]:
    ratings: list[int | None] = [None] * len(order)
    lowest, highest = instrument.lowest, instrument.highest
    for row, (item, cell) in enumerate(zip(order, cells, strict=True), start=3):
        try:
            ratings[item] = rating(cell, lowest, highest)
        except ValueError as error:
            raise ReleaseFileError(
                str(error), column=trial.index, header=trial.header, row=row
            ) from error
    return tuple(ratings)


def _missing(trials: Sequence[TrialColumn], presented: Collection[Place]) -> Iterator[str]:
    """Headers that the other situations' tests and orders, and gaps in numbering, make expected."""
    named_tests = any("test-" in trial.header for trial in trials)
    for is_default in (True, False):
        own = [trial for trial in trials if (trial.place is None) is is_default]
        grid = sorted({(trial.test, trial.order) for trial in own})
        if is_default and own:
            tests = range(max(trial.test for trial in own) + 1)
            grid = [(test, order) for test in tests for order in sorted({t.order for t in own})]
        present = {(trial.place, trial.test, trial.order) for trial in own}
        places: Sequence[Place | None] = [None] if own else []
        for place in places if is_default else _expected_places(own, presented):
            for test, order in grid:
                if (place, test, order) not in present:
                    numbered = f"_test-{test}" if named_tests else f"_{test}" if test else ""
                    yield f"{place or 'General'}{numbered}_order-{order}"


def _expected_places(trials: Sequence[TrialColumn], presented: Collection[Place]) -> list[Place]:
    """The file's situations, those its numbers skip, and those of the study it mostly has."""
    own = {trial.place for trial in trials if trial.place is not None}
    study = set(presented)
    last: dict[tuple[str, int], int] = {}
    for trial in trials:
        if trial.place is not None:
            key = trial.place[:2]
            last[key] = max(last.get(key, 0), trial.place.situation)
    numbered = [Place(*key, n) for key, highest in last.items() for n in range(highest + 1)]
    rest = study.difference(numbered) if 2 * len(study & own) > len(study) else set()
    return [*numbered, *sorted(rest)]


def _order_doubts(
    source: TrialTable, orders: Mapping[int, tuple[int, ...]], instrument: Instrument
) -> Iterator[str]:
    if not instrument.is_complete:
        return
    doubtful = {}
    for order, positions in orders.items():
        texts = source.item_texts(order) or ()
        for row, (position, text) in enumerate(zip(positions, texts, strict=False), start=3):
            if text.casefold() != instrument.items[position].text.casefold():
                doubtful[f"order-{order}"] = location(
                    column=source.questions[order], header=f"question-{order}", row=row
                )
                break
    if doubtful:
        yield (
            f"{next(iter(doubtful.values()))}: the item is not the one that the order column "
            f"names; ratings follow the order columns (so in {first_names(doubtful)})"
        )


def _oddities(source: TrialTable, missing: Sequence[str]) -> Iterator[str]:
    if source.unknown:
        yield f"columns that are no trial were left out: {first_names(source.unknown)}"
    if missing:
        yield (
            f"{len(missing)} trials are missing beside the other situations' repeats and orders: "
            f"{first_names(missing)}"
        )
