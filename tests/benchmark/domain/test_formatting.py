from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.domain.formatting import MINUS, MISSING, count, mean_sd, number, p_value, statistic


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-5.25, "−5.3"),
        (2.45, "2.5"),
        (-0.04, "0.0"),
        (0.05, "0.1"),
        (12, "12.0"),
        (1e15, "1000000000000000.0"),
    ],
)
def test_numbers_are_rounded_half_up_with_a_real_minus(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize("value", [None, math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_a_dash(value: float | None) -> None:
    assert number(value) == number(value, signed=True) == p_value(value) == MISSING


@given(st.floats(-1e9, 1e9), st.integers(0, 4))
def test_a_number_reads_back_within_half_of_its_last_digit(value: float, decimals: int) -> None:
    text = number(value, decimals, signed=True)
    read = float(text.replace(MINUS, "-"))
    assert abs(read - value) <= 0.5 * 10**-decimals + 1e-6
    assert not (read == 0 and text[0] in "+−")


@pytest.mark.parametrize(
    ("p", "text"),
    [(0.0123, ".012"), (0.0009999, "< .001"), (0.001, ".001"), (0.9996, "> .999"), (0.05, ".050")],
)
def test_p_values_have_three_decimals_and_no_zero_in_front(p: float, text: str) -> None:
    assert p_value(p) == text


def test_sentences_of_statistics_follow_the_manual() -> None:
    assert statistic(-142.118, 395.96, 1e-9) == "t(395.96) = −142.12, p < .001"
    assert statistic(2.5, 49, 0.0158) == "t(49) = 2.50, p = .016"
    assert mean_sd(28.02, 8.88) == "28.0 ± 8.9"
    assert mean_sd(28.02, None) == "28.0"
    assert count(1266) == "1,266"


def _written(function: str, args: list[Any]) -> str:
    match function:
        case "num":
            value, decimals, signed = [*args, *[None, 2, False][len(args) :]]
            return number(value, decimals, signed=signed)
        case "p":
            text = p_value(args[0])
            return text if text == MISSING else f"p {text if text[0] in '<>' else f'= {text}'}"
        case _:
            return statistic(*args)


@pytest.mark.needs_shared_data
def test_the_vectors_of_the_reference_come_out(shared_data: Path) -> None:
    vectors = json.loads((shared_data / "reference" / "apa_formatting.json").read_text("utf-8"))
    known = [vector for vector in vectors if vector["function"] in {"num", "p", "t"}]
    assert len(known) >= 25
    wrong = [v for v in known if _written(v["function"], v["args"]) != v["text"]]
    assert wrong == []
