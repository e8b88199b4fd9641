"""What a study needs before it opens, and what may no longer change once people took part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from surveys.domain.outcomes import Outcome
from surveys.domain.study_changes import Refusal, refused_changes
from surveys.domain.synonyms import SYNONYMS
from surveys.models import Participation, Situation, Study

# Where Prolific has no code for an outcome, the participant has to be sent away by hand.
ADVISED_OUTCOMES = (Outcome.NO_CONSENT, Outcome.WITHDRAWN, Outcome.STUDY_FULL)


def has_takers(study: Study) -> bool:
    """Whether anybody who is no test took part, also if they withdrew since."""
    return Participation.objects.filter(study=study, is_test=False).exists()


def opening_faults(*, study: Study) -> tuple[str, ...]:
    """The codes of everything that keeps a study from taking people in, the gravest first."""
    if study.origin == Study.Origin.IMPORTED:
        return ("study_imported",)
    places = study.study_situations.filter(is_closed=False)
    unpublished = places.exclude(situation_version__situation__state=Situation.State.PUBLISHED)
    faults = {
        "instrument_incomplete": not study.instrument.is_complete,
        "consent_text_missing": not study.consent_text.strip(),
        "completion_code_missing": not study.code_for(Outcome.COMPLETED),
        "situations_too_few": places.count() < study.situations_per_person,
        "situations_unpublished": unpublished.exists(),
        "options_unlabelled": bool(study.attention_items) and not _has_labels(study),
        "exclusion_unreachable": (study.exclusion_flags or 0) > _possible_flags(study),
        "target_zero": study.target_per_situation == 0,
    }
    return tuple(code for code, is_so in faults.items() if is_so)


def opening_advice(*, study: Study) -> tuple[str, ...]:
    """The codes of what would be missed later, though the study opens without it."""
    wanted = (*ADVISED_OUTCOMES, *([Outcome.FAILED_ATTENTION] if study.attention_items else []))
    advice = {
        "codes_few": not all(study.code_for(outcome) for outcome in wanted),
        "contact_missing": not study.contact.strip(),
        "debrief_missing": not study.debrief_text.strip(),
        "exclusion_rule_missing": study.exclusion_flags is None,
        "reward_missing": study.reward_minor is None,
        "pilot_missing": not Participation.objects.filter(
            study=study, is_test=True, state=Participation.State.COMPLETED
        ).exists(),
    }
    return tuple(code for code, is_so in advice.items() if is_so)


def _possible_flags(study: Study) -> int:
    """How many of the signs of careless answers somebody in this study can show at once."""
    possible = (
        study.flag_item_seconds > 0,
        True,  # too fast reading: every person reads at least one situation
        study.attention_items > 0,
        study.instrument.key in SYNONYMS,
        True,  # all equal in every measure
    )
    return sum(possible)


def _has_labels(study: Study) -> bool:
    """An instructed item names the option to choose, so each option of an item needs words."""
    spec = study.instrument.spec
    return all(option.label.strip() for item in spec.items for option in spec.options_of(item))


def refused_study_changes(*, study: Study, changes: Mapping[str, Any]) -> Mapping[str, Refusal]:
    """Why each of these new values (by field; a related row or its id) is refused.

    `study` is what is stored. Queries; call it under the lock of the study's row, so that nobody
    takes part in between.
    """
    names = [(field.name, field.attname) for field in Study._meta.concrete_fields]
    before = {name: getattr(study, attname) for name, attname in names}
    after = before | {name: getattr(value, "pk", value) for name, value in changes.items()}
    return refused_changes(
        before,
        after,
        has_takers=has_takers(study),
        is_known_outside=_is_known_outside(study),
    )


def _is_known_outside(study: Study) -> bool:
    is_begun = study.state not in {Study.State.DRAFT, Study.State.PILOT}
    return is_begun or hasattr(study, "prolific")
