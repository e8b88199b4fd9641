"""What a comparison says, in a sentence or two that are true to its numbers."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.domain.cells import OVERALL, Place
from benchmark.domain.comparison import Column, Comparison
from benchmark.domain.formatting import count, number
from benchmark.domain.statistics import Direction

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def summary(comparison: Comparison) -> str:
    """The answer first: how people changed overall, and how many models went the same way."""
    place = _widest(comparison)
    if place is None or not comparison.columns:
        return "There are no answers for this view yet."
    people = [c for c in comparison.people if _is_asked(c, place, comparison)]
    models = [c for c in comparison.models if _is_asked(c, place, comparison)]
    about = f" about {place.label.lower()}" if place != OVERALL else ""
    sentences = []
    if people:
        sentences.append(
            f"After imagining the situations{about}, {_changes(people[0], place, comparison)} in "
            f"{people[0].source.name} ({count(_n(people[0], place, comparison))} people)."
        )
    if people and models:
        sentences.append(_agreement(people[0], models, place, comparison))
    elif models:
        listed = "; ".join(
            f"{model.source.name}: {_changes(model, place, comparison)}" for model in models[:3]
        )
        sentences.append(f"After imagining the situations{about}, {listed}.")
    if not sentences:
        return "Only baselines have answered yet: ask people or a model to compare them with."
    return " ".join(sentences)


def _widest(comparison: Comparison) -> Place | None:
    """The row that pools most: everything, or the emotion that is looked at."""
    return comparison.places[0] if comparison.places else None


def _is_asked(column: Column, place: Place, comparison: Comparison) -> bool:
    return any(column.cells[place, key].is_asked for key in comparison.subscales)


def _n(column: Column, place: Place, comparison: Comparison) -> int:
    return max(column.cells[place, key].evoked.n for key in comparison.subscales)


def _changes(column: Column, place: Place, comparison: Comparison) -> str:
    return _listed(
        [
            _change(name, column.cells[place, key].result.change,
                    column.cells[place, key].result.direction)
            for key, name in comparison.subscales.items()
        ]
    )  # fmt: skip


def _change(name: str, change: float | None, direction: Direction) -> str:
    if change is None:
        return f"{name} is not known"
    points = number(abs(change))
    if direction is Direction.UP:
        return f"{name} rose by {points} points"
    if direction is Direction.DOWN:
        return f"{name} fell by {points} points"
    return f"{name} did not change significantly ({number(change, signed=True)})"


def _agreement(
    people: Column, models: Sequence[Column], place: Place, comparison: Comparison
) -> str:
    def directions(column: Column) -> list[Direction]:
        return [column.cells[place, key].result.direction for key in comparison.subscales]

    same = [model for model in models if directions(model) == directions(people)]
    if len(models) == 1:
        verb = "changed" if same else "did not change"
        return f"{models[0].source.name} {verb} in the same directions."
    total = _word(len(models))
    if len(same) == len(models):
        return f"All {total} models changed in the same directions."
    if not same:
        return f"None of the {total} models changed in the same directions."
    others = [model.source.name for model in models if model not in same]
    shown = _listed(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
    return (
        f"{_word(len(same)).capitalize()} of {total} models changed in the same directions; "
        f"{shown} did not."
    )


def _word(n: int) -> str:
    return NUMBERS[n] if n < len(NUMBERS) else str(n)


def _listed(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
