"""The people's sheet: one column a participant, joined to items by the words beside the rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from surveys.domain.instrument import Instrument
from surveys.importing.faults import ReleaseFileError, column_letter
from surveys.importing.places import Place, parse_cell_code
from surveys.importing.tables import Cell, label, rating, read_sheet, whole_number

SHEET = "Raw"
FIRST_PERSON = 2
LABELS = 1
# What the label of a demographic row starts with or contains, and how long an answer may be.
DEMOGRAPHICS = {
    "gender": ("gender", 60),
    "year_of_birth": ("year of birth", 0),
    "country": ("country", 80),
    "employment": ("employment", 120),
    "education": ("education", 120),
}
SUM_LABEL = re.compile(r"(Positive|Negative) Affect\s*\((.*)\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Person:
    """A column of the sheet: its index from 0 and its letter.

    Ratings are in the instrument's order, None where blank. `sums` holds what the sheet itself
    says, by phase and subscale key.
    """

    index: int
    column: str
    code: str
    place: Place
    gender: str
    year_of_birth: int | None
    country: str
    employment: str
    education: str
    default: tuple[int | None, ...]
    evoked: tuple[int | None, ...]
    sums: dict[tuple[str, str], float]


@dataclass(frozen=True, slots=True)
class _Rows:
    """Where things stand: row indices from 0."""

    demographics: dict[str, int]
    default: tuple[int, ...]
    evoked: tuple[int, ...]
    sums: dict[tuple[str, str], int]


def read_people(path: Path, instrument: Instrument) -> tuple[Person, ...]:
    """Every participant of the sheet Raw; ReleaseFileError names sheet, column and row."""
    rows = read_sheet(path, SHEET)
    found = _find_rows(rows, instrument)
    codes = [label(cell) for cell in rows[0]]
    last = max((index for index, code in enumerate(codes) if code), default=0)
    if last < FIRST_PERSON:
        raise ReleaseFileError("the sheet has no participant", sheet=SHEET, column=2, row=1)
    return tuple(
        _person(rows, column, codes[column], found, instrument)
        for column in range(FIRST_PERSON, last + 1)
    )


def _find_rows(rows: Sequence[tuple[Cell, ...]], instrument: Instrument) -> _Rows:
    if len(rows[0]) <= LABELS:
        raise ReleaseFileError("the column with the labels is missing", sheet=SHEET, column=LABELS)
    labels = [label(row[LABELS]) for row in rows]
    default, evoked = _item_rows(labels, instrument)
    return _Rows(_demographic_rows(labels), default, evoked, _sum_rows(labels))


def _demographic_rows(labels: Sequence[str]) -> dict[str, int]:
    demographics: dict[str, int] = {}
    for field, (words, _) in DEMOGRAPHICS.items():
        at = next((i for i, text in enumerate(labels) if i and words in text.casefold()), None)
        if at is None:
            raise ReleaseFileError(
                f"no row is labelled with {words!r}", sheet=SHEET, column=LABELS, row=2
            )
        demographics[field] = at
    return demographics


def _item_rows(
    labels: Sequence[str], instrument: Instrument
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The rows of every item in the two phases, in the instrument's order."""
    items: dict[str, list[int]] = {}
    for at, text in enumerate(labels):
        items.setdefault(text.rpartition(" - ")[2].strip().casefold(), []).append(at)
    default, evoked = [], []
    for item in instrument.items:
        found = items.get(item.text.casefold(), [])
        if len(found) != 2:
            raise ReleaseFileError(
                f"{len(found)} rows are labelled {item.text!r}, expected one in each phase",
                sheet=SHEET,
                column=LABELS,
                row=found[-1] + 1 if found else len(labels),
            )
        default.append(found[0])
        evoked.append(found[1])
    if max(default) > min(evoked):
        raise ReleaseFileError(
            "the rows of the two phases are mixed",
            sheet=SHEET,
            column=LABELS,
            row=max(default) + 1,
        )
    return tuple(default), tuple(evoked)


def _sum_rows(labels: Sequence[str]) -> dict[tuple[str, str], int]:
    sums = {}
    for at, text in enumerate(labels):
        match = SUM_LABEL.fullmatch(text)
        if match:
            phase = "default" if "general" in match[2].casefold() else "evoked"
            sums[phase, f"{match[1].lower()}_affect"] = at
    return sums


def _person(
    rows: Sequence[tuple[Cell, ...]], column: int, code: str, found: _Rows, instrument: Instrument
) -> Person:
    place = parse_cell_code(code)
    if place is None:
        raise ReleaseFileError(
            f"{code!r} is not a cell code such as Angry_F1S1", sheet=SHEET, column=column, row=1
        )

    texts = {}
    for field, (_, limit) in DEMOGRAPHICS.items():
        at = found.demographics[field]
        texts[field] = label(rows[at][column])
        if limit and len(texts[field]) > limit:
            raise _fault(f"the answer is longer than {limit} characters", column, code, at)
    return Person(
        index=column,
        column=column_letter(column),
        code=code,
        place=place,
        gender=texts["gender"],
        year_of_birth=_year(rows[found.demographics["year_of_birth"]][column]),
        country=texts["country"],
        employment=texts["employment"],
        education=texts["education"],
        default=_ratings(rows, column, found.default, instrument),
        evoked=_ratings(rows, column, found.evoked, instrument),
        sums={key: _number(rows[at][column]) for key, at in found.sums.items()},
    )


def _ratings(
    rows: Sequence[tuple[Cell, ...]], column: int, places: tuple[int, ...], instrument: Instrument
) -> tuple[int | None, ...]:
    lowest, highest = instrument.lowest, instrument.highest
    result = []
    for at in places:
        try:
            result.append(rating(rows[at][column], lowest, highest))
        except ValueError as error:
            raise _fault(str(error), column, label(rows[0][column]), at) from error
    return tuple(result)


def _fault(message: str, column: int, code: str, at: int) -> ReleaseFileError:
    return ReleaseFileError(message, sheet=SHEET, column=column, header=code, row=at + 1)


def _year(cell: Cell) -> int | None:
    """A year, or None: some prefer not to say, in words."""
    try:
        year = whole_number(cell)
    except ValueError:
        return None
    return year if year is not None and 1900 <= year <= 2100 else None


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else float("nan")
