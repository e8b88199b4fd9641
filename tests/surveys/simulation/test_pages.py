"""Reading pages as somebody does who does not know the program."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.simulation.pages import Option, Question, read_page

EVERYTHING = """
<!doctype html><meta charset="utf-8"><main>
<form method="get" action="/leave/"><button>Withdraw</button></form>
<form method="post" action="/withdraw/"><input name="a"><input name="b"><button>Go</button></form>
<form method="post" action="/next/">
  <input type="hidden" name="token" value="t 1">
  <fieldset><legend>How are <b>you</b>?</legend>
    <label><input type="radio" name="item-x" value="1"> not at all</label>
    <label><input type="radio" name="item-x" value="2"> very</label></fieldset>
  <label for="c">Country</label>
  <select id="c" name="country"><option value="">Choose</option><option>Peru</option></select>
  <label>Year <input name="year" value="19"></label>
  <label>Age <input type="number" name="age" min="18" max="20"></label>
  <label><input type="checkbox" name="ok" value="yes" required> I agree</label>
  <label>Words <textarea name="words">old</textarea></label>
  <button name="decision" value="decline">No</button>
  <button name="decision" value="agree">Yes</button>
</form></main>
"""


def test_every_kind_of_field_is_read_with_its_words() -> None:
    form = read_page(EVERYTHING.encode()).form

    assert form is not None
    assert (form.action, form.hidden) == ("/next/", (("token", "t 1"),))
    assert form.button == ("decision", "agree")
    options = (Option("1", "not at all"), Option("2", "very"))
    assert form.questions == (
        Question("item-x", "radio", "How are you?", options),
        Question("country", "select", "Country", (Option("Peru", "Peru"),)),
        Question("year", "text", "Year", text="19"),
        Question("age", "number", "Age", low="18", high="20"),
        Question("ok", "checkbox", "I agree", (Option("yes", "I agree"),), is_required=True),
        Question("words", "textarea", "Words old", text="old"),
    )


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<form method=post><button name=decision value=agree>Yes</button></form>", "consent"),
        ("<p class='situation'>Rain.</p><form method=post><button>On</button></form>", "situation"),
        ("<form method=post><input type=radio name=item-a value=1></form>", "ratings"),
        ("<form method=post><input type=radio name=gender value=1></form>", "questions"),
        ("<p>Code <strong class='big code'>AB12</strong></p><form method=post></form>", "end"),
        ("<form method=post><textarea name=c></textarea></form>", "comment"),
        ("<h1>No such study</h1>", "other"),
        ("", "other"),
    ],
)
def test_pages_are_told_apart(html: str, kind: str) -> None:
    assert read_page(html.encode()).kind == kind


@pytest.mark.parametrize(
    ("html", "retry_after", "seconds"),
    [
        ("<p>Wait</p>", "7", 7),
        ("<p data-seconds='12'>Read on</p>", "", 12),
        ("<p role='alert'>You can continue in 3 seconds.</p>", "", 3),
        ("<p>It takes 3 seconds.</p>", "", 0),
    ],
)
def test_a_page_may_ask_to_wait(html: str, retry_after: str, seconds: float) -> None:
    assert read_page(html.encode(), retry_after).wait_s == seconds


@given(st.binary(max_size=200))
def test_no_answer_of_a_server_stops_the_reader(body: bytes) -> None:
    read_page(body)


@given(st.text("<>/formlabeinputd=\"' -!", max_size=80))
def test_no_broken_markup_stops_the_reader(markup: str) -> None:
    read_page(f"<form method=post>{markup}".encode())
