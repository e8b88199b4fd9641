"""What the last page offers after something unpleasant: a pleasant scene, and lines to call."""

from __future__ import annotations

import json
from functools import cache

from surveys.domain.support_lines import SupportLines, read_support_lines
from surveys.models import Participation, Situation
from surveys.services.catalogue import DATA
from surveys.services.countries import country_names

# The catalogue's texts are in the language that the pages have unless a study says otherwise.
CATALOGUE_LANGUAGE = "en"


@cache
def support_lines() -> SupportLines:
    """The shipped lines; SupportLinesError where the file was edited wrongly."""
    raw = json.loads((DATA / "support_lines.json").read_text(encoding="utf-8"))
    return read_support_lines(raw, countries=frozenset(country_names()))


def uplifting_text(*, participation: Participation) -> str | None:
    """The positive counterpart of the last negative situation; None where nothing is to be lifted.

    "" where no counterpart is published. One of the same collection comes first; another
    collection helps out only in the language of the catalogue, because nobody is lifted by a text
    that they cannot read.
    """
    study = participation.study
    negative = _negative_situations(participation) if study.has_uplifting_task else []
    if not negative:
        return None
    last = negative[-1]
    counterparts = (
        Situation.objects.published()
        .filter(kind=Situation.Kind.POSITIVE, factor_id=last.factor_id)
        .in_catalogue_order()
        .prefetch_related("versions")
    )
    if study.language != CATALOGUE_LANGUAGE:
        counterparts = counterparts.filter(collection_id=last.collection_id)
    # The order of the catalogue among those of the same collection, then among the others.
    by_closeness = sorted(counterparts, key=lambda s: s.collection_id != last.collection_id)
    return next((situation.text for situation in by_closeness if situation.text), "")


def _negative_situations(participation: Participation) -> list[Situation]:
    """What this person imagined, in order, without pleasant and neutral scenes."""
    assignments = participation.assignments.select_related("situation_version__situation")
    situations = [a.situation_version.situation for a in assignments.order_by("position")]
    return [s for s in situations if s.kind == Situation.Kind.STANDARD]
