"""Values as the text of a cell, safe to open in a spreadsheet."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from surveys.exporting.table import Value

# A spreadsheet takes text that begins so for a formula and may fetch, run or leak something.
# Full-width signs are read as their plain forms by some of them.
_FORMULA = re.compile(r"[\s﻿]*[=+\-@＝＋－＠]|[\t\r\n]")
# What XML 1.0, and so an Office file, cannot hold.
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff￾￿]")


def formula_safe(text: str) -> str:
    """The text, led by an apostrophe where a spreadsheet would run it."""
    return f"'{text}" if _FORMULA.match(text) else text


def xml_safe(text: str) -> str:
    """The text with the replacement character for each control character."""
    return _NOT_IN_XML.sub("�", text)


def iso_time(time: datetime) -> str:
    """ISO 8601 in UTC with its offset, to the millisecond."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds")


def plain(value: Value) -> str | int | float | None:
    """Yes and no as 1 and 0, times as text; everything else as it is."""
    match value:
        case bool():
            return int(value)
        case datetime():
            return iso_time(value)
    return value


def shorten(text: str, limit: int) -> str:
    """At most `limit` UTF-8 bytes, saying where something was cut off."""
    raw = text.encode()
    if len(raw) <= limit:
        return text
    mark = " […]"
    return raw[: limit - len(mark.encode())].decode(errors="ignore") + mark
