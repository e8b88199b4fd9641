"""The fields of a page as templates show them: legends, choices, what is chosen, what is wrong.

Plain values instead of Django's form classes: a page has up to sixty items of one kind, and what
is valid is decided in surveys.domain, for people and models alike.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext, override
from django.utils.translation import gettext as _

from surveys.domain.attention import CHECK_KEY
from surveys.domain.demographics import (
    DECLINED,
    EDUCATIONS,
    EMPLOYMENTS,
    GENDERS,
    OLDEST,
    QUESTIONS,
    YOUNGEST,
)
from surveys.domain.instrument import Instrument, ResponseOption
from surveys.domain.pages import RatingsPage
from surveys.models import Participation
from surveys.services.countries import country_names

ITEM_PREFIX = "item-"
# Where survey.js puts what it has to tell about a page.
REPORT_FIELD = "report"
# Longer labels than this do not fit beside each other.
LONGEST_LABEL_IN_A_ROW = 32

_QUESTIONS: dict[str, str | Promise] = {
    "gender": gettext_lazy("What is your gender?"),
    "year_of_birth": gettext_lazy("In which year were you born?"),
    "country": gettext_lazy("Which country are you from?"),
    "employment": gettext_lazy("What is your employment status?"),
    "education": gettext_lazy("What is the highest level of education you have completed?"),
}
_FAULTS: dict[str, dict[str, str | Promise]] = {
    "gender": {"": gettext_lazy("Choose your gender, or “Prefer not to say”")},
    "year_of_birth": {
        "": gettext_lazy("Enter the year you were born in, or choose “Prefer not to say”"),
        "not_a_year": gettext_lazy("Enter the year as four digits, for example 1990"),
        "too_young": gettext_lazy("You must be 18 or older to take part: check the year"),
        "too_old": gettext_lazy("Check the year: it is too long ago"),
        "both": gettext_lazy("Enter a year or choose “Prefer not to say”, not both"),
    },
    "country": {"": gettext_lazy("Choose a country, or “Prefer not to say”")},
    "employment": {"": gettext_lazy("Choose your employment status, or “Prefer not to say”")},
    "education": {"": gettext_lazy("Choose your education, or “Prefer not to say”")},
}
# The stored words are those of the published data; people read kinder ones.
_LABELS: dict[str, str | Promise] = {
    "Female": gettext_lazy("Female"),
    "Male": gettext_lazy("Male"),
    "Non-binary": gettext_lazy("Non-binary"),
    "Another gender": gettext_lazy("Another gender"),
    "Employed": gettext_lazy("Employed"),
    "Self-employed": gettext_lazy("Self-employed"),
    "Unemployed": gettext_lazy("Unemployed"),
    "Student": gettext_lazy("Student"),
    "Retired": gettext_lazy("Retired"),
    "Looking after home or family": gettext_lazy("Looking after home or family"),
    "Unable to work": gettext_lazy("Unable to work"),
    "None": gettext_lazy("No formal education"),
    "Primary school": gettext_lazy("Primary school"),
    "Lower secondary school": gettext_lazy("Lower secondary school"),
    "Upper secondary school": gettext_lazy("Upper secondary school"),
    "Vocational training": gettext_lazy("Vocational training"),
    "University - Bachelors": gettext_lazy("University: bachelor’s degree"),
    "University - Masters": gettext_lazy("University: master’s degree"),
    "University - Doctorate": gettext_lazy("University: doctorate"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One radio or option. `number` is shown before the label where it means something."""

    value: str
    label: str
    element_id: str
    is_chosen: bool
    number: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One question. `focus_id` is the element that the error summary leads to.

    `kind` is `radios`, `select` or `year`; `text` is what was typed.
    """

    name: str
    legend: str
    kind: str
    focus_id: str
    choices: tuple[Choice, ...]
    error: str = ""
    text: str = ""
    is_declined: bool = False
    is_row: bool = False


def rating_fields(
    instrument: Instrument,
    page: RatingsPage,
    chosen: Mapping[str, str],
    faults: Mapping[str, str],
) -> tuple[Field, ...]:
    """A field for each item of the page, and one for its instructed item at its place.

    `chosen` and `faults` are keyed by item, the instructed one by CHECK_KEY.
    """
    asked = [(item.key, item.text, instrument.options_of(item)) for item in page.items]
    if page.check:
        index = page.check.place - page.first_place
        asked.insert(index, (CHECK_KEY, page.check.text, instrument.options))
    longest = max(len(option.label) for _key, _text, options in asked for option in options)
    return tuple(
        _rating_field(
            key,
            text,
            options,
            chosen=chosen.get(key, ""),
            is_missing=key in faults,
            is_row=longest <= LONGEST_LABEL_IN_A_ROW,
        )
        for key, text, options in asked
    )


def _rating_field(
    key: str,
    text: str,
    options: Sequence[ResponseOption],
    *,
    chosen: str,
    is_missing: bool,
    is_row: bool,
) -> Field:
    name = ITEM_PREFIX + key
    choices = tuple(
        Choice(
            value=str(option.value),
            label=option.label,
            element_id=f"{name}-{option.value}",
            is_chosen=chosen == str(option.value),
            number=str(option.value),
        )
        for option in options
    )
    error = _("Choose an answer for “%(item)s”") % {"item": text}
    return Field(
        name=name,
        legend=text,
        kind="radios",
        focus_id=choices[0].element_id,
        choices=choices,
        error=error if is_missing else "",
        is_row=is_row,
    )


@dataclass(frozen=True, slots=True)
class Waiting:
    """How long a situation still holds its reader, in words and as a number."""

    seconds: int
    sentence: str
    is_too_early: bool


def waiting(seconds: int, *, is_too_early: bool) -> Waiting | None:
    """None where nobody has to wait; `is_too_early` where somebody tried to go on already."""
    if not seconds:
        return None
    sentence = ngettext(
        "Please read the text slowly. You can continue after %(count)d second.",
        "Please read the text slowly. You can continue after %(count)d seconds.",
        seconds,
    ) % {"count": seconds}
    return Waiting(seconds, sentence, is_too_early)


def demographic_fields(
    chosen: Mapping[str, str], faults: Mapping[str, str], questions: Sequence[str] = QUESTIONS
) -> tuple[Field, ...]:
    """These questions; `chosen` as a form sends it, or `saved_demographics` gives it."""
    offered: dict[str, Sequence[str]] = {
        "gender": GENDERS,
        "year_of_birth": (),
        "country": country_names(),
        "employment": EMPLOYMENTS,
        "education": EDUCATIONS,
    }
    kinds = {"year_of_birth": "year", "country": "select"}
    fields = []
    for name in questions:
        kind = kinds.get(name, "radios")
        fault = faults.get(name, "")
        sentences = _FAULTS[name]
        fields.append(
            Field(
                name=name,
                legend=str(_QUESTIONS[name]),
                kind=kind,
                focus_id=f"{name}-0" if kind == "radios" else name,
                choices=_choices(name, offered[name], chosen.get(name, "")),
                error=str(sentences.get(fault, sentences[""])) if fault else "",
                text=chosen.get(name, "") if kind == "year" else "",
                is_declined=bool(chosen.get(f"{name}_declined")),
            )
        )
    return tuple(fields)


def _choices(name: str, offered: Sequence[str], chosen: str) -> tuple[Choice, ...]:
    declined = [(DECLINED, _("Prefer not to say"))] if offered else []
    if name == "country":
        # In a list of 250 countries a refusal at the end would be hard to find.
        pairs = [*declined, *_countries_in(get_language() or settings.LANGUAGE_CODE)]
    else:
        pairs = [(value, str(_LABELS.get(value, value))) for value in offered] + declined
    return tuple(
        Choice(value, label, f"{name}-{index}", chosen == value)
        for index, (value, label) in enumerate(pairs)
    )


@cache
def _countries_in(language: str) -> tuple[tuple[str, str], ...]:
    """Each country as it is stored and as it is read, in the order of the reader's alphabet.

    Kept, because translating and sorting them takes longer than all else on their page.
    """
    with override(language):
        return tuple(sorted(((name, _(name)) for name in country_names()), key=_by_letters))


def _by_letters(pair: tuple[str, str]) -> str:
    """Where a label stands in the alphabet: an accent makes no other letter."""
    decomposed = unicodedata.normalize("NFKD", pair[1].casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def saved_demographics(participation: Participation) -> dict[str, str]:
    """What is stored, in the shape in which a form sends it."""
    chosen = {name: str(getattr(participation, name) or "") for name in QUESTIONS}
    for name in participation.declined_questions:
        if name == "year_of_birth":
            chosen["year_of_birth_declined"] = "yes"
        else:
            chosen[name] = DECLINED
    return chosen


def years_offered(this_year: int) -> tuple[int, int]:
    """The earliest and the latest year of birth that the form admits."""
    return this_year - OLDEST, this_year - YOUNGEST


def error_count(fields: Sequence[Field]) -> str:
    """The heading of the error summary, or nothing."""
    count = sum(bool(field.error) for field in fields)
    if not count:
        return ""
    return ngettext(
        "One question still needs an answer", "%(count)d questions still need an answer", count
    ) % {"count": count}
