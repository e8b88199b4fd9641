"""The three ids that Prolific puts into the link of a study, read strictly."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_NAMES = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
_VALID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
# What broken links carry instead of an id; unreplaced {{%…%}} fail the pattern by themselves.
_NOT_IDS = {"undefined", "null"}


@dataclass(frozen=True, slots=True)
class EntryIds:
    """Participant, study and session as Prolific names them; proven where it signed them."""

    participant: str
    study: str
    session: str
    is_proven: bool = field(default=False, kw_only=True)


def names_ids(parameters: Mapping[str, Sequence[str]]) -> bool:
    """Whether a link tries to bring any of the ids, valid or not; names in any letter case."""
    return any(name.upper() in _NAMES for name in parameters)


def read_ids(parameters: Mapping[str, Sequence[str]]) -> EntryIds | None:
    """The ids of a link, or None unless each is there once and valid.

    An id given twice with different values is nobody's: neither is believed.
    """
    found: dict[str, set[str]] = {name: set() for name in _NAMES}
    for name, values in parameters.items():
        if name.upper() in found:
            found[name.upper()] |= set(values)
    ids = [values.pop() if len(values) == 1 else "" for values in found.values()]
    if all(_VALID.fullmatch(text) and text.lower() not in _NOT_IDS for text in ids):
        return EntryIds(*ids)
    return None
