from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark.domain.replies import ReplyState, parse_reply
from tests.benchmark.replies.writing import ITEMS, LABELS

STATES = {"refusal": ReplyState.REFUSED}


def _state(case: dict[str, Any]) -> ReplyState:
    if case.get("klass"):
        return STATES[case["klass"]]
    if case.get("finish_reason") == "length":
        return ReplyState.TRUNCATED
    return ReplyState.INVALID if (case["raw"] or "").strip() else ReplyState.EMPTY


@pytest.mark.needs_shared_data
def test_every_reply_of_the_corpus_is_read_as_a_reader_would(shared_data: Path) -> None:
    cases = json.loads((shared_data / "replies" / "panas_replies.json").read_text("utf-8"))
    assert len(cases) >= 47
    misread = {}
    for case in cases:
        reply = parse_reply(
            case["raw"],
            items=ITEMS,
            low=1,
            high=5,
            labels=LABELS,
            finish_reason=case.get("finish_reason"),
        )
        wanted = tuple(case["expect"]) if case["expect"] else None
        state = ReplyState.VALID if wanted else _state(case)
        if (reply.ratings, reply.state) != (wanted, state):
            misread[case["id"]] = (case["why"], reply)
    assert misread == {}
