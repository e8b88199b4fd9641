"""Storing the people's sheet as a closed, imported study."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from surveys.domain.protocol import ItemOrder, Phase
from surveys.importing.catalogue import CITATION, StoredSituation
from surveys.importing.faults import ReleaseFileError
from surveys.importing.outcome import FileOutcome
from surveys.importing.people_files import SHEET, Person
from surveys.importing.places import Place
from surveys.importing.presented import store_presented
from surveys.importing.scores import Scorer
from surveys.importing.tables import first_names
from surveys.models import (
    Administration,
    Assignment,
    InstrumentVersion,
    Participant,
    Participation,
    Study,
    StudySituation,
)

STUDY = "emotionbench"
DEMOGRAPHICS = ("gender", "year_of_birth", "country", "employment", "education")


def store_people(
    people: Sequence[Person],
    instrument: InstrumentVersion,
    quoted: Mapping[Place, str],
    outcome: FileOutcome,
) -> None:
    """Store every participant, or compare with those stored before, who stay as they are.

    `quoted` are the words that people were shown, by place.
    """
    scorer = Scorer(instrument.spec)
    outcome.invalid = sum(bool(_gaps(person)) for person in people)
    outcome.warnings += _wrong_sums(people, scorer)
    study = _study(instrument)
    if study.participations.exists():
        _compare(study, people, outcome)
        return
    situations = store_presented((person.place for person in people), quoted, outcome)
    _check_places(people, situations)
    presented = [situations[place] for place in sorted({person.place for person in people})]
    StudySituation.objects.bulk_create(
        [StudySituation(study=study, situation_version_id=s.version_id) for s in presented]
    )
    _create(study, people, situations, scorer)
    outcome.created = len(people)


def _check_places(people: Sequence[Person], situations: Collection[Place]) -> None:
    for person in people:
        if person.place not in situations:
            raise ReleaseFileError(
                f"{person.place} is not among the imported situations",
                sheet=SHEET,
                column=person.index,
                header=person.code,
                row=1,
            )


def _study(instrument: InstrumentVersion) -> Study:
    study, _ = Study.objects.get_or_create(
        slug=STUDY,
        defaults={
            "title": "EmotionBench participants",
            "state": Study.State.CLOSED,
            "origin": Study.Origin.IMPORTED,
            "citation": CITATION,
            "instrument": instrument,
            "item_order": ItemOrder.FIXED,
        },
    )
    if study.origin != Study.Origin.IMPORTED:
        raise ReleaseFileError(f"a study of your own has the address {STUDY}; rename it first")
    return study


def _create(
    study: Study,
    people: Sequence[Person],
    situations: Mapping[Place, StoredSituation],
    scorer: Scorer,
) -> None:
    participants = Participant.objects.bulk_create([Participant() for _ in people])
    participations = Participation.objects.bulk_create(
        [
            Participation(
                study=study,
                participant=participant,
                state=Participation.State.COMPLETED,
                excluded_because=_gaps(person),
                item_order=list(scorer.instrument.item_keys),
                source_key=person.column,
                **{field: getattr(person, field) for field in DEMOGRAPHICS},
            )
            for person, participant in zip(people, participants, strict=True)
        ]
    )
    both = [
        (person, participation, situations[person.place].version_id)
        for person, participation in zip(people, participations, strict=True)
    ]
    Assignment.objects.bulk_create(
        [
            Assignment(participation=participation, situation_version_id=version_id, position=0)
            for _, participation, version_id in both
        ]
    )
    Administration.objects.bulk_create(
        [
            measure
            for person, participation, version_id in both
            for measure in _measures(person, participation, version_id, study.instrument, scorer)
        ]
    )


def _measures(
    person: Person,
    participation: Participation,
    version_id: int,
    instrument: InstrumentVersion,
    scorer: Scorer,
) -> Iterator[Administration]:
    """The two measures; the release gives no order of items, so it is the instrument's own."""
    answers = ((Phase.DEFAULT, person.default, None), (Phase.EVOKED, person.evoked, version_id))
    for position, (phase, ratings, shown) in enumerate(answers):
        yield Administration(
            participation=participation,
            position=position,
            instrument=instrument,
            phase=phase.value,
            situation_version_id=shown,
            item_order=list(range(len(ratings))),
            ratings=list(ratings),
            scores=scorer.scores(ratings),
        )


def _gaps(person: Person) -> str:
    """Why a participant does not count, or ""."""
    parts = [
        f"{sum(rating is None for rating in ratings)} of {len(ratings)} {phase} ratings blank"
        for phase, ratings in (("default", person.default), ("evoked", person.evoked))
        if None in ratings
    ]
    return ", ".join(parts)


def _wrong_sums(people: Sequence[Person], scorer: Scorer) -> list[str]:
    """Where the sheet's own sums are not those of its ratings."""
    wrong: dict[tuple[str, str], list[str]] = {}
    for person in people:
        for phase, ratings in (("default", person.default), ("evoked", person.evoked)):
            scores = scorer.scores(ratings) or {}
            for (sum_phase, subscale), value in person.sums.items():
                if sum_phase == phase and subscale in scores and scores[subscale] != value:
                    wrong.setdefault((phase, subscale), []).append(person.column)
    return [
        f"sheet {SHEET}: the sheet's own sum of {subscale} ({phase}) is not that of its ratings "
        f"in {len(columns)} columns ({first_names(columns)}); the ratings count"
        for (phase, subscale), columns in wrong.items()
    ]


def _compare(study: Study, people: Sequence[Person], outcome: FileOutcome) -> None:
    stored = _stored(study)
    differing, new = [], []
    for person in people:
        known = stored.pop(person.column, None)
        if known is None:
            new.append(person.column)
        elif known == _as_stored(person):
            outcome.unchanged += 1
        else:
            differing.append(person.column)
    for columns, fault in (
        (differing, "differ from what was imported before"),
        (new, "were not there before, and are not added"),
        (list(stored), "were imported before and are missing now"),
    ):
        if columns:
            outcome.warnings.append(
                f"sheet {SHEET}: {len(columns)} columns {fault} ({first_names(columns)}); "
                "what is stored stays"
            )


def _as_stored(person: Person) -> tuple[Any, ...]:
    demographics = tuple(getattr(person, field) for field in DEMOGRAPHICS)
    return (*demographics, person.place, person.default, person.evoked)


def _stored(study: Study) -> dict[str, tuple[Any, ...]]:
    ratings: dict[int, dict[str, tuple[int | None, ...]]] = {}
    measures = Administration.objects.filter(participation__study=study)
    for pk, phase, values in measures.values_list("participation_id", "phase", "ratings"):
        ratings.setdefault(pk, {})[phase] = tuple(values)
    factor = "assignments__situation_version__situation__factor"
    rows = study.participations.values_list(
        "pk",
        "source_key",
        *DEMOGRAPHICS,
        f"{factor}__emotion__name",
        f"{factor}__position",
        "assignments__situation_version__situation__position",
    )
    result = {}
    for pk, key, *rest in rows:
        demographics, place = rest[: len(DEMOGRAPHICS)], Place(*rest[len(DEMOGRAPHICS) :])
        own = ratings.get(pk, {})
        result[key] = (*demographics, place, own.get("default"), own.get("evoked"))
    return result


def participants_instrument(instruments: Mapping[str, InstrumentVersion]) -> InstrumentVersion:
    """The instrument of the people's sheet; ReleaseFileError where it is not loaded."""
    version = instruments.get("panas")
    if version is None:
        raise ReleaseFileError("PANAS is not stored: run load_catalogue first")
    return version
