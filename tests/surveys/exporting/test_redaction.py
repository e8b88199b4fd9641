from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.redaction import redact

ID = "5f0c1a2b3c4d5e6f7a8b9c0d"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"My id is {ID}.", "My id is [removed]."),
        (ID.upper(), "[removed]"),
        ("write to ann.b+c@mail.example.org, please", "write to [removed], please"),
        ("I am 192.168.1.254", "I am [removed]"),
        ("at 2001:db8:85a3:0:0:8a2e:370:7334 now", "at [removed] now"),
        ("at 2001:db8:85a3::8a2e:370 now", "at [removed] now"),
    ],
)
def test_what_names_somebody_is_taken_out_visibly(text: str, expected: str) -> None:
    assert redact(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I felt 3.5 of 5, at 12:30:15, in version 1.2.3",
        "deadbeef and 123456789012345678901234567890",
        "the @ sign, you@home",
        "",
    ],
)
def test_other_words_stay(text: str) -> None:
    assert redact(text) == text


@given(st.text(alphabet=" .,!\nabcXYZäé你😀"), st.text(alphabet=" .,!\nXYZ你😀"))
def test_an_id_never_survives_among_words(before: str, after: str) -> None:
    assert ID not in redact(f"{before} {ID} {after}")
