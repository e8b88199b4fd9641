"""The questions about the person, and what counts as an answer to each.

Five questions, of which a study asks some, and each of which may be declined. The words are those
of the published study where it has them, so that own and imported participants can be grouped
alike. The year of birth, not the date, is asked: a date would identify people.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

DECLINED = "prefer-not-to-say"
YOUNGEST = 18
OLDEST = 110

GENDERS = ("Female", "Male", "Non-binary", "Another gender")
EMPLOYMENTS = (
    "Employed",
    "Self-employed",
    "Unemployed",
    "Student",
    "Retired",
    "Looking after home or family",
    "Unable to work",
)
EDUCATIONS = (
    "None",
    "Primary school",
    "Lower secondary school",
    "Upper secondary school",
    "Vocational training",
    "University - Bachelors",
    "University - Masters",
    "University - Doctorate",
)
QUESTIONS = ("gender", "year_of_birth", "country", "employment", "education")


@dataclass(frozen=True, slots=True)
class Demographics:
    """Valid answers by question, the questions declined, and a fault code for each other one.

    Faults: `missing`, `not_offered`, `not_a_year`, `too_young`, `too_old`, `both` (a year and a
    refusal).
    """

    given: Mapping[str, str | int]
    declined: tuple[str, ...]
    faults: Mapping[str, str]


def asked_questions(wanted: Collection[str]) -> tuple[str, ...]:
    """The known ones of the wanted questions, in the order in which they are asked."""
    return tuple(question for question in QUESTIONS if question in wanted)


def read_demographics(
    sent: Mapping[str, str],
    *,
    countries: Sequence[str],
    this_year: int,
    questions: Sequence[str] = QUESTIONS,
) -> Demographics:
    """Judge the answers to these questions, keyed by question; others are ignored.

    `DECLINED` declines a question; the year, which is typed, is declined by `year_of_birth_declined`.
    """  # noqa: E501
    choices = {
        "gender": GENDERS,
        "country": countries,
        "employment": EMPLOYMENTS,
        "education": EDUCATIONS,
    }
    given: dict[str, str | int] = {}
    declined: list[str] = []
    faults: dict[str, str] = {}
    for question in questions:
        text = sent.get(question, "").strip()
        if question == "year_of_birth":
            answer, fault = _read_year(text, bool(sent.get("year_of_birth_declined")), this_year)
        else:
            answer, fault = _read_choice(text, choices[question])
        if fault:
            faults[question] = fault
        elif answer == DECLINED:
            declined.append(question)
        else:
            given[question] = answer
    return Demographics(given, tuple(declined), faults)


def _read_choice(text: str, offered: Sequence[str]) -> tuple[str | int, str]:
    if not text:
        return "", "missing"
    return (text, "") if text == DECLINED or text in offered else ("", "not_offered")


def _read_year(text: str, is_declined: bool, this_year: int) -> tuple[str | int, str]:
    if is_declined:
        return (DECLINED, "") if not text else ("", "both")
    if not text:
        return "", "missing"
    # The digits of every script pass isdecimal, and int() reads them.
    if not (text.isdecimal() and len(text) == 4):
        return "", "not_a_year"
    year = int(text)
    if year > this_year - YOUNGEST:
        return "", "too_young" if year <= this_year else "not_a_year"
    return (year, "") if year >= this_year - OLDEST else ("", "too_old")
