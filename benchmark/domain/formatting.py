"""Numbers as text, by the conventions of APA 7: rounded half up, real minus signs, no "nan".

Source: Publication Manual of the American Psychological Association, 7th edition, chapter 6.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

MINUS = "\u2212"
MISSING = "\u2013"


def number(value: float | None, decimals: int = 1, *, signed: bool = False) -> str:
    """A number with fixed decimals, rounded half up on its decimal text; never a negative zero."""
    if value is None or not math.isfinite(value):
        return MISSING
    exponent = Decimal(1).scaleb(-decimals)
    rounded = Decimal(repr(float(value))).quantize(exponent, rounding=ROUND_HALF_UP)
    if rounded == 0:
        return f"{abs(rounded):f}"
    sign = MINUS if rounded < 0 else "+" if signed else ""
    return f"{sign}{abs(rounded):f}"


def count(value: int) -> str:
    """A count with its thousands set off: 1,266."""
    return f"{value:,}"


def p_value(p: float | None) -> str:
    """Three decimals without a leading zero: ".012", "< .001", "> .999"; a dash where missing."""
    if p is None or not math.isfinite(p):
        return MISSING
    if p < 0.001:
        return "< .001"
    text = number(p, 3)
    return "> .999" if text.startswith("1") else text.removeprefix("0")


def mean_sd(mean: float | None, sd: float | None, decimals: int = 1) -> str:
    """As "28.0 ± 8.9"; without a spread only the mean."""
    if mean is None:
        return MISSING
    if sd is None:
        return number(mean, decimals)
    return f"{number(mean, decimals)} ± {number(sd, decimals)}"


def interval(low: float, high: float, decimals: int = 1) -> str:
    """As "95% CI [−6.6, −4.0]"."""
    return f"95% CI [{number(low, decimals)}, {number(high, decimals)}]"


def statistic(t: float, df: float, p: float) -> str:
    """As "t(395.96) = −142.12, p < .001"; decimals of df only where it is not whole."""
    degrees = str(round(df)) if float(df).is_integer() else number(df, 2)
    text = p_value(p)
    relation = text if text[0] in "<>" else f"= {text}"
    return f"t({degrees}) = {number(t, 2)}, p {relation}"
