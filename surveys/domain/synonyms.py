"""Words of an instrument that mean nearly the same, so that their ratings should lie close.

Data, with its justification. An instrument without an entry has no such check.
"""

from __future__ import annotations

from collections.abc import Mapping

Pair = tuple[str, str]

# Watson, Clark and Tellegen (1988) took the items of PANAS from the content categories of Zevon
# and Tellegen (1982). Both words of each pair come from one category: fearful, guilty, jittery,
# angry, distressed, attentive, excited. Words of one category are near-synonyms, not the same
# word: a difference of a point is common among careful people, a large mean over all pairs is not.
# Left out are `proud` and `determined`, `strong` and `active`: one category, yet no synonyms.
PANAS: tuple[Pair, ...] = (
    ("scared", "afraid"),
    ("guilty", "ashamed"),
    ("nervous", "jittery"),
    ("hostile", "irritable"),
    ("distressed", "upset"),
    ("interested", "attentive"),
    ("excited", "enthusiastic"),
)
SYNONYMS: Mapping[str, tuple[Pair, ...]] = {"PANAS": PANAS}
