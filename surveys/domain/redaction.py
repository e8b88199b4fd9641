"""Taking out of free text what could name a person, visibly.

People write ids and addresses into comments although they are asked not to. What is taken out is
what has an unmistakable form; a name has none, so a researcher still reads comments before
sharing them.
"""

from __future__ import annotations

import re

REMOVED = "[removed]"

# Prolific's ids are 24 hexadecimal digits.
_PROLIFIC_ID = r"(?<![0-9A-Za-z])[0-9A-Fa-f]{24}(?![0-9A-Za-z])"
_EMAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_IPV4 = r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)"
_IPV6 = r"(?<![0-9A-Za-z:])(?:[0-9A-Fa-f]{1,4}:){3,7}(?::?[0-9A-Fa-f]{1,4})+(?![0-9A-Za-z:])"
_NAMING = re.compile("|".join((_PROLIFIC_ID, _EMAIL, _IPV4, _IPV6)))


def redact(text: str) -> str:
    """The text with ids, e-mail addresses and network addresses replaced by `REMOVED`."""
    return _NAMING.sub(REMOVED, text)
