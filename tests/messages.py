"""The sentences that participants may read, and the file of their translations.

`python -m tests.messages` brings the file up to date: new sentences come in without a translation,
those that are gone go, and the compiled file that Django reads is written. The tests then say what
is still to be translated.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polib
from django.utils.translation.template import templatize

ROOT = Path(__file__).parent.parent
CATALOGUE = ROOT / "surveys" / "locale" / "de" / "LC_MESSAGES" / "django.po"
TEMPLATES = [*ROOT.glob("templates/surveys/**/*.html"), ROOT / "templates" / "base.html"]
MODULES = [p for p in ROOT.glob("surveys/**/*.py") if p.parent.name != "migrations"]
COUNTRIES = ROOT / "surveys" / "data" / "countries.json"
_NAMES = {"gettext", "gettext_lazy", "gettext_noop", "_"}
_PLURAL_NAMES = {"ngettext", "ngettext_lazy"}
_PLACEHOLDER = re.compile(r"%\((\w+)\)([a-z])")


class Message(NamedTuple):
    """A sentence as it stands in the source; `plural` is "" where it has only one form."""

    text: str
    plural: str = ""


def messages() -> dict[Message, str]:
    """Every sentence, with the first file that has it."""
    found: dict[Message, str] = {}
    for path in sorted([*TEMPLATES, *MODULES]):
        source = path.read_text(encoding="utf-8")
        is_template = path.suffix == ".html"
        tree = ast.parse(source) if not is_template else _template_calls(source)
        for message in _calls(tree):
            found.setdefault(message, path.relative_to(ROOT).as_posix())
    for row in json.loads(COUNTRIES.read_text(encoding="utf-8")):
        found.setdefault(Message(row["name"]), COUNTRIES.relative_to(ROOT).as_posix())
    return found


def placeholders(text: str) -> set[tuple[str, str]]:
    """What a sentence leaves open, such as ("count", "d")."""
    return set(_PLACEHOLDER.findall(text))


def _template_calls(source: str) -> ast.Module:
    """What Django makes of a template for extraction: calls of gettext amid other letters."""
    quoted = r"""(?:u?'(?:\\.|[^'\\])*'|u?"(?:\\.|[^"\\])*")"""
    call = rf"""(?<![A-Za-z])(n?gettext|_)\(\s*({quoted})\s*(?:,\s*({quoted})\s*,\s*\w+\s*)?\)"""
    calls = [
        f"{name}({first}, {second}, 1)" if second else f"{name}({first})"
        for name, first, second in re.findall(call, templatize(source), re.DOTALL)
    ]
    return ast.parse("\n".join(calls))


def _calls(tree: ast.AST) -> Iterator[Message]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
        if name in _NAMES and texts:
            yield Message(str(texts[0]))
        elif name in _PLURAL_NAMES and len(texts) > 1:
            yield Message(str(texts[0]), str(texts[1]))


def update() -> None:
    """Bring the file of translations up to date with the source, and compile it."""
    catalogue = polib.pofile(str(CATALOGUE), wrapwidth=99)
    entries = {Message(e.msgid, e.msgid_plural): e for e in catalogue}
    found = messages()
    catalogue[:] = sorted(
        (entries.get(message) or _new_entry(message) for message in found),
        key=lambda entry: (found[Message(entry.msgid, entry.msgid_plural)], entry.msgid),
    )
    for entry in catalogue:
        entry.occurrences = [(found[Message(entry.msgid, entry.msgid_plural)], "")]
    catalogue.save()
    catalogue.save_as_mofile(str(CATALOGUE.with_suffix(".mo")))


def _new_entry(message: Message) -> polib.POEntry:
    flags = ["python-format"] if placeholders(message.text) else []
    entry = polib.POEntry(msgid=message.text, msgid_plural=message.plural, flags=flags)
    if message.plural:
        entry.msgstr_plural = {0: "", 1: ""}
    return entry


if __name__ == "__main__":
    update()
