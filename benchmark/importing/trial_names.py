"""Which model and which instrument a file of answers is of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from benchmark.importing.trial_tables import TrialTable
from surveys.importing.faults import ReleaseFileError
from surveys.models import InstrumentVersion

SUFFIX = re.compile(r"-testing$", re.IGNORECASE)


class TrialFileName(NamedTuple):
    """`key` is the casefolded name of the instrument, "" where the file's name says none."""

    model: str
    key: str


def parse_file_name(stem: str, instruments: Mapping[str, InstrumentVersion]) -> TrialFileName:
    """`gpt-3.5-turbo-DASS-21-testing` is DASS-21 answered by gpt-3.5-turbo.

    Both names may contain dashes: the instrument is the longest known name at the end.
    """
    name = SUFFIX.sub("", stem)
    for key in sorted(instruments, key=len, reverse=True):
        if name.casefold().endswith(f"-{key}") and len(name) > len(key) + 1:
            return TrialFileName(name[: -len(key) - 1], key)
    return TrialFileName(name, "")


def instrument_of(
    name: TrialFileName, source: TrialTable, instruments: Mapping[str, InstrumentVersion]
) -> InstrumentVersion:
    """The instrument by the file's name, or by its rows where the name says none.

    Raises ReleaseFileError where the rows fit no instrument, or several.
    """
    if name.key:
        return instruments[name.key]
    candidates = {
        version.pk: version
        for version in instruments.values()
        if len(version.spec.items) == source.item_count
    }
    if len(candidates) > 1:
        texts = {text.casefold() for text in source.item_texts(min(source.orders)) or ()}
        candidates = {
            pk: version
            for pk, version in candidates.items()
            if version.is_complete
            and {item.text.casefold() for item in version.spec.items} == texts
        }
    if len(candidates) == 1:
        return next(iter(candidates.values()))
    raise ReleaseFileError(
        f"{source.item_count} rows of ratings do not say which instrument this is; "
        "name the file <model>-<instrument>-testing.csv",
        column=0,
        header=source.table.header[0],
        row=source.item_count + 2,
    )
