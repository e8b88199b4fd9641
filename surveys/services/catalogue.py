"""Loading the shipped catalogue, and giving situations new words without losing the old."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    for e, emotion_data in enumerate(catalogue["emotions"]):
        emotion, _ = Emotion.objects.get_or_create(
            name=emotion_data["name"], defaults={"position": e}
        )
        for f, factor_data in enumerate(emotion_data["factors"]):
            factor, _ = Factor.objects.get_or_create(
                emotion=emotion, name=factor_data["name"], defaults={"position": f}
            )
            for position, text in enumerate(factor_data["situations"]):
                counts.add(store_situation(collection, factor, "standard", position, text))
            counts.add(store_situation(collection, factor, "positive", 0, factor_data["positive"]))
    for position, text in enumerate(catalogue["neutral"]):
        counts.add(store_situation(collection, None, "neutral", position, text))


def store_situation(
    collection: Collection,
    factor: Factor | None,
    kind: str,
    position: int,
    text: str,
    *,
    source: str = "",
) -> str:
    """Store a published situation by its place; other words become a new version.

    Returns "created", "updated" (a version was added) or "unchanged".
    """
    situation, created = Situation.objects.get_or_create(
        collection=collection,
        factor=factor,
        kind=kind,
        position=position,
        defaults={"state": Situation.State.PUBLISHED},
    )
    if created:
        SituationVersion.objects.create(situation=situation, number=1, text=text, source=source)
        return "created"
    # Words that were ours before and that an admin has revised since stay revised.
    if situation.versions.filter(text=text).exists():
        return "unchanged"
    revise_situation(situation=situation, text=text, source=source)
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
