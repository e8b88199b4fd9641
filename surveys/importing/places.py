"""How the release names a place in the catalogue, and the people's sheet its cells."""

from __future__ import annotations

import re
from typing import NamedTuple

# The people's sheet says how somebody feels where the other files name the emotion.
EMOTION_FORMS = {
    "anger": "Anger", "angry": "Anger",
    "anxiety": "Anxiety", "anxious": "Anxiety",
    "depression": "Depression", "depressed": "Depression",
    "frustration": "Frustration", "frustrated": "Frustration",
    "jealousy": "Jealousy", "jealous": "Jealousy",
    "guilt": "Guilt", "guilty": "Guilt",
    "fear": "Fear", "fearful": "Fear", "afraid": "Fear", "scared": "Fear",
    "embarrassment": "Embarrassment", "embarrassed": "Embarrassment",
}  # fmt: skip
CELL_CODE = re.compile(r"([A-Za-z]+)[ _-]*F(\d{1,3})[ _-]*S(\d{1,4})", re.IGNORECASE)


class Place(NamedTuple):
    """Where a situation stands: factor within emotion and situation within factor, from 0."""

    emotion: str
    factor: int
    situation: int

    @property
    def factor_code(self) -> str:
        return f"{self.emotion}-{self.factor}"

    def __str__(self) -> str:
        return f"{self.factor_code}_scenario-{self.situation}"


def emotion_name(word: str) -> str:
    """The emotion's name as the catalogue has it; an unknown word is a name itself."""
    return EMOTION_FORMS.get(word.strip().casefold(), word.strip())


def parse_cell_code(code: str) -> Place | None:
    """`Angry_F1S1` is the first situation of the first factor of Anger; None where it is no code.

    The sheet counts from 1.
    """
    match = CELL_CODE.fullmatch(code.strip())
    if match is None or match[1].casefold() not in EMOTION_FORMS:
        return None
    factor, situation = int(match[2]) - 1, int(match[3]) - 1
    if factor < 0 or situation < 0:
        return None
    return Place(emotion_name(match[1]), factor, situation)
