"""Everything stored about people: catalogue, instruments, studies, participations."""

from __future__ import annotations

from surveys.models.administration import AdministrationRecord
from surveys.models.catalogue import (
    Collection,
    Emotion,
    Factor,
    Situation,
    SituationVersion,
)
from surveys.models.instruments import InstrumentVersion
from surveys.models.participation import (
    Administration,
    Assignment,
    Participant,
    Participation,
    Submission,
)
from surveys.models.studies import Study, StudySituation

__all__ = [
    "Administration",
    "AdministrationRecord",
    "Assignment",
    "Collection",
    "Emotion",
    "Factor",
    "InstrumentVersion",
    "Participant",
    "Participation",
    "Situation",
    "SituationVersion",
    "Study",
    "StudySituation",
    "Submission",
]
