"""Options of a question as HTML: what researchers write there is text, never markup."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from surveys.forms import Choice, Field
from surveys.simulation.pages import Option, read_page
from surveys.templatetags.choices import radio_choices, select_choices

ALPHABET = "ab<>&\"'äß 你😀"
WORDS = st.text(ALPHABET, min_size=1, max_size=12).filter(lambda text: text == text.strip())


def field(kind: str, words: list[str], chosen: int) -> Field:
    choices = tuple(
        Choice(text, text, f"x-{index}", index == chosen) for index, text in enumerate(words)
    )
    return Field("item-x", "How?", kind, "x-0", choices)


@given(words=st.lists(WORDS, min_size=1, max_size=5, unique=True), data=st.data())
def test_any_words_come_back_as_they_were(words: list[str], data: st.DataObject) -> None:
    chosen = data.draw(st.integers(0, len(words) - 1))
    radios = radio_choices(field("radios", words, chosen))
    options = f"<select name=item-y>{select_choices(field('select', words, chosen))}</select>"

    form = read_page(f"<form method=post>{radios}{options}</form>".encode()).form

    assert form is not None
    expected = tuple(Option(text, " ".join(text.split())) for text in words)
    assert [question.options for question in form.questions] == [expected, expected]
    assert (radios.count(" checked>"), options.count(" selected>")) == (1, 1)


def test_numbers_stand_before_the_label_and_are_spoken_with_it() -> None:
    choices = (Choice("3", "moderately", "x-3", False, number="3"),)

    html = radio_choices(Field("item-x", "How?", "radios", "x-3", choices))

    assert '<span class="number">3</span> moderately</span></label>' in html
