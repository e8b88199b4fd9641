"""From the characters of a reply to plain text that the grammar can read.

Compatibility forms are folded (NFKC), so that a full-width 3 is a 3. Digits that are not written
as digits (superscripts, circled, mathematical, other scripts) never become ratings: they turn
into SPOILED, a mark that no rating may touch. No pattern here can backtrack without bound.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from benchmark.domain.replies.words import BLOCK_TAGS, CELL_TAGS, INLINE_TAGS

SPOILED = "\ufffd"
LONGEST_COMBINING_RUN = 8

_CONTROLS = dict.fromkeys((*range(32), 127), SPOILED) | {
    ord("\t"): "\t",
    ord("\n"): "\n",
    ord("\v"): "\n",
    ord("\f"): "\n",
}
_EMOJI_PRESENTATION = "\ufe0e\ufe0f\u20e3"  # 3️⃣ is the digit 3 in a box

_PUNCTUATION = str.maketrans(
    dict.fromkeys("‘’‚‛ʼ´", "'")
    | dict.fromkeys("“”„‟«»「」『』", '"')
    | dict.fromkeys("‐‑‒–−﹘", "-")
    | dict.fromkeys("—―⸺", "--")
    | dict.fromkeys("⇒➔➜➡⟶⟹", "→")
    | {"。": ".", "、": ",", "【": "[", "】": "]", "*": " ", "`": " ", "_": " ", "\t": " | "}
)

_LATEX_INLINE = re.compile(r"\$ {0,3}([0-9]{1,4}) {0,3}\$")
_LATEX_COMMAND = re.compile(
    r"\\(?:boxed|textbf|textit|text|mathbf|mathrm|emph)\{([^{}\n\\]{0,300})\}"
)
_ESCAPED = re.compile(r"\\(?=[-.()\[\]#+!|~$&])")
_TAG = re.compile(r"<(/?)([^\W\d][\w-]{0,40})((?:\s[^<>]{0,300})?)(/?)>")
_SPECIAL_TOKEN = re.compile(r"<\|[^<>|\n]{0,40}\|>")
_SPACES = re.compile(r" ++")
_QUOTED = re.compile(r"^(?:> ){1,5}", re.MULTILINE)
_BREAKS = re.compile(r" ?+\n[ \n]*+")


def readable(raw: str) -> str:
    """NFKC with newlines unified, formatting characters gone and exotic digits spoiled."""
    text = raw.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", "".join(_readable_characters(text)))


def _readable_characters(text: str) -> Iterator[str]:
    """One replacement a character; endless combining marks would make NFC quadratic."""
    run = 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) else 0
        if run <= LONGEST_COMBINING_RUN:
            yield _readable_character(character)
        elif run == LONGEST_COMBINING_RUN + 1:
            yield SPOILED


@lru_cache(maxsize=8192)
def _readable_character(character: str) -> str:
    if character < "\x80":
        return character
    if character in "\x85\u2028\u2029":
        return "\n"
    category = unicodedata.category(character)
    if category == "Cf" or character in _EMOJI_PRESENTATION:
        return ""
    folded = unicodedata.normalize("NFKC", character)
    if "０" <= character <= "９":
        return folded
    if category in {"Cc", "Cn", "Co", "Cs"} or character.isdigit():
        return SPOILED
    return SPOILED if any("0" <= part <= "9" for part in folded) else folded


def plain(text: str) -> str:
    """Readable text without markup: case folded, quotes and dashes unified, spaces collapsed.

    Item texts and labels go through the same function, so both sides of a comparison agree.
    Lines are kept, blank ones are not.
    """
    text = _LATEX_COMMAND.sub(r" \1 ", text.casefold())
    text = _ESCAPED.sub("", _LATEX_INLINE.sub(r" \1 ", text).replace("\\\\", " "))
    text = _TAG.sub(_without_tag, _SPECIAL_TOKEN.sub(" ", text)).replace(" & ", " | ")
    text = _SPACES.sub(" ", text.translate(_PUNCTUATION))
    return _QUOTED.sub("", _BREAKS.sub("\n", text).strip(" \n"))


def _without_tag(match: re.Match[str]) -> str:
    """A known tag becomes the space it makes; of an unknown one its name stays, as a name."""
    closing, name, attributes, _ = match.groups()
    if name in INLINE_TAGS:
        return " "
    if name in CELL_TAGS:
        return " | "
    if closing:
        return "\n"
    if name in BLOCK_TAGS:
        return f"\n{attributes.rstrip('/')} " if _names_something(attributes) else "\n"
    return f"\n{name} "


def _names_something(attributes: str) -> bool:
    return any(word in attributes for word in ("name=", "item=", "emotion=", "id=", "label="))
