"""Reading a language model's reply: all ratings in presented order, or the reason why not.

A reply counts only if a reader could not doubt any of its ratings. Nothing is clamped, padded,
repaired or guessed: what is missing, doubled, hedged, ranged, contradicted or off the scale
rejects the whole reply. The work is linear in the length of the reply.

A reply is screened by the provider's signals (`screening`), freed of its reasoning (`reasoning`)
and made plain (`characters`, `vocabulary`, `tokens`). Then JSON (`documents`), names (`named`,
`rows`, `values`) and positions (`lists`, `atoms`) are tried, in this order; `asides` judges the
lines beside the ratings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmark.domain.replies.asides import disturbs
from benchmark.domain.replies.characters import plain, readable
from benchmark.domain.replies.documents import read_documents
from benchmark.domain.replies.lists import read_list
from benchmark.domain.replies.named import read_named
from benchmark.domain.replies.outcome import Finding, ParsedReply, ReplyState, rejected, valid
from benchmark.domain.replies.reasoning import final_part, without_reasoning
from benchmark.domain.replies.screening import screen, sounds_like_refusal
from benchmark.domain.replies.tokens import lines_of
from benchmark.domain.replies.vocabulary import Vocabulary, vocabulary_of

__all__ = ["ParsedReply", "ReplyState", "parse_reply"]


def parse_reply(
    raw: str | None,
    *,
    items: Sequence[str],
    low: int,
    high: int,
    labels: Mapping[int, str] | None = None,
    finish_reason: str | None = None,
    refusal: str | None = None,
) -> ParsedReply:
    """What a raw reply says about the items, in the order in which they were presented.

    `items` are their texts; `low` and `high` the ends of the scale, both included; `labels` the
    words of its values, of which some may be missing. `finish_reason` and `refusal` are the
    provider's own. Never raises on any reply; ValueError where there are no items or the scale
    is not one of integers from 0 on.
    """
    vocabulary = vocabulary_of(items, low, high, labels)
    if (screened := screen(raw, finish_reason, refusal)) or raw is None:
        return screened or rejected(ReplyState.EMPTY, "The reply holds no text.")
    answer = without_reasoning(readable(raw))
    if not answer.text.strip():
        return rejected(ReplyState.EMPTY, "The reply holds no answer beside its reasoning.")
    if not answer.is_closed:
        return rejected(ReplyState.INVALID, "The reply ends inside its reasoning.")
    finding = _read(answer.text, vocabulary)
    if finding.ratings is not None:
        return valid(finding.ratings)
    if not finding.is_attempt and sounds_like_refusal(vocabulary.mask(plain(answer.text))):
        return rejected(ReplyState.REFUSED, "The reply declines to rate the items.")
    return rejected(ReplyState.INVALID, finding.reason or "No rating was found.")


def _read(text: str, vocabulary: Vocabulary) -> Finding:
    """The announced final answer where it is complete in itself, else the whole text."""
    final = final_part(text)
    if final is not None and (finding := _read_text(final, vocabulary)).ratings is not None:
        return finding
    return _read_text(text, vocabulary)


def _read_text(text: str, vocabulary: Vocabulary) -> Finding:
    documents = read_documents(text, vocabulary)
    lines = lines_of(documents.rest, vocabulary)
    if documents.finding is not None and documents.finding.ratings is None:
        return documents.finding
    named = read_named(lines, vocabulary)
    if documents.finding is not None:
        if named.is_attempt:
            return Finding(None, "The items are rated in JSON and again beside it.", True)
        ratings = dict(enumerate(documents.finding.ratings or ()))
        reasons = (disturbs(line, ratings, vocabulary, is_after=True) for line in lines)
        reason = next((reason for reason in reasons if reason), "")
        return Finding(None, reason, True) if reason else documents.finding
    if named.ratings is not None or named.is_attempt:
        return named
    listed = read_list(lines, vocabulary)
    return listed if listed.ratings is not None or listed.reason else named
