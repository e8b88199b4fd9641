"""Amounts and durations in words."""

from __future__ import annotations


def money(minor: float | None, currency: str, per: str = "") -> str:
    """Pence or cents as pounds or euros, such as "9.00 GBP an hour"; "–" where nothing is known."""
    if minor is None:
        return "–"
    return f"{minor / 100:.2f} {currency}" + (f" {per}" if per else "")


def in_words(seconds: float | None) -> str:
    """A duration such as "7 min 30 s"; "–" where none is known."""
    if seconds is None:
        return "–"
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return f"{rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
