"""Documents that name tests name ones that exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

TESTS = Path(__file__).resolve().parent
FAULTS = (TESTS.parent / "docs" / "participant_faults.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`([\w/]+\.py)::([\w:]+)`")


@cache
def names_in(path: str) -> frozenset[str]:
    """Test functions of a file, with their class before them where they have one."""
    tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
    names = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            functions = [child for child in node.body if isinstance(child, ast.FunctionDef)]
            names |= {f"{node.name}::{function.name}" for function in functions}
    return frozenset(names)


def test_every_test_that_is_named_exists() -> None:
    named = NAMED.findall(FAULTS)
    missing = [
        f"{path}::{name}"
        for path, name in named
        if not (TESTS / path).is_file() or name not in names_in(path)
    ]

    assert len(named) > 100
    assert missing == []


def test_every_fault_has_a_test() -> None:
    rows = [line for line in FAULTS.splitlines() if re.match(r"\| (?!#|---|what breaks)", line)]

    assert len(rows) >= 47
    assert [row for row in rows if not NAMED.search(row)] == []
