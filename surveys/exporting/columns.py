"""A column is a variable and how it is read; the columns that are the same for every study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from surveys.domain.demographics import QUESTIONS
from surveys.domain.quality import Sign
from surveys.domain.redaction import redact
from surveys.exporting.people import Person
from surveys.exporting.table import Kind, Row, Value, Variable
from surveys.models import Participation


@dataclass(frozen=True, slots=True)
class Column:
    """One variable of a table with one row a participant."""

    variable: Variable
    read: Callable[[Person], Value]


def read_row(columns: list[Column], person: Person) -> Row:
    return [column.read(person) for column in columns]


def free_text(text: str) -> str | None:
    """Without ids and addresses, with line ends as LF; None for nothing."""
    return redact(text.replace("\r\n", "\n").replace("\r", "\n")) or None


def _of(field: str, label: str, kind: Kind = Kind.TEXT, unit: str = "", name: str = "") -> Column:
    """A column that is a field of the participation; "" is missing."""

    def read(person: Person) -> Value:
        value: Value = getattr(person.participation, field)
        return None if value == "" else value

    return Column(Variable(name or field, label, kind, unit), read)


def _computed(
    name: str, label: str, kind: Kind, read: Callable[[Participation], Value], unit: str = ""
) -> Column:
    return Column(Variable(name, label, kind, unit), lambda person: read(person.participation))


WHO = [
    Column(
        Variable("participant", "Pseudonym of the person, the same in every study", Kind.TEXT),
        lambda person: person.pseudonym,
    ),
    _computed("study", "Address of the study", Kind.TEXT, lambda p: p.study.slug),
    _of("state", "completed, or active: not (yet) finished"),
    _computed(
        "is_excluded",
        "Whether the person is left out of the norms",
        Kind.YES_NO,
        lambda p: bool(p.excluded_because),
    ),
]

EXCLUSION = [
    _computed(
        "excluded_because",
        "Why the person is left out of the norms",
        Kind.TEXT,
        lambda p: free_text(p.excluded_because),
    ),
    _of("outcome", "How it ended, as Prolific was told; empty where nobody judged"),
]


def _seconds_taken(participation: Participation) -> Value:
    start, end = participation.consented_at, participation.completed_at
    return (end - start).total_seconds() if start and end else None


TIMES = [
    _of("consented_at", "When the person consented", Kind.TIME, "UTC"),
    _of("consent_version", "Version of the consent text"),
    _of("last_seen_at", "When the last page was asked for or saved", Kind.TIME, "UTC"),
    _of("completed_at", "When the last answer was saved", Kind.TIME, "UTC"),
    _of("left_at", "When the completion code was first shown", Kind.TIME, "UTC"),
    _computed(
        "duration_seconds",
        "From consent to the last answer, breaks included",
        Kind.NUMBER,
        _seconds_taken,
        "seconds",
    ),
]

PERSON = [
    _of("gender", "Gender"),
    _of("year_of_birth", "Year of birth", Kind.INTEGER, "year"),
    _of("country", "Country of residence"),
    _of("employment", "Employment"),
    _of("education", "Highest education"),
    _computed(
        "declined_questions",
        f"Questions answered 'prefer not to say', of {', '.join(QUESTIONS)}",
        Kind.TEXT,
        lambda p: " ".join(p.declined_questions) or None,
    ),
]

DEVICE = [
    _of("language", "Language of the pages"),
    _of("is_translated", "Whether a browser translated the pages", Kind.YES_NO),
    _of("viewport_class", "Width of the window: small, medium or large"),
    _of("layout", "How the answers stood: stacked or row"),
]

ORDER = [
    _computed(
        "item_order",
        "The items in the order shown, the same in every measure",
        Kind.TEXT,
        lambda p: " ".join(p.item_order),
    )
]

COMMENT = [
    _computed(
        "comment",
        "What the person added; ids and addresses in it are replaced by [removed]",
        Kind.TEXT,
        lambda p: free_text(p.comment),
    )
]


def _has(sign: Sign) -> Callable[[Participation], Value]:
    def read(participation: Participation) -> Value:
        if not participation.outcome:
            return None
        return any(flag["code"] == sign for flag in participation.flags)

    return read


SIGN_LABELS = {
    Sign.FAST_RATINGS: "Flag: rated faster than the study's threshold",
    Sign.VERY_FAST_RATINGS: "Flag: rated faster than half of the study's threshold",
    Sign.FAST_READING: "Flag: read a situation faster than the study's threshold",
    Sign.INSTRUCTED_ITEM: "Flag: answered an instructed item otherwise",
    Sign.SYNONYMS_APART: "Flag: rated near-synonyms far apart",
    Sign.ALL_EQUAL: "Flag: gave one answer throughout in every measure",
}

FLAGS = [
    _computed(
        "n_flags",
        "How many signs of careless answers; empty where nobody judged",
        Kind.INTEGER,
        lambda p: len(p.flags) if p.outcome else None,
        "flags",
    ),
    *(_computed(f"flag_{sign.value}", SIGN_LABELS[sign], Kind.YES_NO, _has(sign)) for sign in Sign),
    _computed(
        "flag_reasons",
        "The figures behind the flags",
        Kind.TEXT,
        lambda p: "; ".join(flag["reason"] for flag in p.flags) or None,
    ),
]
