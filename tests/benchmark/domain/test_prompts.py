from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.domain.plan import only_measure, trial_protocol
from benchmark.domain.prompts import (
    PromptError,
    ReplyFormat,
    TemplateText,
    check_template,
    messages_as_json,
    messages_hash,
    render_messages,
    template_from_dict,
)
from surveys.domain.protocol import ImaginedSituation, Measure
from tests.surveys.domain.instruments import instrument

PANEL = instrument(n_items=3)
TEMPLATE = TemplateText(
    system_text="Be brief.",
    default_text="How are you?\n{items}\n{scale}\n{answer_format}",
    evoked_text="Imagine: {situation}\n{prompt}\n{items}",
)


def measure_of(text: str = "") -> Measure:
    situation = ImaginedSituation(1, text) if text else None
    return only_measure(trial_protocol(PANEL, (2, 0, 1), situation))


def test_a_measure_becomes_messages_in_the_order_shown() -> None:
    messages = messages_as_json(render_messages(TEMPLATE, PANEL, measure_of("A bus leaves.")))
    assert messages == [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": "Imagine: A bus leaves.\nRate each.\n1. word 3\n2. word 1\n3. word 2",
        },
    ]


def test_the_default_measure_shows_scale_and_format_and_no_situation() -> None:
    content = render_messages(TEMPLATE, PANEL, measure_of(), ReplyFormat.JSON_SCHEMA)[1].content
    assert "1 = label 1\n2 = label 2" in content
    assert "JSON object whose ratings are the 3 numbers" in content
    assert "Imagine" not in content


@given(st.text(min_size=1).filter(str.strip))
def test_braces_and_anything_else_in_a_situation_are_only_text(text: str) -> None:
    content = render_messages(TEMPLATE, PANEL, measure_of(text))[1].content
    assert content == f"Imagine: {text}\nRate each.\n1. word 3\n2. word 1\n3. word 2"


@given(st.text(min_size=1).filter(str.strip))
def test_the_hash_tells_messages_apart(text: str) -> None:
    first = messages_hash(render_messages(TEMPLATE, PANEL, measure_of(text)))
    assert first == messages_hash(render_messages(TEMPLATE, PANEL, measure_of(text)))
    assert first != messages_hash(render_messages(TEMPLATE, PANEL, measure_of(text + "!")))


@pytest.mark.parametrize(
    ("default", "evoked", "message"),
    [
        ("{items}", "{items}", "no field {situation}"),
        ("{items} {situation}", "{items} {situation}", "nothing is imagined"),
        ("{scale}", "{items} {situation}", "needs the field {items}"),
        ("{items} {mood}", "{items} {situation}", "unknown field"),
        ("{items!r}", "{items} {situation}", "unknown field"),
        ("{items", "{items} {situation}", "cannot be read"),
    ],
)
def test_a_template_that_cannot_work_is_refused(default: str, evoked: str, message: str) -> None:
    with pytest.raises(PromptError, match=message):
        check_template(TemplateText("", default, evoked))


def test_a_template_file_without_a_text_is_refused() -> None:
    with pytest.raises(PromptError, match="evoked_text"):
        template_from_dict({"default_text": "{items}"})
