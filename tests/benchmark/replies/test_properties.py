from __future__ import annotations

import unicodedata
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmark.domain.replies import ParsedReply, ReplyState, parse_reply
from tests.benchmark.replies.writing import ITEMS, LABELS, WRITERS

ratings_of_all = st.lists(st.integers(1, 5), min_size=20, max_size=20)
orders = st.permutations(ITEMS)
writers = st.sampled_from(sorted(WRITERS))
# What replies are made of, so that random texts come near to valid ones.
fragments = st.one_of(
    st.sampled_from(ITEMS),
    st.sampled_from(list(LABELS.values())),
    st.integers(-20, 120).map(str),
    st.sampled_from(
        [
            "\n",
            " ",
            ": ",
            ". ",
            ", ",
            "/5",
            "**",
            "|",
            "{",
            "}",
            "[",
            "]",
            '"',
            "<think>",
            "</think>",
        ]
    ),
    st.sampled_from(["true", "null", "N/A", "³", "３", "½", "٣", "3.5", "-", "1-5", "or", "e5"]),
    st.text(max_size=4),
)
texts = st.one_of(st.text(), st.lists(fragments, max_size=120).map("".join))


def read(raw: str | None, items: list[str] = ITEMS, **signals: str) -> ParsedReply:
    return parse_reply(raw, items=items, low=1, high=5, labels=LABELS, **signals)


def written_counts(raw: str) -> Counter[int]:
    """How often each rating could be read in a text at most: as a digit or as its label."""
    text = unicodedata.normalize("NFKC", raw).casefold()
    return Counter({n: text.count(str(n)) + text.count(label) for n, label in LABELS.items()})


@given(texts, st.sampled_from(["", "stop", "length", "content_filter", "tool_calls"]))
def test_it_never_raises_and_always_says_why_not(raw: str, finish_reason: str) -> None:
    reply = read(raw, finish_reason=finish_reason)
    assert (reply.state is ReplyState.VALID) == (reply.ratings is not None) == (reply.reason == "")


@given(texts)
def test_no_rating_is_returned_that_the_reply_does_not_hold(raw: str) -> None:
    reply = read(raw)
    if reply.ratings is not None:
        assert len(reply.ratings) == 20
        assert Counter(reply.ratings) <= written_counts(raw)


@given(orders, ratings_of_all, writers, st.data())
def test_a_damaged_reply_gives_no_rating_that_it_does_not_hold(
    items: list[str], ratings: list[int], name: str, data: st.DataObject
) -> None:
    raw = WRITERS[name](items, ratings)
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, min(len(raw), start + 12)))
    damaged = raw[:start] + data.draw(st.one_of(fragments, st.just(""))) + raw[end:]
    reply = read(damaged, items)
    if reply.ratings is not None:
        assert Counter(reply.ratings) <= written_counts(damaged)


@given(orders, ratings_of_all, writers)
def test_every_way_of_writing_is_read_back_in_the_order_shown(
    items: list[str], ratings: list[int], name: str
) -> None:
    assert read(WRITERS[name](items, ratings), items).ratings == tuple(ratings)


@given(ratings_of_all, writers, st.integers(0, 19))
def test_a_reply_without_one_of_its_ratings_is_invalid(
    ratings: list[int], name: str, dropped: int
) -> None:
    kept_items = [item for at, item in enumerate(ITEMS) if at != dropped]
    kept = [rating for at, rating in enumerate(ratings) if at != dropped]
    reply = read(WRITERS[name](kept_items, kept))
    assert (reply.state, reply.ratings) == (ReplyState.INVALID, None)


@given(ratings_of_all, st.integers(0, 19), st.sampled_from([0, 6, 7, 10, 45, -3]))
def test_a_rating_off_the_scale_is_never_clamped(ratings: list[int], at: int, wrong: int) -> None:
    rows = [f"{item}: {n}" for item, n in zip(ITEMS, ratings, strict=True)]
    rows[at] = f"{ITEMS[at]}: {wrong}"
    assert read("\n".join(rows)).state is ReplyState.INVALID


@given(ratings_of_all, ratings_of_all)
def test_reasoning_is_no_answer(thought: list[int], ratings: list[int]) -> None:
    assume(thought != ratings)
    write = WRITERS["rows"]
    raw = f"<think>{write(ITEMS, thought)}</think>\n{write(ITEMS, ratings)}"
    assert read(raw).ratings == tuple(ratings)
    assert read(f"<think>{write(ITEMS, thought)}").state is ReplyState.EMPTY


@given(ratings_of_all, ratings_of_all, writers)
def test_two_different_answers_are_no_answer(
    first: list[int], second: list[int], name: str
) -> None:
    assume(first != second)
    write = WRITERS[name]
    raw = f"{write(ITEMS, first)}\n\n{write(ITEMS, second)}"
    assert read(raw).state is ReplyState.INVALID


@pytest.mark.parametrize("size", [1, 7, 21])
@given(data=st.data())
def test_other_instruments_and_scales_are_read_the_same_way(size: int, data: st.DataObject) -> None:
    items = [f"I often think of the {n}th of my plans" for n in range(1, size + 1)]
    ratings = data.draw(st.lists(st.integers(0, 7), min_size=size, max_size=size))
    raw = "\n".join(
        f"{n}. {i}: {r}" for n, (i, r) in enumerate(zip(items, ratings, strict=True), 1)
    )
    assert parse_reply(raw, items=items, low=0, high=7).ratings == tuple(ratings)
