"""The catalogue as comparisons need it: places of situations, their order, subscales."""

from __future__ import annotations

from benchmark.domain.cells import Place, PlaceOrder
from surveys.models import Emotion, Factor, InstrumentVersion, Situation


def place_order() -> PlaceOrder:
    """Emotions and factors in catalogue order."""
    emotions = list(Emotion.objects.order_by("position").values_list("name", flat=True))
    factors = list(
        Factor.objects.order_by("emotion__position", "position").values_list(
            "emotion__name", "name"
        )
    )
    return PlaceOrder(emotions, factors)


def emotion_names() -> list[str]:
    return list(Emotion.objects.order_by("position").values_list("name", flat=True))


def situation_places() -> dict[int, Place]:
    """The place of every standard situation by its primary key; controls have no place.

    A situation is named with its collection, because two collections may fill the same factor.
    """
    rows = Situation.objects.standard().values_list(
        "pk",
        "collection__slug",
        "factor__emotion__name",
        "factor__name",
        "factor__position",
        "position",
    )
    return {
        pk: Place(emotion, factor, f"{collection}/{emotion}-{number}_scenario-{position}")
        for pk, collection, emotion, factor, number, position in rows
    }


def instruments() -> dict[str, InstrumentVersion]:
    """The newest version of each instrument by key, PANAS first."""
    stored = {version.key: version for version in InstrumentVersion.objects.order_by("id")}
    keys = sorted(stored, key=lambda key: (key != "PANAS", key))
    return {key: stored[key] for key in keys}


def subscale_names(instrument: InstrumentVersion) -> dict[str, str]:
    """Subscale names by key, in the instrument's order."""
    return {subscale.key: subscale.name for subscale in instrument.spec.subscales}
