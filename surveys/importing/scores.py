"""Scores of many answers to one instrument, as storage holds them."""

from __future__ import annotations

from collections.abc import Sequence

from surveys.domain.instrument import Instrument
from surveys.domain.scoring import score


class Scorer:
    """Scores ratings that are in the instrument's order; the same answers are scored once."""

    def __init__(self, instrument: Instrument) -> None:
        self.instrument = instrument
        self._keys = instrument.item_keys
        self._known: dict[tuple[int | None, ...], dict[str, int | float] | None] = {}

    def scores(self, ratings: Sequence[int | None]) -> dict[str, int | float] | None:
        """Numbers by subscale key, None where a rating is missing; ScoringError off the scale."""
        answers = tuple(ratings)
        if answers not in self._known:
            self._known[answers] = self._score(answers)
        return self._known[answers]

    def _score(self, ratings: tuple[int | None, ...]) -> dict[str, int | float] | None:
        given = {
            key: value for key, value in zip(self._keys, ratings, strict=True) if value is not None
        }
        if len(given) != len(ratings):
            return None
        return {
            key: value if isinstance(value, int) else float(value)
            for key, value in score(self.instrument, given).items()
        }
