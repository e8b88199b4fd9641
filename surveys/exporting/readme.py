"""The text beside an export: what it is, who is in it, and the norms both ways."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from surveys.domain.norms import Norm
from surveys.exporting.cells import iso_time
from surveys.exporting.people import Selection
from surveys.models import Study
from surveys.services.norms import NormsBothWays, norms

NOT_HERE = (
    "No id of Prolific, network address or browser identification is in these files. Ids and\n"
    "e-mail addresses that people wrote into comments are replaced by [removed]; read comments\n"
    "before you share them all the same. People who withdrew and test runs are in no export:\n"
    "replace copies that you keep by new ones until the last day for withdrawing has passed."
)
SPREADSHEETS = (
    "In CSV files and workbooks, text that a spreadsheet would run as a formula is led by an\n"
    "apostrophe. Numbers and the other formats are as they are."
)


def readme_of(
    study: Study, selection: Selection, files: Sequence[tuple[str, str]], *, now: datetime
) -> str:
    """Plain text with a line for each file, of which the name and what it holds are given."""
    instrument = study.instrument.spec
    parts = [
        _heading(study.title),
        f"Study        {study.slug} ({study.state})\n"
        f"Instrument   {instrument.key}, version {instrument.version}\n"
        f"Exported     {iso_time(now)}\n"
        f"Who          {selection.label}\n"
        f"Excluded     {_rule(study)}",
        *([f"Please cite: {study.citation}"] if study.citation else []),
        _heading("Files"),
        "\n".join(f"{name}\n    {what}" for name, what in files),
        _heading("Norms"),
        _norms(norms(study=study)),
        _heading("To know"),
        f"Times are UTC in ISO 8601 with offset. {instrument.key}: {instrument.source}",
        NOT_HERE,
        SPREADSHEETS,
    ]
    return "\n\n".join(parts) + "\n"


def _heading(text: str) -> str:
    return f"{text}\n{'=' * len(text)}"


def _rule(study: Study) -> str:
    n_excluded = (
        study.participations.counted_before_exclusion().exclude(excluded_because="").count()
    )
    people = f"{n_excluded} of the people who finished"
    if study.exclusion_flags is None:
        return f"{people}; flags exclude nobody"
    return f"{people}; the rule, fixed before collection: {study.exclusion_flags} flags or more"


def _norms(both: dict[str, NormsBothWays]) -> str:
    """Mean (SD, n) of those who count beside everybody who finished."""
    lines = [f"{'':<34}{'people who count':<26}{'with the excluded':<26}".rstrip()]
    for entry in both.values():
        for label, one, other in (
            ("before", entry.counted.default, entry.with_excluded.default),
            ("after", entry.counted.evoked, entry.with_excluded.evoked),
            ("change", entry.counted.change, entry.with_excluded.change),
        ):
            name = f"{entry.name}, {label}"
            lines.append(f"{name:<34}{_say(one):<26}{_say(other):<26}".rstrip())
    return "\n".join(lines)


def _say(norm: Norm) -> str:
    mean = "–" if norm.mean is None else f"{norm.mean:.2f}"
    sd = "–" if norm.sd is None else f"{norm.sd:.2f}"
    return f"{mean} (SD {sd}, n {norm.n})"
