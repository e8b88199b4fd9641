"""What may still change in a study once somebody has taken part, and why the rest may not.

Answers mean something only together with what people were asked, so that is fixed by the first
answer. The rules for careless answers are fixed by it too: a rule chosen after looking at answers
can be chosen to suit. A promise made in the consent may be improved, not broken.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class Refusal(StrEnum):
    """Why a change is refused."""

    MEASURE = "it is part of what people answered"
    RULE = "the rules for careless answers are fixed before collection"
    PROMISE = "people took part under a better promise"
    VERSION = "people agreed to the earlier text under this version"
    ADDRESS = "people and Prolific hold links to it"
    CODE = "people may have handed it to Prolific"
    ARCHIVE = "the study is in the archive"


MEASURE_FIELDS = (
    "instrument",
    "language",
    "item_order",
    "items_per_page",
    "situations_per_person",
    "attention_items",
    "reading_words_per_minute",
    "demographic_questions",
)
RULE_FIELDS = (
    "flag_item_seconds",
    "flag_reading_words_per_minute",
    "flag_synonym_difference",
    "exclusion_flags",
)
NEVER_LOWER = ("withdrawal_days", "reward_minor")
NEVER_HIGHER = ("identity_retention_days",)


def refused_changes(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    *,
    has_takers: bool,
    is_known_outside: bool,
) -> dict[str, Refusal]:
    """Why each changed field must stay, keyed by field; empty where every change is fine.

    `before` and `after` map names of fields to plain values. `has_takers`: somebody who is no
    test took part. `is_known_outside`: the address has been given to people or to Prolific.
    """
    changed = {name for name in before if before[name] != after[name]}
    if before["state"] == "archived":
        return dict.fromkeys(changed, Refusal.ARCHIVE)
    refused: dict[str, Refusal] = {}
    if "slug" in changed and (has_takers or is_known_outside):
        refused["slug"] = Refusal.ADDRESS
    if not has_takers:
        return refused
    refused |= {name: Refusal.MEASURE for name in MEASURE_FIELDS if name in changed}
    refused |= {name: Refusal.RULE for name in RULE_FIELDS if name in changed}
    for name in changed.intersection((*NEVER_LOWER, *NEVER_HIGHER)):
        if _breaks_promise(name, before[name], after[name]):
            refused[name] = Refusal.PROMISE
    if "reward_currency" in changed and before["reward_minor"] is not None:
        refused["reward_currency"] = Refusal.PROMISE
    if "consent_text" in changed and "consent_version" not in changed:
        refused["consent_version"] = Refusal.VERSION
    return refused


def _breaks_promise(name: str, before: int | None, after: int | None) -> bool:
    if before is None:
        return False
    if after is None:
        return True
    return after > before if name in NEVER_HIGHER else after < before


def refused_codes(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """The outcomes whose completion code was taken away or altered; new ones are fine."""
    return tuple(outcome for outcome, code in before.items() if after.get(outcome) != code)
