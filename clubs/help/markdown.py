"""The Markdown of the docs: CommonMark, tables, definition lists, some of MyST.

Raw HTML is shown as text. Sphinx and the help pages read the same files; what only one of them could render
is refused by the check of the docs (``deploy.docs_check``).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin

DIRECTIVE = re.compile(r"\{(?P<name>[\w-]+)\}[ \t]*(?P<words>.*)")
ANCHORED = 4
"""Headings down to this level can be linked to."""
ADMONITIONS = frozenset({"note", "tip", "important", "warning"})


def parser() -> MarkdownIt:
    """A new parser for the docs' Markdown."""
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    made.use(deflist_plugin)
    made.use(colon_fence_plugin)
    made.use(anchors_plugin, max_level=ANCHORED)
    return made


def directive(token: Token) -> tuple[str, str]:
    """Name and argument of a directive fence, else ``("", "")``."""
    if token.type not in {"fence", "colon_fence"}:
        return "", ""
    found = DIRECTIVE.fullmatch(token.info.strip())
    return (found["name"], found["words"]) if found else ("", "")


@dataclass(frozen=True, slots=True)
class Contents:
    """The pages of a ``toctree``, in order; the text around a hidden one names them."""

    caption: str
    topics: tuple[str, ...]
    hidden: bool


def contents_of(token: Token) -> Contents:
    """Parse a ``toctree`` fence."""
    lines = [line.strip() for line in token.content.splitlines()]
    options = dict(line[1:].split(":", 1) for line in lines if line.startswith(":"))
    topics = tuple(line for line in lines if line and not line.startswith(":"))
    return Contents(options.get("caption", "").strip(), topics, "hidden" in options)


def headings(tokens: Sequence[Token]) -> Iterator[tuple[int, str, str]]:
    """Level, text and anchor of each heading; deep ones have no anchor."""
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            yield int(opening.tag[1]), plain(inline), str(opening.attrGet("id") or "")


def plain(inline: Token) -> str:
    """The text of a paragraph or heading, without markup."""
    return "".join(_said(child) for child in inline.children or ())


def _said(token: Token) -> str:
    if token.type in {"softbreak", "hardbreak"}:
        return " "
    return plain(token) if token.type == "image" else token.content
