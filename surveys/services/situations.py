"""Adding situations to the catalogue, and their way from draft to retired."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from surveys.models import Collection, Factor, Situation, SituationVersion

OWN_COLLECTION = "own"


@transaction.atomic
def add_situation(
    *,
    factor: Factor | None,
    text: str,
    kind: str = Situation.Kind.STANDARD,
    source: str = "",
    state: str = Situation.State.DRAFT,
) -> Situation:
    """Add a situation of one's own after those that are there; a neutral one has no factor."""
    collection, _ = Collection.objects.get_or_create(
        slug=OWN_COLLECTION, defaults={"name": "Own situations"}
    )
    # The collection's row is the lock under which the next position is read.
    Collection.objects.select_for_update().get(pk=collection.pk)
    siblings = Situation.objects.filter(collection=collection, factor=factor, kind=kind)
    last = siblings.aggregate(last=Max("position"))["last"]
    situation = Situation.objects.create(
        collection=collection,
        factor=factor,
        kind=kind,
        position=0 if last is None else last + 1,
        state=state,
    )
    SituationVersion.objects.create(situation=situation, number=1, text=text, source=source)
    return situation
