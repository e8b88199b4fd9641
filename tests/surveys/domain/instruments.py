"""Small instruments for tests, and hypothesis strategies over them."""

from __future__ import annotations

from hypothesis import strategies as st

from surveys.domain.instrument import Instrument, Item, ResponseOption, Scoring, Subscale


def instrument(
    *,
    n_items: int = 4,
    low: int = 1,
    high: int = 5,
    reverse: frozenset[str] = frozenset(),
    scoring: Scoring = Scoring.SUM,
    with_texts: bool = True,
) -> Instrument:
    keys = [str(n) for n in range(1, n_items + 1)]
    return Instrument(
        key="TEST",
        version="1",
        name="Test scale",
        aliases=(),
        items=tuple(Item(key, f"word {key}" if with_texts else "") for key in keys),
        options=tuple(ResponseOption(value, f"label {value}") for value in range(low, high + 1)),
        subscales=(
            Subscale("overall", "Overall", tuple(keys)),
            Subscale("first", "First", tuple(keys[:1])),
        ),
        reverse=reverse,
        scoring=scoring,
        instruction="Say how much.",
        prompt="Rate each.",
        emotion="",
        source="Nobody (2000).",
        licence="",
    )


@st.composite
def instruments(draw: st.DrawFn) -> Instrument:
    n_items = draw(st.integers(1, 12))
    low = draw(st.integers(-1, 2))
    keys = [str(n) for n in range(1, n_items + 1)]
    return instrument(
        n_items=n_items,
        low=low,
        high=low + draw(st.integers(1, 7)),
        reverse=frozenset(draw(st.sets(st.sampled_from(keys)))),
        scoring=draw(st.sampled_from(Scoring)),
    )


def ratings_for(spec: Instrument) -> st.SearchStrategy[dict[str, int]]:
    return st.fixed_dictionaries(
        {key: st.integers(spec.lowest, spec.highest) for key in spec.item_keys}
    )
