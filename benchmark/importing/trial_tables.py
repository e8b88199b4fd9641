"""A model's file as a table whose headers are understood, before its instrument is known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from surveys.importing.faults import ReleaseFileError
from surveys.importing.places import Place, emotion_name
from surveys.importing.tables import Table, read_csv_table

# Newer releases write _test-3_order-0; older ones nothing, or _3, before the order.
TEST = r"(?:_(?:test-)?(\d{1,4}))?_order-(\d{1,3})"
DEFAULT_HEADER = re.compile("General" + TEST, re.IGNORECASE)
EVOKED_HEADER = re.compile(r"(.*\S)-(\d{1,3})_scenario-(\d{1,4})" + TEST, re.IGNORECASE)
ORDER_HEADER = re.compile(r"order-(\d{1,3})", re.IGNORECASE)
QUESTION_HEADER = re.compile(r"question-(\d{1,3})", re.IGNORECASE)
ITEM_NUMBER = re.compile(r"^\s*\d+\.\s*")


@dataclass(frozen=True, slots=True)
class TrialColumn:
    """What a header says. `place` is None in the default phase; `test` and `order` from 0."""

    index: int
    header: str
    place: Place | None
    test: int
    order: int


@dataclass(frozen=True, slots=True)
class TrialTable:
    """A file by its columns; `orders` and `questions` give the columns of each item order."""

    table: Table
    trials: tuple[TrialColumn, ...]
    orders: Mapping[int, int]
    questions: Mapping[int, int]
    unknown: tuple[str, ...]

    @property
    def item_count(self) -> int:
        """Rows of ratings: all but the one that quotes the situation."""
        return len(self.table.rows) - 1

    @property
    def prompt(self) -> str:
        """The prompt as the first question column quotes it, or ""."""
        for column in self.questions.values():
            return self.table.rows[0][column]
        return ""

    def item_texts(self, order: int) -> tuple[str, ...] | None:
        """The items that a question column lists, without their numbers."""
        if order not in self.questions:
            return None
        cells = [row[self.questions[order]] for row in self.table.rows[1:]]
        return tuple(ITEM_NUMBER.sub("", cell).strip() for cell in cells)


def read_trial_table(path: Path) -> TrialTable:
    """Read a file and its headers; ReleaseFileError names the column at fault."""
    table = read_csv_table(path)
    trials: list[TrialColumn] = []
    orders: dict[int, int] = {}
    questions: dict[int, int] = {}
    unknown: list[str] = []
    for index, header in enumerate(table.header):
        if match := ORDER_HEADER.fullmatch(header):
            orders[int(match[1])] = index
        elif match := QUESTION_HEADER.fullmatch(header):
            questions[int(match[1])] = index
        elif match := DEFAULT_HEADER.fullmatch(header):
            trials.append(TrialColumn(index, header, None, int(match[1] or 0), int(match[2])))
        elif match := EVOKED_HEADER.fullmatch(header):
            place = Place(emotion_name(match[1]), int(match[2]), int(match[3]))
            trials.append(TrialColumn(index, header, place, int(match[4] or 0), int(match[5])))
        else:
            unknown.append(header)
    source = TrialTable(table, tuple(trials), orders, questions, tuple(unknown))
    _check_columns(source)
    return source


def _check_columns(source: TrialTable) -> None:
    table = source.table
    if not source.trials:
        raise ReleaseFileError(
            "no column is a trial, such as General_test-0_order-0",
            column=0,
            header=table.header[0],
            row=1,
        )
    for trial in source.trials:
        if trial.order not in source.orders:
            raise ReleaseFileError(
                f"the column order-{trial.order} that the header names is missing",
                column=trial.index,
                header=trial.header,
                row=1,
            )
    if len(table.rows) < 2:
        raise ReleaseFileError(
            "the file ends before any rating",
            column=0,
            header=table.header[0],
            row=len(table.rows) + 2,
        )
