"""What is written to logs, without what could name a person or open their pages.

Prolific's ids stand in the address of a link, and the database names them when a constraint is
hurt; the secret of a participation stands in the path of its pages. All of that is cut out where a
line is formatted, traceback included, so that no logger has to think of it.
"""

from __future__ import annotations

import logging
import re
from typing import Any

from gunicorn.glogging import Logger  # type: ignore[import-untyped]

HIDDEN = "…"
# What stands in the first group stays.
_RULES = (
    # The parameters of a link from Prolific, with any value: PROLIFIC_PID=…
    re.compile(r"((?:prolific_\w+|study_id|session_id)(?:=|%3D))[^&\s\"'<>]*", re.IGNORECASE),
    # Its ids anywhere: 24 hexadecimal digits.
    re.compile(r"()(?<![0-9A-Za-z])[0-9A-Fa-f]{24}(?![0-9A-Za-z])"),
    # What PostgreSQL says of a broken constraint: Key (a, b)=(1, x) already exists.
    re.compile(r"(Key \([^)]*\)=)\(.*?\)(?= |$)", re.MULTILINE),
    # The secret of a participation: /s/study/p/secret/.
    re.compile(r"(/s/[\w-]+/p/)[\w-]+"),
)


def hide(text: str) -> str:
    """The text with ids and secrets replaced by `HIDDEN`."""
    for pattern in _RULES:
        text = pattern.sub(rf"\1{HIDDEN}", text)
    return text


class PrivateFormatter(logging.Formatter):
    """Formats as usual, then hides."""

    def format(self, record: logging.LogRecord) -> str:
        return hide(super().format(record))


class PrivateLogger(Logger):  # type: ignore[misc]
    """Gunicorn's own logs, access log included where somebody turns it on."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        layouts = {self.error_log: self.error_fmt, self.access_log: self.access_fmt}
        for logger, layout in layouts.items():
            for handler in logger.handlers:
                handler.setFormatter(PrivateFormatter(layout, self.datefmt))
