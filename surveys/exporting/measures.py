"""The columns of one measure, in the instrument's own order whatever was shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

from surveys.domain.instrument import Instrument, Item, Scoring
from surveys.domain.quality import ReadSituation, longest_string, within_person_sd
from surveys.domain.reading import count_words
from surveys.exporting.columns import Column
from surveys.exporting.people import Person
from surveys.exporting.table import Kind, Value, Variable, variable_name
from surveys.models import SituationVersion


def measure_columns(
    instrument: Instrument, position: int, prefix: str, when: str, *, has_check: bool
) -> Iterator[Column]:
    """Ratings, scores, times and figures of quality. `when` ends each label."""
    for item in instrument.items:
        yield Column(
            rating_variable(instrument, item, prefix, when), partial(_rating, position, item.key)
        )
    for subscale in instrument.subscales:
        yield Column(
            _score_variable(instrument, f"{prefix}_{subscale.key}", f"{subscale.name}, {when}"),
            partial(_score, position, subscale.key),
        )
    yield from _times(position, prefix, when)
    yield from _figures(position, prefix, when)
    if has_check:
        yield from _check(position, prefix, when)


def change_columns(instrument: Instrument, position: int, suffix: str) -> Iterator[Column]:
    """Evoked score - default score, a subscale a column."""
    for subscale in instrument.subscales:
        label = f"{subscale.name}, change: after situation{suffix and ' ' + suffix} - before"
        yield Column(
            _score_variable(instrument, f"change{suffix}_{subscale.key}", label),
            partial(_change, position, subscale.key),
        )


def rating_variable(instrument: Instrument, item: Item, prefix: str, when: str) -> Variable:
    options = instrument.options_of(item)
    return Variable(
        name=variable_name(prefix, item.key),
        label=f"{item.text or f'item {item.key}'}, {when}",
        kind=Kind.INTEGER,
        unit="scale points",
        value_labels={option.value: option.label for option in options},
        instrument=instrument.key,
        version=instrument.version,
    )


def _score_variable(instrument: Instrument, name: str, label: str) -> Variable:
    kind = Kind.NUMBER if instrument.scoring is Scoring.MEAN else Kind.INTEGER
    return Variable(
        name=variable_name(name),
        label=label,
        kind=kind,
        unit=f"{instrument.scoring.value.replace('_', ' ')} of scale points",
        instrument=instrument.key,
        version=instrument.version,
    )


def _times(position: int, prefix: str, when: str) -> Iterator[Column]:
    for field, label in (
        ("started_at", "First answer saved"),
        ("completed_at", "Last answer saved"),
    ):
        variable = Variable(f"{prefix}_{field}", f"{label}, {when}", Kind.TIME, "UTC")
        yield Column(variable, partial(_measure_time, position, field))
    yield Column(
        Variable(f"{prefix}_seconds", f"Time at the pages, {when}", Kind.NUMBER, "seconds"),
        lambda person: person.seconds.by_measure.get(position),
    )


def _figures(position: int, prefix: str, when: str) -> Iterator[Column]:
    yield Column(
        Variable(
            f"{prefix}_longest_string",
            f"Longest run of one answer in shown order, {when}; never a flag",
            Kind.INTEGER,
            "items",
        ),
        lambda person: longest_string(person.ratings_shown(position)) or None,
    )
    yield Column(
        Variable(
            f"{prefix}_within_person_sd",
            f"Standard deviation over the items, {when}; never a flag",
            Kind.NUMBER,
            "scale points",
        ),
        lambda person: within_person_sd(person.ratings_shown(position)),
    )


def _check(position: int, prefix: str, when: str) -> Iterator[Column]:
    columns: tuple[tuple[str, str, Kind, Callable[[Person], Value]], ...] = (
        ("asked", "Answer that the instructed item asked for", Kind.INTEGER,
         lambda p: p.checks[position].asked_value if position in p.checks else None),
        ("answered", "Answer given to the instructed item", Kind.INTEGER,
         lambda p: p.checks[position].answered_value if position in p.checks else None),
        ("failed", "Whether it was answered otherwise", Kind.YES_NO, partial(_failed, position)),
    )  # fmt: skip
    for name, label, kind, read in columns:
        yield Column(Variable(f"{prefix}_attention_{name}", f"{label}, {when}", kind), read)


def situation_columns(ordinal: int, suffix: str) -> Iterator[Column]:
    """What was imagined as number `ordinal`, counted from 1; `suffix` is "" for the only one."""
    name = f"situation{suffix}"
    which = f"Situation {suffix}".strip()
    for field, label, kind, read in SITUATION:
        variable = Variable(f"{name}_{field}", f"{which}: {label}", kind)
        yield Column(variable, partial(_of_situation, ordinal, read))
    yield Column(
        Variable(f"{name}_seconds", f"{which}: time at its page", Kind.NUMBER, "seconds"),
        partial(_reading, ordinal, lambda reading: reading.seconds),
    )
    yield Column(
        Variable(
            f"{name}_words_per_minute",
            f"{which}: speed of reading; empty where no time passed",
            Kind.NUMBER,
            "words a minute",
        ),
        partial(_reading, ordinal, _finite_speed),
    )


def situation_emotion(version: SituationVersion) -> str | None:
    factor = version.situation.factor
    return factor.emotion.name if factor else None


def situation_factor(version: SituationVersion) -> str | None:
    factor = version.situation.factor
    return factor.name if factor else None


SITUATION: tuple[tuple[str, str, Kind, Callable[[SituationVersion], Value]], ...] = (
    ("code", "its code in the catalogue", Kind.TEXT, lambda v: v.situation.code),
    ("collection", "where it comes from", Kind.TEXT, lambda v: v.situation.collection.slug),
    ("version", "version of its words", Kind.INTEGER, lambda v: v.number),
    ("kind", "standard, positive or neutral", Kind.TEXT, lambda v: v.situation.kind),
    ("emotion", "emotion that it is meant to evoke", Kind.TEXT, situation_emotion),
    ("factor", "factor of that emotion", Kind.TEXT, situation_factor),
)


def _rating(position: int, item: str, person: Person) -> Value:
    return person.rating(position, item)


def _score(position: int, subscale: str, person: Person) -> Value:
    return person.score(position, subscale)


def _change(position: int, subscale: str, person: Person) -> Value:
    before, after = person.score(0, subscale), person.score(position, subscale)
    return None if before is None or after is None else after - before


def _measure_time(position: int, field: str, person: Person) -> Value:
    measure = person.measures.get(position)
    time: Value = getattr(measure, field) if measure else None
    return time


def _failed(position: int, person: Person) -> Value:
    check = person.checks.get(position)
    return None if check is None or check.answered_value is None else check.is_failed


def _of_situation(ordinal: int, read: Callable[[SituationVersion], Value], person: Person) -> Value:
    return read(person.situations[ordinal - 1]) if ordinal <= len(person.situations) else None


def _reading(ordinal: int, read: Callable[[ReadSituation], Value], person: Person) -> Value:
    if ordinal > len(person.situations):
        return None
    version = person.situations[ordinal - 1]
    seconds = person.seconds.by_situation.get(version.pk)
    return read(ReadSituation(count_words(version.text), seconds))


def _finite_speed(reading: ReadSituation) -> Value:
    speed = reading.words_per_minute
    return None if speed is None or math.isinf(speed) else speed
