"""How a participation can end, as the participant, the researcher and Prolific see it."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """The ends of a participation; each may have its own completion code."""

    COMPLETED = "completed"
    FAILED_ATTENTION = "failed_attention"
    NO_CONSENT = "no_consent"
    WITHDRAWN = "withdrawn"
    STUDY_FULL = "study_full"

    @property
    def label(self) -> str:
        return self.value.replace("_", " ")
