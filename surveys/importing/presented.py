"""The situations of the published study in the words that it presented.

The study drew up to five situations a factor from its catalogue and numbered them anew, so that
`Anger-0_scenario-2` of its answers is not the third of the catalogue's factor; some were reworded.
They form a collection of their own: people and models are linked to what they were really shown,
and the catalogue stays as it was published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from surveys.importing.catalogue import (
    CITATION,
    LICENCE,
    StoredSituation,
    read_stored,
    stored_situations,
)
from surveys.importing.outcome import FileOutcome
from surveys.importing.places import Place
from surveys.importing.tables import first_names
from surveys.models import Collection, Factor, Situation, SituationVersion

COLLECTION = "emotionbench-study"


def presented_situations() -> dict[Place, StoredSituation]:
    """The study's situations that are stored, by their place in its answers."""
    return read_stored(COLLECTION)


def store_presented(
    places: Iterable[Place], quoted: Mapping[Place, str], outcome: FileOutcome
) -> dict[Place, StoredSituation]:
    """Make sure that these places are stored, and return all that are.

    `quoted` are the words that the release's answers quote. Where nothing quotes a place, the
    catalogue's words at the same place are taken, with a warning. A place that neither knows
    stays out.
    """
    stored = presented_situations()
    new = sorted(set(places) - set(stored))
    if not new:
        return stored
    catalogue = stored_situations()
    unquoted = [place for place in new if place not in quoted and place in catalogue]
    if unquoted:
        outcome.warnings.append(
            f"nothing quotes what was shown at {len(unquoted)} places "
            f"({first_names(map(str, unquoted))}); the catalogue's words there are taken"
        )
    texts = {place: stored.text for place, stored in catalogue.items()} | dict(quoted)
    _create({place: texts[place] for place in new if place in texts})
    return presented_situations()


def _create(texts: Mapping[Place, str]) -> None:
    collection, _ = Collection.objects.get_or_create(
        slug=COLLECTION,
        defaults={
            "name": "EmotionBench, as presented",
            "licence": LICENCE,
            "citation": CITATION,
        },
    )
    factors = {(f.emotion.name, f.position): f for f in Factor.objects.all()}
    papers = _papers()
    made = [
        (
            text,
            Situation(
                collection=collection,
                factor=factors[place.emotion, place.factor],
                position=place.situation,
                state=Situation.State.PUBLISHED,
                is_in_published_study=True,
            ),
        )
        for place, text in texts.items()
        if (place.emotion, place.factor) in factors
    ]
    Situation.objects.bulk_create([situation for _, situation in made])
    SituationVersion.objects.bulk_create(
        [
            SituationVersion(situation=s, number=1, text=text, source=papers.get(text, ""))
            for text, s in made
        ]
    )


def _papers() -> dict[str, str]:
    """The papers that the catalogue's situations were traced to, by their words."""
    traced = SituationVersion.objects.exclude(source="").values_list("text", "source")
    return dict(traced)
