"""Texts that researchers write in Markdown, as HTML that is safe to show."""

from __future__ import annotations

from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable("image")


@lru_cache(maxsize=64)
def render_markdown(text: str) -> SafeString:
    """HTML of a Markdown text. HTML in it is shown as text, and links of scripts are not links.

    The page brings the only heading of the first level, so those of the text become the second.
    """
    tokens = _MARKDOWN.parse(text)
    for token in tokens:
        if token.tag == "h1":
            token.tag = "h2"
    html: str = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return mark_safe(html)
