"""The papers that situations come from, as the release's workbook lists them.

The workbook holds the papers' own wordings, which the study rewrote, so a situation is traced to
its paper by the words they share. What cannot be traced is left without a source and counted:
a paper is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from surveys.importing.faults import ReleaseFileError
from surveys.importing.places import emotion_name
from surveys.importing.tables import label, read_sheet

SHEET = "Raw"
# Of all words of both texts, those that they share. Unrelated ones share at most .35.
SHARED_WORDS = 0.6
WORD = re.compile(r"[a-z']+")


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper, the emotion it is listed under, and the words of each of its situations."""

    emotion: str
    reference: str
    situations: tuple[frozenset[str], ...]


def read_situation_sources(path: Path) -> tuple[Paper, ...]:
    """Every paper of the workbook's sheet Raw: a column each, emotion and reference on top.

    A column without both continues the one before it, as the table of examples of a paper does.
    """
    rows = read_sheet(path, SHEET)
    for row, expected in ((0, "Emotion"), (1, "Reference")):
        if len(rows) <= row or label(rows[row][0]).casefold() != expected.casefold():
            raise ReleaseFileError(f"expected {expected!r}", sheet=SHEET, column=0, row=row + 1)
    papers: list[Paper] = []
    for column in range(1, len(rows[0])):
        emotion, reference = label(rows[0][column]), label(rows[1][column])
        texts = [label(row[column]) for row in rows[2:] if label(row[column])]
        if not emotion and not reference:
            if papers and texts:
                papers[-1] = _continued(papers[-1], texts)
            continue
        if not emotion or not reference:
            raise ReleaseFileError(
                "the column needs an emotion and a reference",
                sheet=SHEET,
                column=column,
                row=1 if not emotion else 2,
            )
        papers.append(_continued(Paper(emotion_name(emotion), reference, ()), texts))
    if not papers:
        raise ReleaseFileError("the sheet lists no paper", sheet=SHEET, column=1, row=1)
    return tuple(papers)


def _continued(paper: Paper, texts: Sequence[str]) -> Paper:
    words = (*paper.situations, *(words_of(text) for text in texts))
    return Paper(paper.emotion, paper.reference, words)


def words_of(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text.casefold().replace("’", "'")))


def trace_paper(papers: Sequence[Paper], emotion: str, text: str) -> str:
    """The reference of the paper that a situation comes from, or "" where that is not certain.

    Certain is the only paper of an emotion, or the one that shares most of the words.
    """
    listed = [paper for paper in papers if paper.emotion.casefold() == emotion.casefold()]
    if len(listed) == 1:
        return listed[0].reference
    words = words_of(text)
    best: Mapping[str, float] = {
        paper.reference: max((_shared(words, other) for other in paper.situations), default=0.0)
        for paper in listed
    }
    close = [reference for reference, shared in best.items() if shared >= SHARED_WORDS]
    top = max(close, key=lambda reference: best[reference], default="")
    tied = [reference for reference in close if best[reference] == best.get(top)]
    return top if len(tied) == 1 else ""


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 0.0
