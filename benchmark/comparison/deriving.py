"""The figures of the imported release, for the published table that the project ships."""

from __future__ import annotations

from benchmark.comparison.answers import cells_of
from benchmark.comparison.catalogue import instruments, situation_places, subscale_names
from benchmark.comparison.sources import available_sources
from benchmark.domain.cells import Level, Origin, SourceCells

TITLE = "EmotionBench"
CITATION = (
    "Huang, J., Lam, M. H., Li, E. J., Ren, S., Wang, W., Jiao, W., Tu, Z., & Lyu, M. R. (2024). "
    "Apathetic or Empathetic? Evaluating LLMs' Emotional Alignments with Humans. Advances in "
    "Neural Information Processing Systems 37. https://arxiv.org/abs/2308.03656"
)
RELEASE = "Recomputed from the raw answers of the public EmotionBench data release."


def imported_cells() -> list[SourceCells]:
    """Every imported source of every instrument, down to factors, in catalogue order."""
    places = situation_places()
    derived = []
    for key, instrument in instruments().items():
        subscales = list(subscale_names(instrument))
        for source in available_sources(key):
            if source.origin is Origin.IMPORTED:
                derived.append(
                    cells_of(source, places=places, subscales=subscales, level=Level.FACTOR)
                )
    return derived
