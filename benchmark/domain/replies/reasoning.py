"""Taking a model's reasoning off its answer.

Only marks that say so count as reasoning: tags, channel tokens, a line that announces the final
answer. Text that merely sounds like thinking stays and is judged with the rest.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_NAMES = "thinking|think|thoughts|thought|reasoning|reflection|scratchpad|analysis"
_MARK = re.compile(
    rf"<(?P<close>/?)(?:{_NAMES})(?:\s[^<>\n]{{0,100}})?>"
    r"|◁(?P<close_kimi>/?)think▷"
    r"|\[(?P<close_mistral>/?)think\]"
    r"|<\|(?:begin|(?P<close_token>end))_of_thought\|>",
    re.IGNORECASE,
)
_CHANNEL = re.compile(r"<\|channel\|>\s{0,8}(analysis|commentary|final)\b[^<\n]{0,60}<\|message\|>")
_CHANNEL_END = re.compile(r"<\|(?:end|return|start|call)\|>")

_FINAL = re.compile(
    r"^[^\w\n]{0,20}(?:(?:so|here|is|are|my|the|and|therefore|thus)\b[ ,:]{1,3}){0,5}"
    r"final (?:answers?|ratings?|scores?|list|responses?|results?)\b"
    r"|<(?:final_)?answers?>",
    re.IGNORECASE | re.MULTILINE,
)


class Answer(NamedTuple):
    """The text outside the reasoning; `is_closed` is false where the reasoning never ended."""

    text: str
    is_closed: bool


def without_reasoning(text: str) -> Answer:
    """The answer in a reply.

    A closing mark without an opening one ends reasoning that began in the prompt (as the chat
    templates of several reasoning models have it), so what precedes it goes too.
    """
    if _CHANNEL.search(text):
        return _final_channel(text)
    kept: list[str] = []
    position, is_thinking = 0, False
    for mark in _MARK.finditer(text):
        is_closing = any(mark.groupdict().values())
        if is_closing and not is_thinking:
            kept.clear()
        elif not is_thinking:
            kept.append(text[position : mark.start()])
        position, is_thinking = mark.end(), not is_closing
    if not is_thinking:
        kept.append(text[position:])
    return Answer("\n".join(kept), not is_thinking)


def _final_channel(text: str) -> Answer:
    """The last message on the final channel; without one there is no answer yet."""
    channels = list(_CHANNEL.finditer(text))
    last = channels[-1]
    if last.group(1) != "final":
        return Answer("", is_closed=False)
    end = _CHANNEL_END.search(text, last.end())
    return Answer(text[last.end() : end.start() if end else len(text)], is_closed=True)


def final_part(text: str) -> str | None:
    """From the line that announces the final answer on; None where no line does."""
    mark = _FINAL.search(text)
    return text[mark.start() :] if mark and text[: mark.start()].strip() else None
