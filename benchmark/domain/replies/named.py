"""A whole reply read by the names in it: every item rated exactly once, or no ratings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmark.domain.replies.asides import disturbs
from benchmark.domain.replies.outcome import Finding
from benchmark.domain.replies.rows import (
    Row,
    read_prefix,
    rows_rated_after,
    rows_rated_before,
)
from benchmark.domain.replies.tokens import Kind, Line
from benchmark.domain.replies.values import is_quiet_tail, read_value
from benchmark.domain.replies.vocabulary import Vocabulary

RowReader = Callable[[Line, Vocabulary], list[Row]]


@dataclass
class Sheet:
    """The rows of a reply, the lines between them, and an item whose rating is yet to come."""

    rows: list[Row] = field(default_factory=list)
    others: list[tuple[Line, bool]] = field(default_factory=list)
    pending: Row | None = None
    by_next_line: int = 0


def read_named(lines: Sequence[Line], vocabulary: Vocabulary) -> Finding:
    """The ratings of a reply that names its items, with the rating after or before the name."""
    if not any(token.kind is Kind.NAME for line in lines for token in line):
        return Finding(None, "No item of the list is named.")
    findings = [
        settle(read_sheet(lines, vocabulary, reader), vocabulary, reader)
        for reader in (rows_rated_after, rows_rated_before)
    ]
    found = {finding.ratings for finding in findings if finding.ratings}
    if len(found) == 1:
        return Finding(found.pop(), is_attempt=True)
    if found:
        return Finding(None, "Names and numbers can be read in two ways.", True)
    return next((finding for finding in findings if finding.is_attempt), findings[0])


def read_sheet(lines: Sequence[Line], vocabulary: Vocabulary, reader: RowReader) -> Sheet:
    """Every line as rows, as the rating of the name above it, or as something else."""
    sheet = Sheet()
    for line in lines:
        rows = reader(line, vocabulary)
        waiting, sheet.pending = sheet.pending, None
        if rows:
            sheet.rows += rows
        elif waiting and (row := _rating_below(line, waiting, vocabulary)):
            sheet.rows.append(row)
            sheet.by_next_line += 1
        elif reader is rows_rated_after and (alone := _name_alone(line)):
            sheet.pending = alone
        else:
            sheet.others.append((line, bool(sheet.rows)))
    return sheet


def _name_alone(line: Line) -> Row | None:
    """A line that holds one name and nothing to rate it by."""
    prefix = read_prefix(line, 0)
    if prefix is None:
        return None
    rest = line[prefix.end + 1 :]
    item = line[prefix.end].value
    if item is None or any(token.kind not in (Kind.MARK, Kind.SYMBOL) for token in rest):
        return None
    return Row(item, -1, False, prefix.index, prefix.is_firm)


def _rating_below(line: Line, waiting: Row, vocabulary: Vocabulary) -> Row | None:
    """ "Rating: 3" on the line below a name."""
    reading = read_value(line, 0, vocabulary, waiting.item)
    if reading is None or any(token.kind is Kind.NAME for token in line):
        return None
    if not is_quiet_tail(line, reading.end, reading.rating, waiting.item):
        return None
    if reading.by_label and reading.end < len(line):
        return None
    return Row(waiting.item, reading.rating, reading.by_label, waiting.index, waiting.is_firm)


def settle(sheet: Sheet, vocabulary: Vocabulary, reader: RowReader) -> Finding:
    """The ratings of a sheet on which nothing is missing, doubled, mixed or disturbed."""
    rows = sheet.rows
    is_attempt = len(rows) > sheet.by_next_line
    rated = [row.item for row in rows]
    if len(set(rated)) < len(rated):
        number = next(item for item in rated if rated.count(item) > 1) + 1
        return Finding(None, f"Item {number} is rated more than once.", is_attempt)
    if len(rows) < vocabulary.size:
        missing = min(set(range(vocabulary.size)) - set(rated)) + 1
        count = f"{len(rows)} of {vocabulary.size} items have one rating from the scale"
        return Finding(None, f"{count}; item {missing} has none.", is_attempt)
    if len({row.by_label for row in rows}) > 1:
        return Finding(None, "Some ratings are numbers and some only labels.", True)
    if not _numbering_fits(rows, reader):
        return Finding(None, "The numbers beside the names can be read in two ways.", True)
    ratings = {row.item: row.rating for row in rows}
    for line, is_after in sheet.others:
        if reason := disturbs(line, ratings, vocabulary, is_after=is_after):
            return Finding(None, reason, True)
    return Finding(tuple(ratings[item] for item in range(vocabulary.size)), is_attempt=True)


def _numbering_fits(rows: Sequence[Row], reader: RowReader) -> bool:
    """Whether the numbers beside the names are list numbers, and the ratings are not."""
    if reader is rows_rated_before:
        ratings = [row.rating for row in rows]
        counted = set(ratings) in (set(range(1, len(rows) + 1)), set(range(len(rows))))
        if counted and len(rows) > 1:
            return False
    numbered = [row for row in rows if row.index is not None]
    if all(row.is_firm for row in numbered):
        return True
    order = [row.index for row in rows]
    in_order = order in (list(range(1, len(rows) + 1)), list(range(len(rows))))
    return in_order or all(row.index == row.item + 1 for row in rows)
