"""The use case: answer a question about the sources that exist with one comparison."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.comparison.answers import cells_of
from benchmark.comparison.catalogue import (
    instruments,
    place_order,
    situation_places,
    subscale_names,
)
from benchmark.domain.cells import Source
from benchmark.domain.comparison import Comparison, Options, compare


def build_comparison(options: Options, sources: Sequence[Source]) -> Comparison:
    """Read the answers of the sources and compare them.

    Nothing is kept between calls, so a participant or a trial counts the moment it is stored.
    Raises KeyError where the instrument is unknown.
    """
    subscales = subscale_names(instruments()[options.instrument])
    places = situation_places()
    cells = [
        cells_of(source, places=places, subscales=list(subscales), level=options.by)
        for source in sources
    ]
    return compare(cells, subscales=subscales, order=place_order(), options=options)
