"""Whether a study here and the one on Prolific agree, before people are let in and money flows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from surveys.domain.pay import Pay
from surveys.models import Study
from surveys.prolific.drafts import study_fields

_PLAIN = {
    "external_study_url": "the address of the study",
    "reward": "the reward",
    "total_available_places": "the number of places",
    "estimated_completion_time": "the estimated time",
    "prolific_id_option": "how the ids are passed on",
}


def list_disagreements(*, study: Study, described: Mapping[str, Any]) -> tuple[str, ...]:
    """One sentence for each point in which Prolific's description differs from the study."""
    ours = study_fields(study=study)
    found = [
        f"{name[0].upper()}{name[1:]} is {described.get(key)!r} on Prolific and {ours[key]!r} here."
        for key, name in _PLAIN.items()
        if described.get(key) != ours[key]
    ]
    longest = described.get("maximum_allowed_time")
    if isinstance(longest, int | float) and longest < ours["estimated_completion_time"]:
        found.append(
            f"Prolific allows {longest} minutes at most, fewer than the "
            f"{ours['estimated_completion_time']} that people are expected to need."
        )
    found += _code_disagreements(ours["completion_codes"], _codes(described))
    if not study.is_open:
        found.append(
            f"The study is {study.get_state_display()} here: open it, or nobody can enter."
        )
    return tuple(found)


def pay_warnings(*, pay: Pay, currency: str) -> tuple[str, ...]:
    """A sentence where the pay is below what Prolific asks for or recommends."""
    if pay.short_of_minimum:
        lacking, what = pay.short_of_minimum, "less than Prolific's minimum"
    elif pay.short_of_recommended:
        lacking, what = pay.short_of_recommended, "less than Prolific recommends"
    else:
        return ()
    return (f"The pay is {lacking / 100:.2f} {currency} an hour {what}.",)


def _codes(described: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The completion codes, also of a study in the older form with a single one."""
    codes = described.get("completion_codes")
    if isinstance(codes, list) and codes:
        return [code for code in codes if isinstance(code, Mapping)]
    single = described.get("completion_code")
    return [{"code": single, "code_type": "COMPLETED", "actions": []}] if single else []


def _code_disagreements(ours: list[dict[str, Any]], theirs: list[Mapping[str, Any]]) -> list[str]:
    there = {code.get("code"): code for code in theirs}
    found = []
    for code in ours:
        other = there.pop(code["code"], None)
        name = f"The code {code['code']} ({code['code_type']})"
        if other is None:
            found.append(f"{name} is missing on Prolific.")
            continue
        if other.get("code_type") != code["code_type"]:
            found.append(f"{name} is of the type {other.get('code_type')} on Prolific.")
        if _actions(other) != _actions(code):
            found.append(
                f"{name} leads to {_listed(_actions(other))} on Prolific "
                f"and to {_listed(_actions(code))} here."
            )
    found += [f"The code {code} on Prolific is unknown here." for code in there]
    return found


def _actions(code: Mapping[str, Any]) -> set[str]:
    actions = code.get("actions")
    return {
        str(action.get("action"))
        for action in (actions if isinstance(actions, list) else [])
        if isinstance(action, Mapping)
    }


def _listed(actions: set[str]) -> str:
    return ", ".join(sorted(actions)) or "nothing"
