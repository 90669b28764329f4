"""Finds readable text in templates that is not marked for translation.

Text belongs inside ``{% translate %}`` or ``{% blocktranslate %}``. Exempt are the product's name, elements
with ``translate="no"`` (people's names, codes), and what is no prose: code, kbd, samp, pre, script, style.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.template.base import Lexer, Token, TokenType
from django.utils.text import smart_split

from deploy.elements import ElementReader

READ_ATTRIBUTES = frozenset(
    {"title", "alt", "placeholder", "aria-label", "aria-description", "aria-roledescription"}
    | {"aria-valuetext", "label", "hx-confirm", "hx-prompt", "data-confirm"}
)
READ_ARGUMENTS = frozenset(
    {
        "title",
        "label",
        "text",
        "message",
        "heading",
        "placeholder",
        "alt",
        "hint",
        "caption",
        "empty",
        "action",
    }
)
EXEMPT_ELEMENTS = frozenset({"code", "kbd", "samp", "pre", "script", "style"})
PRODUCT = "Midpoint"
WORD = re.compile(r"[^\W\d_]{2,}")  # two letters in a row: single letters are signs such as × or A
ENTITY = re.compile(r"&#?\w+;")
# Stands for a template tag or a translated text; no letter, and no space, so that attributes stay whole.
HOLE = "\ue000"


@dataclass(frozen=True, slots=True, order=True)
class Unmarked:
    """A readable text outside every translation tag: file, line from 1, text."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text!r} is not marked for translation"


def unmarked_in(path: Path) -> list[Unmarked]:
    """All unmarked texts of a template, in order."""
    source = path.read_text()
    reader = _Reader(readable(source), html=path.suffix in {".html", ".svg"})
    found = [Unmarked(path, line, text) for line, text in reader.texts]
    return sorted({*found, *(Unmarked(path, line, text) for line, text in literal_arguments(source))})


def readable(source: str) -> str:
    """The template with tags and translated texts blanked, line by line."""
    parts: list[str] = []
    end: str | None = None
    for token in Lexer(source).tokenize():
        name = (
            token.contents.split(maxsplit=1)[0]
            if token.token_type == TokenType.BLOCK and token.contents
            else ""
        )
        if end is None and token.token_type == TokenType.TEXT:
            parts.append(token.contents)
            continue
        parts.append(HOLE + "\n" * _newlines(token, source))
        if end is None and name in {"blocktranslate", "blocktrans", "comment"}:
            end = f"end{name}"
        elif name == end:
            end = None
    # A tag whose name a template tag decides is still a tag.
    return re.sub(f"<(/?){HOLE}", r"<\1x-hole ", "".join(parts))


def _newlines(token: Token, source: str) -> int:
    """The line breaks inside a token, which the lexer may have stripped."""
    if token.token_type == TokenType.TEXT:
        return token.contents.count("\n")
    if token.position is None:
        return 0
    start, stop = token.position
    return source.count("\n", start, stop)


def literal_arguments(source: str) -> Iterator[tuple[int, str]]:
    """Literals passed to includes, e.g. ``label="Save"``: line and text."""
    for token in Lexer(source).tokenize():
        if token.token_type != TokenType.BLOCK or token.contents.startswith(("translate ", "blocktrans")):
            continue
        for word in smart_split(token.contents):
            name, equals, value = word.partition("=")
            if equals and name in READ_ARGUMENTS and value[:1] in {'"', "'"} and WORD.search(value):
                yield token.lineno or 1, value.strip("\"'")


class _Reader(ElementReader[bool]):
    """Collects readable texts and attributes, with their lines; exempt elements are True."""

    def __init__(self, text: str, *, html: bool) -> None:
        super().__init__(outermost=False)
        self.texts: list[tuple[int, str]] = []
        if html:
            self.feed(text)
            self.close()
        else:
            for number, line in enumerate(text.split("\n"), start=1):
                self._add(number, line)

    def opened(self, tag: str, values: dict[str, str | None]) -> bool:
        exempt = self.inside or tag in EXEMPT_ELEMENTS or values.get("translate") == "no"
        if not exempt:
            self._attributes(tag, values)
        return exempt

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self.inside:
            self._attributes(tag, dict(attrs))

    def handle_data(self, data: str) -> None:
        if self.inside:
            return
        first = self.getpos()[0]
        for offset, line in enumerate(data.split("\n")):
            self._add(first + offset, line)

    def _attributes(self, tag: str, values: dict[str, str | None]) -> None:
        read = set(READ_ATTRIBUTES)
        if tag == "input" and values.get("type") in {"submit", "button", "reset"}:
            read.add("value")
        if tag == "meta" and values.get("name") == "description":
            read.add("content")
        for name, value in values.items():
            if name in read and value:
                self._add(self.getpos()[0], value)

    def _add(self, line: int, text: str) -> None:
        shown = " ".join(ENTITY.sub(" ", text).replace(HOLE, " ").split())
        if WORD.search(shown.replace(PRODUCT, "")):
            self.texts.append((line, shown))
