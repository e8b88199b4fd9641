"""Replies of our own writing, each with what a careful reader would make of it."""

from __future__ import annotations

import pytest

from benchmark.domain.replies import ReplyState, parse_reply
from tests.benchmark.replies.writing import ITEMS, LABELS, WRITERS

RATINGS = (3, 2, 1, 4, 2, 1, 5, 2, 1, 1, 4, 3, 1, 2, 5, 3, 3, 4, 2, 5)
ROWS = WRITERS["rows"](ITEMS, RATINGS)


def state_of(raw: str | None, **signals: str) -> ReplyState:
    return parse_reply(raw, items=ITEMS, low=1, high=5, labels=LABELS, **signals).state


@pytest.mark.parametrize(
    "raw",
    [
        f"On a scale of 1 to 5, these are my ratings.\n\n{ROWS}\n\nTotal: 54",
        f"1 = very slightly or not at all, 5 = extremely\n{ROWS}",
        f"<think>3, 4, maybe 5?</think>{ROWS}",
        f"Thinking of 1 and 2.\n</think>\n{ROWS}",
        f"{ROWS}\n\nI feel mostly afraid, because the road was dark.",
        "\ufeff" + ROWS.replace(": ", "：").replace("3", "３"),
        ROWS.replace("\n", "\r\n"),
    ],
)
def test_what_stands_beside_the_ratings_does_no_harm(raw: str) -> None:
    reply = parse_reply(raw, items=ITEMS, low=1, high=5, labels=LABELS)
    assert reply.ratings == RATINGS, reply


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (ROWS.replace("Proud: 1", "Proud: 1 or 2"), "a hedge"),
        (ROWS.replace("Proud: 1", "Proud: 1-2"), "a range"),
        (ROWS.replace("Proud: 1", "Proud: ~1"), "about"),
        (ROWS.replace("Proud: 1", "Proud: N/A"), "nothing"),
        (ROWS.replace("Proud: 1", "Proud: 1 (extremely)"), "a label that contradicts"),
        (ROWS.replace("Proud: 1", "Proud: ¹"), "a superscript"),
        (ROWS.replace("Proud: 1", "Proud: one and a half"), "a fraction in words"),
        (ROWS + "\n21. Happy: 4", "a further item"),
        (ROWS + "\nProud: 4", "an item twice"),
        (ROWS + "\nCorrection: Proud should be 4.", "a correction"),
        ("3 " * 19, "19 numbers"),
        ("5", "one number for all"),
        ("\n".join(f"{n}. {item}" for n, item in enumerate(ITEMS, 1)), "the items echoed"),
        ('{"ratings": [3, 2, 1, 4', "JSON that ends too early"),
        ('{"ratings": [' + ", ".join(["true"] * 20) + "]}", "booleans"),
    ],
)
def test_a_reply_that_leaves_a_doubt_is_invalid(raw: str, why: str) -> None:
    assert state_of(raw) is ReplyState.INVALID, why


@pytest.mark.parametrize(
    "raw",
    [
        "I'm sorry, but I can't rate these emotions on a scale of 1 to 5.",
        "As an AI language model, I do not have feelings.",
        "I cannot provide ratings for this scenario.",
        "Als KI-Sprachmodell habe ich keine Gefühle.",
        "En tant que modèle de langage, je ne ressens pas d'émotions.",
        "Lo siento, no puedo responder a eso.",
        "作为一个人工智能，我没有情感。",
    ],
)
def test_a_reply_that_declines_is_a_refusal(raw: str) -> None:
    assert state_of(raw) is ReplyState.REFUSED


def test_a_reply_that_complains_and_then_rates_is_valid() -> None:
    assert state_of(f"As an AI I have no feelings, but if I were the person:\n{ROWS}") is (
        ReplyState.VALID
    )


@pytest.mark.parametrize(
    ("raw", "signals", "state"),
    [
        (None, {}, ReplyState.EMPTY),
        ("  \n", {"finish_reason": "stop"}, ReplyState.EMPTY),
        ("<think>Hm.</think>", {}, ReplyState.EMPTY),
        (ROWS, {"finish_reason": "length"}, ReplyState.TRUNCATED),
        (None, {"finish_reason": "length"}, ReplyState.TRUNCATED),
        (ROWS, {"finish_reason": "content_filter"}, ReplyState.REFUSED),
        (None, {"refusal": "I will not."}, ReplyState.REFUSED),
    ],
)
def test_the_signals_of_the_provider_come_first(
    raw: str | None, signals: dict[str, str], state: ReplyState
) -> None:
    assert state_of(raw, **signals) is state


@pytest.mark.parametrize(("items", "low", "high"), [([], 1, 5), (["a"], 5, 1), (["a"], -1, 5)])
def test_a_scale_that_cannot_be_is_refused(items: list[str], low: int, high: int) -> None:
    with pytest.raises(ValueError, match=r"item|scale"):
        parse_reply("1", items=items, low=low, high=high)
