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
from surveys.models.events import StudyEvent
from surveys.models.instruments import InstrumentVersion
from surveys.models.participation import (
    Administration,
    Assignment,
    AttentionCheck,
    PageVisit,
    Participant,
    Participation,
)
from surveys.models.prolific import BonusPayment, ProlificStudy, Submission, WebhookDelivery
from surveys.models.studies import CompletionCode, Study, StudySituation

__all__ = [
    "Administration",
    "AdministrationRecord",
    "Assignment",
    "AttentionCheck",
    "BonusPayment",
    "Collection",
    "CompletionCode",
    "Emotion",
    "Factor",
    "InstrumentVersion",
    "PageVisit",
    "Participant",
    "Participation",
    "ProlificStudy",
    "Situation",
    "SituationVersion",
    "Study",
    "StudyEvent",
    "StudySituation",
    "Submission",
    "WebhookDelivery",
]
