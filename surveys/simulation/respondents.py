"""Simulated people: what moves each, and how each answers a question in words.

Plausible people have a level on every subscale, which the imagined scene shifts, and some noise;
sizes are of the order of the published study (positive affect falls by half a point and negative
affect rises by one, on five). Every answer follows from the seed, the person's number, the scene
and the words of the question alone, so that it is the same whatever the order of items.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from surveys.domain.instrument import Instrument
from surveys.simulation.pages import Question

ITEM_SECONDS = 2.5
WORDS_PER_MINUTE = 240
_YEARS = (1950, 2004)


class Style(StrEnum):
    """How somebody answers."""

    PLAUSIBLE = "plausible"
    CARELESS = "careless"
    STRAIGHTLINER = "straightliner"
    SPEEDER = "speeder"
    QUITTER = "quitter"


# Shares of a mixed crowd, in the order of Style.
MIXED_SHARES = (70, 8, 7, 7, 8)


@dataclass(frozen=True, slots=True)
class Leaning:
    """What an item says: its subscale, where on the scale from 0 to 1 people stand by themselves,
    and how far an unpleasant scene moves them."""

    subscale: str
    level: float
    shift: float


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What plausible people understand: items by their words, and scenes by theirs.

    A scene's mood is -1 (unpleasant), 0 or 1; one that is not known is unpleasant.
    """

    leanings: Mapping[str, Leaning]
    moods: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Person:
    """One simulated participant."""

    number: int
    style: Style
    seed: str
    knowledge: Knowledge

    @property
    def is_hasty(self) -> bool:
        return self.style in {Style.SPEEDER, Style.CARELESS}

    @property
    def pages_before_leaving(self) -> int | None:
        """After how many forms somebody leaves for good; None for those who stay."""
        return self._rng("leaving").randint(1, 8) if self.style is Style.QUITTER else None

    def answers(self, questions: tuple[Question, ...], scene: str) -> list[tuple[str, str]]:
        """What this person sends for these questions after the last scene ("" before any)."""
        sent = [(question.name, self._answer(question, scene)) for question in questions]
        return [(name, text) for name, text in sent if text is not None]

    def seconds_for(self, questions: tuple[Question, ...], scene_on_page: str) -> float:
        """How long this person naturally stays on a page."""
        if self.is_hasty:
            return 0.3 * len(questions)
        words = len(scene_on_page.split())
        return ITEM_SECONDS * len(questions) + words / WORDS_PER_MINUTE * 60

    def _answer(self, question: Question, scene: str) -> str | None:
        rng = self._rng(scene, question.legend or question.name)
        if question.kind in {"radio", "select"}:
            return question.options[self._choice(question, scene, rng)].value
        if question.kind == "checkbox":
            return question.options[0].value if question.is_required else None
        if question.kind == "textarea":
            return question.text
        if "year" in question.name:
            return str(rng.randint(*_YEARS))
        if question.kind == "number" or (question.low and question.high):
            return str(rng.randint(int(question.low or 0), int(question.high or 100)))
        return question.text or "simulated"

    def _choice(self, question: Question, scene: str, rng: random.Random) -> int:
        last = len(question.options) - 1
        leaning = self.knowledge.leanings.get(question.legend.casefold())
        if self.style is Style.STRAIGHTLINER:
            return round(self._rng("line").random() * last)
        if self.style is Style.CARELESS:
            return rng.randint(0, last)
        instructed = _instructed(question)
        if instructed is not None:
            return instructed
        if leaning is None:
            return rng.randint(0, last)
        own = self._rng("level", leaning.subscale).gauss(leaning.level, 0.12)
        mood = self.knowledge.moods.get(scene, -1) if scene else 0
        noise = rng.gauss(0, 0.35 if self.style is Style.SPEEDER else 0.15)
        return min(max(round((own - mood * leaning.shift + noise) * last), 0), last)

    def _rng(self, *about: str) -> random.Random:
        return random.Random("\n".join((self.seed, str(self.number), *about)))


def _instructed(question: Question) -> int | None:
    """The option that the question itself asks for, quoted, as attention checks do."""
    for index, option in enumerate(question.options):
        if any(f"{a}{option.label}{b}" in question.legend for a, b in ("“”", "„“", '""', "''")):
            return index
    return None


def knowledge_of(instrument: Instrument, moods: Mapping[str, int]) -> Knowledge:
    """What somebody understands of this instrument; scenes by their words, blanks single."""
    leanings = {}
    for subscale in instrument.subscales:
        is_pleasant = "positive" in subscale.key
        level, shift = (0.45, -0.14) if is_pleasant else (0.14, 0.3)
        for key in subscale.items:
            words = instrument.item(key).text.casefold()
            turned = key in instrument.reverse
            leanings[words] = Leaning(
                subscale.key, 1 - level if turned else level, -shift if turned else shift
            )
    return Knowledge(leanings, {" ".join(text.split()): mood for text, mood in moods.items()})


def make_people(
    *, count: int, style: Style | None, seed: str, knowledge: Knowledge
) -> tuple[Person, ...]:
    """So many people of one style, or of all where it is None."""
    rng = random.Random(f"{seed}\nstyles")
    styles = [style] * count if style else rng.choices(list(Style), weights=MIXED_SHARES, k=count)
    return tuple(Person(number, kind, seed, knowledge) for number, kind in enumerate(styles))
