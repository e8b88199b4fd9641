"""Loading the shipped catalogue, and giving situations new words without losing the old."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import ManyToOneRel

from surveys.domain.instrument_files import instrument_from_dict
from surveys.models import (
    Collection,
    Emotion,
    Factor,
    InstrumentVersion,
    Situation,
    SituationVersion,
)

DATA = Path(__file__).resolve().parent.parent / "data"


@dataclass
class LoadCounts:
    """What a load did, by row."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0

    def add(self, outcome: str) -> None:
        setattr(self, outcome, getattr(self, outcome) + 1)


def load_catalogue(*, data: Path = DATA) -> LoadCounts:
    """Store the shipped instruments, emotions, factors and situations; repeatable.

    What an admin changed since (a state, item texts) stays. Raises InstrumentError on a broken
    instrument file, in which case nothing is stored.
    """
    counts = LoadCounts()
    with transaction.atomic():
        for path in sorted((data / "instruments").glob("*.json"), key=_panas_first):
            counts.add(_store_instrument(json.loads(path.read_text(encoding="utf-8"))))
        catalogue = json.loads((data / "catalogue" / "situations.json").read_text("utf-8"))
        _store_situations(catalogue, counts)
    return counts


def _panas_first(path: Path) -> tuple[bool, str]:
    return path.stem != "panas", path.stem


def _store_instrument(definition: dict[str, Any]) -> str:
    spec = instrument_from_dict(definition)
    stored, created = InstrumentVersion.objects.get_or_create(
        key=spec.key,
        version=spec.version,
        defaults={"name": spec.name, "definition": definition},
    )
    if created:
        return "created"
    if stored.definition == definition:
        return "unchanged"
    stored.definition, stored.name = definition, spec.name
    stored.save(update_fields=["definition", "name"])
    return "updated"


def _store_situations(catalogue: dict[str, Any], counts: LoadCounts) -> None:
    collection, _ = Collection.objects.update_or_create(
        slug=catalogue["collection"],
        defaults={
            "name": catalogue["name"],
            "licence": catalogue["licence"],
            "citation": catalogue["citation"],
        },
    )
    shipped = _shipped_situations(catalogue)
    stored = {
        (situation.factor_id, situation.kind, situation.position): situation
        for situation in collection.situations.prefetch_related("versions")
    }
    fresh = [each for each in shipped if each.place not in stored]
    counts.created += len(_create_situations(collection, fresh))
    for each in shipped:
        if each.place in stored:
            counts.add(_update_situation(stored[each.place], each.text))


class _Shipped(NamedTuple):
    """A situation of the shipped file: its factor (None: neutral), kind, position and words."""

    factor_id: int | None
    kind: str
    position: int
    text: str

    @property
    def place(self) -> tuple[int | None, str, int]:
        return self.factor_id, self.kind, self.position


def _shipped_situations(catalogue: dict[str, Any]) -> list[_Shipped]:
    """The situations of the file, whose emotions and factors are stored on the way."""
    kinds = Situation.Kind
    shipped = []
    for e, emotion_data in enumerate(catalogue["emotions"]):
        emotion, _ = Emotion.objects.get_or_create(
            name=emotion_data["name"], defaults={"position": e}
        )
        for f, factor_data in enumerate(emotion_data["factors"]):
            factor, _ = Factor.objects.get_or_create(
                emotion=emotion, name=factor_data["name"], defaults={"position": f}
            )
            for position, text in enumerate(factor_data["situations"]):
                shipped.append(_Shipped(factor.pk, kinds.STANDARD, position, text))
            shipped.append(_Shipped(factor.pk, kinds.POSITIVE, 0, factor_data["positive"]))
    shipped += [
        _Shipped(None, kinds.NEUTRAL, position, text)
        for position, text in enumerate(catalogue["neutral"])
    ]
    return shipped


def _create_situations(collection: Collection, fresh: Sequence[_Shipped]) -> list[Situation]:
    situations = Situation.objects.bulk_create(
        Situation(
            collection=collection,
            factor_id=each.factor_id,
            kind=each.kind,
            position=each.position,
            state=Situation.State.PUBLISHED,
        )
        for each in fresh
    )
    SituationVersion.objects.bulk_create(
        SituationVersion(situation=situation, number=1, text=each.text)
        for situation, each in zip(situations, fresh, strict=True)
    )
    return situations


def _update_situation(situation: Situation, text: str) -> str:
    """Other words become a new version; the outcome as LoadCounts names it."""
    # Words that were ours before and that an admin has revised since stay revised.
    if any(version.text == text for version in situation.versions.all()):
        return "unchanged"
    revise_situation(situation=situation, text=text)
    return "updated"


@transaction.atomic
def revise_situation(*, situation: Situation, text: str, source: str = "") -> bool:
    """Give a situation other words. Returns whether anything changed.

    Words that nobody has been given yet are edited in place; once a study or a run holds them
    they stay as they are and a new version is added.
    """
    Situation.objects.select_for_update().get(pk=situation.pk)
    latest = situation.versions.order_by("number").last()
    if latest is None:
        SituationVersion.objects.create(situation=situation, number=1, text=text, source=source)
        return True
    if latest.text == text:
        return False
    if is_in_use(latest):
        SituationVersion.objects.create(
            situation=situation, number=latest.number + 1, text=text, source=source or latest.source
        )
    else:
        latest.text = text
        latest.save(update_fields=["text"])
    return True


def is_in_use(version: SituationVersion) -> bool:
    """Whether any row of any app points at this version, through whatever relation.

    Asking the relations themselves keeps this true for apps that this one does not know.
    """
    relations = [
        relation
        for relation in SituationVersion._meta.get_fields(include_hidden=True)
        if isinstance(relation, ManyToOneRel)
    ]
    return any(
        relation.related_model._base_manager.filter(**{relation.field.name: version}).exists()
        for relation in relations
    )
