"""Trying a study: who tried it, and beginning anew without what the trials left behind."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, ProtectedError

from surveys.models import Participant, Participation, Study
from surveys.services.errors import SurveyError
from surveys.services.studies import lock_study, record_event


@dataclass(frozen=True, slots=True)
class TestCounts:
    """How many test participations a study holds, by where they stand."""

    __test__ = False  # The name is the product's word, not pytest's.

    active: int = 0
    completed: int = 0
    withdrawn: int = 0

    @property
    def total(self) -> int:
        return self.active + self.completed + self.withdrawn


def count_tests(*, study: Study) -> TestCounts:
    """One query."""
    tests = Participation.objects.filter(study=study, is_test=True).order_by()
    return TestCounts(**dict(tests.values_list("state").annotate(n=Count("pk"))))


@transaction.atomic
def reset_pilot(*, study: Study, actor: User | None = None) -> TestCounts:
    """Delete the test participations of this study, and never any other. Returns what went.

    The pseudonyms of people who are in no other study go as well. Safe to repeat. Raises
    SurveyError `test_was_paid` where Prolific was asked to pay somebody marked as a test.
    """
    locked = lock_study(study)
    counts = count_tests(study=locked)
    if not counts.total:
        return counts
    tests = Participation.objects.filter(study=locked, is_test=True)
    people = list(tests.values_list("participant_id", flat=True))
    try:
        tests.delete()
    except ProtectedError as error:
        raise SurveyError(code="test_was_paid") from error
    Participant.objects.filter(pk__in=people, participations__isnull=True).delete()
    record_event(
        study=locked, kind="pilot reset", detail=f"tests deleted: {counts.total}", actor=actor
    )
    return counts
