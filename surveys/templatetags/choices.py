"""The options of a question as HTML.

A page has up to a hundred radios, a list of countries 250 lines. As template nodes, or through
Django's own helpers, they cost a third of all that a page does; so they alone are written here, and
every word goes through the standard library's escape.
"""

from __future__ import annotations

from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

from surveys.forms import Choice, Field

register = template.Library()


@register.simple_tag
def radio_choices(field: Field) -> SafeString:
    """A labelled radio for each choice, with its number where that means something."""
    name = escape(field.name)
    return mark_safe("\n".join(_radio(name, choice) for choice in field.choices))


def _radio(name: str, choice: Choice) -> str:
    checked = " checked" if choice.is_chosen else ""
    number = f'<span class="number">{escape(choice.number)}</span> ' if choice.number else ""
    return (
        f'<label><input type="radio" name="{name}" id="{escape(choice.element_id)}"'
        f' value="{escape(choice.value)}"{checked}>'
        f'<span class="choice-text">{number}{escape(choice.label)}</span></label>'
    )


@register.simple_tag
def select_choices(field: Field) -> SafeString:
    """An option for each choice."""
    return mark_safe("\n".join(map(_option, field.choices)))


def _option(choice: Choice) -> str:
    selected = " selected" if choice.is_chosen else ""
    return f'<option value="{escape(choice.value)}"{selected}>{escape(choice.label)}</option>'
