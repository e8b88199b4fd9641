"""Storing the release's situations and their papers; what is stored already is never rewritten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from surveys.importing.faults import ReleaseFileError
from surveys.importing.outcome import FileOutcome
from surveys.importing.places import Place
from surveys.importing.situation_files import ListedSituation, SituationList
from surveys.importing.situation_sources import Paper, trace_paper
from surveys.importing.tables import first_names
from surveys.models import Collection, Emotion, Factor, Situation, SituationVersion

COLLECTION = "emotionbench"
CITATION = (
    "Huang et al. (2024). Apathetic or Empathetic? Evaluating LLMs' Emotional Alignments with "
    "Humans. NeurIPS 2024. arXiv:2308.03656"
)
LICENCE = "GPL-3.0, research use only"
LONGEST_EMOTION, LONGEST_FACTOR = 60, 120


class StoredSituation(NamedTuple):
    """The words that the release brought to a place."""

    situation_id: int
    version_id: int
    text: str


def stored_situations() -> dict[Place, StoredSituation]:
    """The release's catalogue by place, each in its first version: the release's own words."""
    return read_stored(COLLECTION)


def read_stored(collection: str) -> dict[Place, StoredSituation]:
    """The standard situations of a collection by place, each in its first version."""
    versions = SituationVersion.objects.filter(
        situation__collection__slug=collection, situation__kind=Situation.Kind.STANDARD
    ).order_by("-number")
    rows = versions.values_list(
        "situation__factor__emotion__name",
        "situation__factor__position",
        "situation__position",
        "situation_id",
        "pk",
        "text",
    )
    return {
        Place(emotion, factor, position): StoredSituation(pk, version_id, text)
        for emotion, factor, position, pk, version_id, text in rows
    }


def store_situations(listed: SituationList, outcome: FileOutcome) -> None:
    """Store what is new; report every text that differs from the stored one, and leave it."""
    outcome.warnings += listed.warnings
    collection, _ = Collection.objects.get_or_create(
        slug=COLLECTION,
        defaults={"name": "EmotionBench", "licence": LICENCE, "citation": CITATION},
    )
    factors = _factors(listed.situations, outcome)
    texts = _texts_by_place(collection)
    fresh: list[tuple[ListedSituation, Situation]] = []
    for situation in listed.situations:
        factor = factors[situation.place.factor_code]
        known = texts.get((factor.pk, situation.place.situation))
        if known is None:
            row = Situation(
                collection=collection,
                factor=factor,
                position=situation.place.situation,
                state=Situation.State.PUBLISHED,
            )
            fresh.append((situation, row))
            continue
        outcome.unchanged += 1
        if situation.text not in known:
            outcome.warnings.append(
                f"{situation.where}: the text differs from the stored one of {situation.place}, "
                "which stays"
            )
    Situation.objects.bulk_create([row for _, row in fresh])
    SituationVersion.objects.bulk_create(
        [SituationVersion(situation=row, number=1, text=situation.text) for situation, row in fresh]
    )
    outcome.created += len(fresh)
    outcome.warnings += _absent_factors(factors)


def _absent_factors(factors: Mapping[str, Factor]) -> list[str]:
    """Factors of the catalogue that a file leaves out although it has most of them."""
    listed = {factor.pk for factor in factors.values()}
    absent = [f for f in Factor.objects.order_by("emotion__position", "position")
              if f.pk not in listed]  # fmt: skip
    if not absent or len(absent) > len(listed):
        return []
    codes = [f"{factor.emotion.name}-{factor.position}" for factor in absent]
    return [f"no situations for {len(absent)} factors of the catalogue: {first_names(codes)}"]


def _texts_by_place(collection: Collection) -> dict[tuple[int, int], set[str]]:
    """Every wording that a place has had, by factor key and position."""
    texts: dict[tuple[int, int], set[str]] = {}
    rows = SituationVersion.objects.filter(
        situation__collection=collection, situation__kind=Situation.Kind.STANDARD
    ).values_list("situation__factor_id", "situation__position", "text")
    for factor_id, position, text in rows:
        texts.setdefault((factor_id, position), set()).add(text)
    return texts


def _factors(situations: Sequence[ListedSituation], outcome: FileOutcome) -> dict[str, Factor]:
    """The stored factor of each factor code, shared with every other collection."""
    shared = _SharedFactors()
    result: dict[str, Factor] = {}
    for situation in situations:
        place, name = situation.place, situation.factor_name
        if place.factor_code in result:
            continue
        factor = result[place.factor_code] = shared.factor(situation)
        if factor.name.casefold() != name.casefold():
            outcome.warnings.append(
                f"{place.factor_code} is named {name!r} here and {factor.name!r} in the "
                "catalogue, which stays"
            )
    return result


class _SharedFactors:
    """Emotions by name and their factors by position; missing ones are made."""

    def __init__(self) -> None:
        self._emotions: dict[str, Emotion] = {
            emotion.name.casefold(): emotion for emotion in Emotion.objects.all()
        }
        self._factors: dict[tuple[int, int], Factor] = {
            (f.emotion_id, f.position): f for f in Factor.objects.all()
        }

    def factor(self, situation: ListedSituation) -> Factor:
        """The factor at the situation's place; ReleaseFileError where its name stands elsewhere."""
        place, name = situation.place, situation.factor_name
        if len(place.emotion) > LONGEST_EMOTION or len(name) > LONGEST_FACTOR:
            raise ReleaseFileError(f"{situation.where}: the name of emotion or factor is too long")
        emotion = self._emotion(place.emotion)
        stored = self._factors.get((emotion.pk, place.factor))
        if stored is not None:
            return stored
        for (emotion_id, position), other in self._factors.items():
            if emotion_id == emotion.pk and other.name.casefold() == name.casefold():
                raise ReleaseFileError(
                    f"{situation.where}: the factor {name!r} of {place.factor_code} is stored as "
                    f"{emotion.name}-{position}"
                )
        made: Factor = Factor.objects.create(emotion=emotion, name=name, position=place.factor)
        self._factors[emotion.pk, place.factor] = made
        return made

    def _emotion(self, name: str) -> Emotion:
        if name.casefold() not in self._emotions:
            after = max((e.position for e in self._emotions.values()), default=-1) + 1
            made: Emotion = Emotion.objects.create(name=name, position=after)
            self._emotions[name.casefold()] = made
        return self._emotions[name.casefold()]


def store_sources(papers: Sequence[Paper], outcome: FileOutcome) -> None:
    """Note the paper of every situation that can be traced to one and has none noted yet."""
    versions = list(
        SituationVersion.objects.filter(
            situation__collection__slug=COLLECTION,
            situation__kind=Situation.Kind.STANDARD,
            number=1,
        ).select_related("situation__factor__emotion")
    )
    traced: list[SituationVersion] = []
    untraced = 0
    for version in versions:
        emotion = version.situation.factor.emotion.name if version.situation.factor else ""
        reference = trace_paper(papers, emotion, version.text)[:300]
        if reference and not version.source:
            version.source = reference
            traced.append(version)
        else:
            outcome.unchanged += 1
            untraced += not reference
            if reference and version.source != reference:
                outcome.warnings.append(
                    f"{version.situation.code}: the stored source differs from the paper found, "
                    "and stays"
                )
    SituationVersion.objects.bulk_update(traced, ["source"], batch_size=200)
    outcome.updated += len(traced)
    if untraced:
        outcome.warnings.append(
            f"{untraced} of {len(versions)} situations share too few words with any paper's own "
            "to say which they come from: they have no source"
        )
