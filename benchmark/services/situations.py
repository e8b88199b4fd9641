"""The situations of a run, chosen from the catalogue; and the people who answered them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from django.db.models import Prefetch

from benchmark.domain.situation_choice import (
    SituationChoiceError,
    choose_situations,
    parse_situation_choice,
)
from benchmark.services.errors import BenchmarkError
from surveys.domain.protocol import ImaginedSituation
from surveys.models import (
    Administration,
    Emotion,
    InstrumentVersion,
    Situation,
    SituationVersion,
)

PeopleByCell = Mapping[int | None, Sequence[Sequence[int]]]


def situations_of_choice(
    *, choice: str, emotions: Sequence[str] = ()
) -> tuple[ImaginedSituation, ...]:
    """The newest words of the chosen published standard situations, in catalogue order.

    `choice` is `study` (those the published study presented, or without them all that stand in
    the catalogue), `all`, or `N-per-factor` (the first N of the study's in each factor).
    `emotions` empty: every emotion. Raises BenchmarkError where a word is unknown or nothing fits.
    """
    try:
        wanted = parse_situation_choice(choice)
    except SituationChoiceError as error:
        raise BenchmarkError("choice_invalid", f"{error}.") from None
    candidates = _candidates()
    if emotions:
        names = known_emotions(emotions)
        candidates = [c for c in candidates if c.factor and c.factor.emotion.name in names]
    chosen = choose_situations(candidates, wanted)
    if not chosen:
        raise BenchmarkError(
            "situations_missing", "No published situation fits: run load_catalogue first."
        )
    versions = [(situation, situation.current_version) for situation in chosen]
    return tuple(ImaginedSituation(v.pk, v.text) for _, v in versions if v is not None)


def known_emotions(names: Sequence[str]) -> list[str]:
    """The catalogue's spelling of emotions; BenchmarkError names one that it does not have."""
    spelling = {name.casefold(): name for name in Emotion.objects.values_list("name", flat=True)}
    unknown = [name for name in names if name.casefold() not in spelling]
    if unknown:
        known = ", ".join(spelling.values())
        raise BenchmarkError(
            "emotion_unknown", f"There is no emotion {unknown[0]!r}; there are {known}."
        )
    return [spelling[name.casefold()] for name in names]


def _candidates() -> list[Situation]:
    versions = Prefetch("versions", SituationVersion.objects.order_by("number"))
    situations = Situation.objects.published().standard().in_catalogue_order()
    return list(situations.prefetch_related(versions))


def people_by_cell(
    *, instrument: InstrumentVersion, situation_keys: Collection[int]
) -> PeopleByCell:
    """Ratings of the people who count, by situation version; None: their default measure."""
    people: dict[int | None, list[Sequence[int]]] = {}
    rows = Administration.objects.counted().filter(instrument=instrument).order_by("pk")
    for key, ratings in rows.values_list("situation_version_id", "ratings"):
        if key is None or key in situation_keys:
            people.setdefault(key, []).append(ratings)
    return people
