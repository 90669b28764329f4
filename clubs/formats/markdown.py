"""Texts that people type in Markdown, as HTML.

CommonMark by markdown-it. Raw HTML is shown as text, a picture is a link, and links lead to the web or to
email. So a text has only the elements that the parser writes.
"""

from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

LEADING = ("http://", "https://", "mailto:")
HIGHEST = 2
"""The level of the highest heading of a text: a page has its own title."""


@lru_cache(maxsize=256)
def markdown(text: str) -> SafeString:
    """A text in Markdown as HTML that is safe to show."""
    parser = _Parser("commonmark", {"html": False}).disable("image")
    tokens = parser.parse(text)
    headings = [token for token in tokens if token.type in {"heading_open", "heading_close"}]
    higher = min((int(token.tag[1]) for token in headings), default=1) - HIGHEST
    for token in headings:
        token.tag = f"h{min(6, int(token.tag[1]) - higher)}"
    for token in tokens:
        for child in token.children or ():
            _mark(child)
    html: str = parser.renderer.render(tokens, parser.options, {})
    return mark_safe(html)  # noqa: S308 - of escaped pieces


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - the parser's name
        return url.lower().startswith(LEADING)


def _mark(child: Token) -> None:
    if child.type == "link_open":
        child.attrSet("rel", "nofollow noopener ugc")
