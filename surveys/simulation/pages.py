"""A page as somebody sees it who does not know the program: its words and its form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree, html

# Buttons that lead out of the study are not pressed while it can go on.
_LEAVES = re.compile(r"declin|withdraw|reject|refuse|cancel|back", re.IGNORECASE)
_WAIT = re.compile(r"(\d+)\s*(?:more\s+)?(?:seconds?|Sekunden?)\b", re.IGNORECASE)
_OF_CLASS = "//*[contains(concat(' ', @class, ' '), ' {} ')]"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer that can be chosen."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Question:
    """One field. `kind` is `radio`, `select`, `checkbox`, `text`, `number` or `textarea`.

    `legend` is the question in words; `text` what stands in a field that is typed into; `low` and
    `high` bound a number where the page does.
    """

    name: str
    kind: str
    legend: str
    options: tuple[Option, ...] = ()
    text: str = ""
    low: str = ""
    high: str = ""
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """Where the answers go, what is sent untouched, what is asked, and the button to press."""

    action: str
    hidden: tuple[tuple[str, str], ...]
    questions: tuple[Question, ...]
    button: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Page:
    """`scene` is a text to imagine, `code` a completion code; "" where the page has none.

    `kind` names pages alike in reports: consent, situation, ratings, questions, comment, end or
    other.
    `wait_s` is how long the page asks to read on before it lets anybody continue.
    """

    kind: str
    form: Form | None
    scene: str
    code: str
    wait_s: float


def read_page(body: bytes, retry_after: str = "") -> Page:
    """Read the page; never raises, whatever a server sent."""
    try:
        root = html.document_fromstring(body, parser=html.HTMLParser(encoding="utf-8"))
    except etree.ParserError:  # What an empty document is to the parser.
        return Page("other", None, "", "", 0.0)
    form = _main_form(root)
    scene = _text_of_first(root, _OF_CLASS.format("situation"))
    code = _text_of_first(root, _OF_CLASS.format("code"))
    return Page(_kind(form, scene, code), form, scene, code, _wait(root, retry_after))


def _main_form(root: html.HtmlElement) -> Form | None:
    """The form to fill: of those that are sent by POST and lead on, the one that asks most."""
    forms = [_read_form(form) for form in root.forms if form.method.upper() == "POST"]
    leading = [form for form in forms if not _LEAVES.search(form.action)]
    return max(leading, key=lambda form: len(form.questions), default=None)


def _read_form(form: html.FormElement) -> Form:
    hidden, questions, buttons = [], {}, []
    for element in form.inputs:
        name, kind = element.name or "", _kind_of(element)
        if kind in {"submit", "image"}:
            buttons.append((name, element.get("value", "")))
        elif kind == "hidden" and name:
            hidden.append((name, element.get("value", "")))
        elif name and name not in questions and kind not in {"button", "reset", "file"}:
            questions[name] = _question(form, element, name, kind)
    buttons += [
        (button.get("name", ""), button.get("value", ""))
        for button in form.iter("button")
        if button.get("type", "submit") == "submit"
    ]
    return Form(form.get("action") or "", tuple(hidden), tuple(questions.values()), _press(buttons))


def _press(buttons: list[tuple[str, str]]) -> tuple[str, str] | None:
    """The button that leads on, where it sends anything of its own."""
    for name, value in buttons:
        if not _LEAVES.search(value):
            return (name, value) if name else None
    return None


def _kind_of(element: html.HtmlElement) -> str:
    if element.tag != "input":
        return str(element.tag)
    kind = element.get("type", "text").lower()
    known = {"radio", "checkbox", "hidden", "submit", "image", "button", "reset", "file", "number"}
    return kind if kind in known else "text"


def _question(form: html.FormElement, element: html.HtmlElement, name: str, kind: str) -> Question:
    if kind == "radio":
        group = [e for e in form.iter("input") if e.get("name") == name]
        options = tuple(Option(e.get("value", "on"), _label(e)) for e in group)
        return Question(name, kind, _legend(element), options)
    if kind == "select":
        offered = ((o.get("value", _words(o)), _words(o)) for o in element.iter("option"))
        options = tuple(Option(value, label) for value, label in offered if value)
        return Question(name, kind, _label(element), options)
    if kind == "checkbox":
        options = (Option(element.get("value", "on"), _label(element)),)
        is_required = element.get("required") is not None
        return Question(name, kind, _label(element), options, is_required=is_required)
    text = (element.text or "") if kind == "textarea" else element.get("value", "")
    bounds = element.get("min", ""), element.get("max", "")
    return Question(name, kind, _legend(element) or _label(element), (), text, *bounds)


def _legend(element: html.HtmlElement) -> str:
    for fieldset in element.iterancestors("fieldset"):
        return " ".join(_words(legend) for legend in fieldset.iter("legend"))
    return ""


def _label(element: html.HtmlElement) -> str:
    for parent in element.iterancestors("label"):
        return _words(parent)
    if element.get("id"):
        for label in element.getroottree().iterfind(f".//label[@for='{element.get('id')}']"):
            return _words(label)
    return str(element.get("aria-label", ""))


def _words(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def _text_of_first(root: html.HtmlElement, path: str) -> str:
    found: Iterator[html.HtmlElement] = iter(root.xpath(path))
    return next((_words(element) for element in found), "")


def _kind(form: Form | None, scene: str, code: str) -> str:
    if code:
        return "end"
    if form is None:
        return "other"
    if form.button and form.button[0] == "decision":
        return "consent"
    kinds = [question.kind for question in form.questions]
    if kinds and set(kinds) == {"textarea"}:
        return "comment"
    if scene:
        return "situation"
    is_rating = bool(kinds) and all(
        question.name.startswith(("item-", "item_")) for question in form.questions
    )
    return "ratings" if is_rating else "questions" if kinds else "other"


def _wait(root: html.HtmlElement, retry_after: str) -> float:
    """Seconds that the page wants to be read for: its header, its attribute, or its words."""
    if retry_after.isdecimal():
        return float(retry_after)
    for value in root.xpath("//@data-seconds"):
        return float(value) if str(value).replace(".", "", 1).isdecimal() else 0.0
    for alert in root.xpath("//*[@role='alert' or @role='status']"):
        found = _WAIT.search(_words(alert))
        if found:
            return float(found.group(1))
    return 0.0
