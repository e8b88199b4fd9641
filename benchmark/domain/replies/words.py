"""The closed word lists of the reply grammar; a word that is on none of them is foreign to it."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NUMBER_WORDS = {
    "zero": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}

# Around one rating
LEAD_WORDS = _words(
    "rating ratings rate rated score scored level value answer response intensity extent feeling "
    "feel my is are the it this that as at a an of i i'd i'm would will say give am be for to "
    "with on scale myself"
)
DENIALS = _words("not no none n neither never cannot can't don't unsure unknown isn't")
HEDGES = _words(
    "or to maybe perhaps possibly probably between approximately approx roughly almost nearly "
    "around about bordering leaning least most under over above below"
)
UNITS = _words("star stars point points pt pts 分")
REASONS = _words("because since as for due given")
OF_WORDS = _words("of von sur de su on")

# Before a name, before a list number, before the scale
PREFIX_WORDS = _words(
    "item question statement emotion number no nr q feeling feel i am being the and name my "
    "rating score level for of"
)
INDEX_WORDS = _words("item question statement emotion number no nr q answer rating response score")
SCALE_WORDS = _words("scale from range between rating ratings skala")
RANGE_WORDS = _words("- to and through bis à a")

# Beside the ratings
TOTALS = _words(
    "total totals sum overall average mean median subtotal affect pa na count summe gesamt"
)
TOTAL_WORDS = TOTALS | _words(
    "score scores rating ratings positive negative scale subscale panas number of the my for all "
    "items emotions answers and is grand"
)
HEADINGS = _words(
    "part section step table page phase scenario situation day version note chapter round test "
    "survey questionnaire task question"
)
CORRECTIONS = _words(
    "correction corrections corrected actually instead change changed changing revise revised "
    "wait oops mistake rather update updated reconsidering reconsider swap"
)
ITEM_WORDS = _words("item items question number no #")
MISSING_WORDS = _words(
    "n a na none null nan nil skip skipped unknown true false yes no blank missing"
)

# In JSON
RATING_KEYS = _words("rating score value response answer intensity level")
NUMBER_KEYS = _words("id index number no item position order question item_number nr n")
SCALE_KEYS = _words("max min scale out_of maximum minimum")

# In markup
INLINE_TAGS = _words("a b i u em strong span code font small big mark kbd thead tbody html body")
CELL_TAGS = _words("td th")
BLOCK_TAGS = _words(
    "p br hr div li ul ol dl dt dd tr table pre h1 h2 h3 h4 h5 h6 section ratings rating answer "
    "answers item items response responses emotion emotions score scores name value entry row "
    "question statement scale results result"
)
