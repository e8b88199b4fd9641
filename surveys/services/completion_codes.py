"""Completion codes that nobody can guess."""

from __future__ import annotations

import random

from django.db import transaction

from surveys.domain.outcomes import Outcome
from surveys.models import CompletionCode, Study
from surveys.services.studies import lock_study

# No vowels, so no words; nothing that is mistaken for something else when copied by hand.
LETTERS = "BCDFGHJKLMNPQRSTVWXZ23456789"
LENGTH = 8
# What Prolific does by itself is only ever the mild thing: people are paid or asked, not rejected.
ACTIONS = {
    Outcome.COMPLETED: CompletionCode.Action.MANUALLY_REVIEW,
    Outcome.FAILED_ATTENTION: CompletionCode.Action.MANUALLY_REVIEW,
    Outcome.NO_CONSENT: CompletionCode.Action.REQUEST_RETURN,
    Outcome.WITHDRAWN: CompletionCode.Action.MANUALLY_REVIEW,
    Outcome.STUDY_FULL: CompletionCode.Action.REQUEST_RETURN,
}


@transaction.atomic
def propose_codes(*, study: Study, rng: random.Random) -> list[CompletionCode]:
    """Draw a code for each outcome that has none; those that are set stay. Returns the new ones."""
    locked = lock_study(study)
    present = set(locked.completion_codes.values_list("outcome", flat=True))
    codes = [
        CompletionCode(
            study=locked,
            outcome=outcome,
            code="".join(rng.choice(LETTERS) for _ in range(LENGTH)),
            action=ACTIONS[outcome],
        )
        for outcome in Outcome
        if outcome not in present
    ]
    return CompletionCode.objects.bulk_create(codes)
