"""The file that payment needs: whose submission belongs to which pseudonym, and no answers.

The only file with ids of persons. It is for approving, paying and answering messages, not for
analysis, and is to be deleted when everybody is paid.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.contrib.auth.models import User

from surveys.exporting.formats import Format, write_table
from surveys.exporting.people import pseudonym
from surveys.exporting.table import Kind, Row, Table, Variable
from surveys.models import Study
from surveys.services.studies import record_event

VARIABLES = (
    Variable("participant", "Pseudonym as in the exports; empty for who never came", Kind.TEXT),
    Variable("prolific_participant_id", "The person on Prolific", Kind.TEXT),
    Variable("prolific_study_id", "The study on Prolific", Kind.TEXT),
    Variable("prolific_session_id", "The submission on Prolific", Kind.TEXT),
    Variable("prolific_status", "Status of the submission as last heard", Kind.TEXT),
    Variable("state", "State of the participation here", Kind.TEXT),
    Variable("outcome", "Outcome whose code the person was shown", Kind.TEXT),
    Variable("is_test", "Whether it is a test", Kind.YES_NO),
    Variable("completed_at", "When the last answer was saved", Kind.TIME, "UTC"),
)


def export_identities(*, study: Study, path: Path, actor: User | None = None) -> int:
    """Write a CSV file with a row a submission that still has its ids; how many there are.

    People who withdrew are in it as well, because they may have to be paid. That the file was
    made is noted with the study.
    """
    rows = list(_rows(study))
    write_table(Table("identities", VARIABLES, rows), path, Format.CSV)
    detail = f"{len(rows)} submissions with Prolific's ids"
    record_event(study=study, kind="identities exported", detail=detail, actor=actor)
    return len(rows)


def _rows(study: Study) -> Iterator[Row]:
    submissions = study.submissions.filter(purged_at=None).exclude(prolific_participant_id="")
    for row in submissions.select_related("participation__participant").order_by("id"):
        participation = row.participation
        yield (
            pseudonym(participation.participant) if participation else None,
            row.prolific_participant_id,
            row.prolific_study_id or None,
            row.prolific_session_id or None,
            row.status or None,
            participation.state if participation else None,
            (participation.outcome or None) if participation else None,
            participation.is_test if participation else None,
            participation.completed_at if participation else None,
        )
