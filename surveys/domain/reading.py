"""How long a text holds its reader: nobody reads a scene faster than some speed."""

from __future__ import annotations

import math
from datetime import datetime


def count_words(text: str) -> int:
    return len(text.split())


def reading_seconds(text: str, words_per_minute: int | None) -> float:
    """The seconds that this text takes at this speed; 0 where no speed is set."""
    return 60 * count_words(text) / words_per_minute if words_per_minute else 0.0


def seconds_left(*, needed: float, shown_at: datetime, now: datetime) -> int:
    """Whole seconds until `needed` have passed since the text was shown, 0 where they have.

    A clock that was set back adds no more than the text takes: set back by less, it catches up in
    that time; set back by more, nobody is held, because it might not catch up for hours.
    """
    passed = (now - shown_at).total_seconds()
    if passed < -needed:
        return 0
    return max(0, math.ceil(needed - max(0.0, passed)))
