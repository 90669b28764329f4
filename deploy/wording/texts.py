"""Lists every text that a reader of Midpoint meets, with its place and its kind.

Templates give the texts of ``{% translate %}`` and ``{% blocktranslate %}``; Python gives the arguments of
gettext functions, the messages of exceptions, the docstrings and the comments; Markdown gives its paragraphs.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from django.template.base import Lexer, TokenType
from django.utils.text import smart_split

from deploy.elements import ElementReader

GETTEXT = frozenset(
    {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext", "npgettext"}
)
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "legend", "summary", "th", "dt", "label", "title"})
BUTTONS = frozenset({"button"})
MARK = re.compile("\ue000(\\d+)\ue001")
VARIABLE = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\{.*?\}\}|\{[^{}]*\}")
TRIMMED = "trimmed"


class Kind(StrEnum):
    """What a text is to its reader."""

    BUTTON = "button"
    HEADING = "heading"
    TEXT = "text"
    MESSAGE = "message"
    DOCSTRING = "docstring"
    COMMENT = "comment"
    DOCS = "docs"


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """One text: file, line from 1, its kind, the words with white space folded."""

    path: Path
    line: int
    kind: Kind
    words: str
    untrimmed: bool = False

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"

    @property
    def bare(self) -> str:
        """The words with ``…`` for each variable."""
        return VARIABLE.sub("…", self.words)


def texts_in(path: Path, root: Path) -> list[Text]:
    """Every text of one file, in its order; the place is relative to the root."""
    source = path.read_text()
    name = path.relative_to(root)
    if path.suffix == ".py":
        return sorted(_of_python(name, source))
    if path.suffix == ".md":
        return list(_of_markdown(name, source))
    return sorted(_of_template(name, source))


def _folded(text: str) -> str:
    return " ".join(text.split())


# --- templates


def _of_template(name: Path, source: str) -> Iterator[Text]:
    marked, found = _marked(source)
    reader = _Reader()
    reader.feed(marked)
    reader.close()
    for number, (line, words, untrimmed) in enumerate(found):
        yield Text(name, line, reader.kinds.get(number, Kind.TEXT), _folded(words), untrimmed)


def _marked(source: str) -> tuple[str, list[tuple[int, str, bool]]]:
    """The template with a numbered mark for each translated text, and those: line, words, not trimmed."""
    parts: list[str] = []
    found: list[tuple[int, str, bool]] = []
    inside: list[str] | None = None
    began, trimmed = 0, False

    def mark(line: int, words: str, *, untrimmed: bool = False) -> None:
        parts.append(f"\ue000{len(found)}\ue001")
        found.append((line, words, untrimmed))

    for token in Lexer(source).tokenize():
        name = token.contents.split(maxsplit=1)[0] if token.contents.strip() else ""
        block = token.token_type == TokenType.BLOCK
        if block and name in {"blocktranslate", "blocktrans"}:
            inside, began, trimmed = [], token.lineno or 1, TRIMMED in token.contents.split()
        elif block and name in {"endblocktranslate", "endblocktrans"} and inside is not None:
            words = "".join(inside)
            mark(began, words, untrimmed=not trimmed and "\n" in words)
            inside = None
        elif inside is not None:
            if block and name == "plural":
                mark(began, "".join(inside), untrimmed=not trimmed and "\n" in "".join(inside))
                inside = []
            else:
                inside.append(
                    f"{{{{ {token.contents} }}}}" if token.token_type == TokenType.VAR else token.contents
                )
        elif block and name in {"translate", "trans"}:
            literal = list(smart_split(token.contents))[1]
            if literal[:1] in {'"', "'"} and " as " not in token.contents:
                mark(token.lineno or 1, literal[1:-1])
            elif literal[:1] in {'"', "'"}:
                found.append((token.lineno or 1, literal[1:-1], False))
        elif token.token_type == TokenType.TEXT:
            parts.append(token.contents)
    return "".join(parts), found


class _Reader(ElementReader[Kind]):
    """Finds in which element each marked text stands."""

    def __init__(self) -> None:
        super().__init__(Kind.TEXT)
        self.kinds: dict[int, Kind] = {}

    def opened(self, tag: str, values: dict[str, str | None]) -> Kind:
        classes = (values.get("class") or "").split()
        if tag in BUTTONS or (tag == "a" and ("button" in classes or values.get("role") == "button")):
            return Kind.BUTTON
        return Kind.HEADING if tag in HEADINGS else self.inside

    def handle_data(self, data: str) -> None:
        for number in MARK.findall(data):
            self.kinds[int(number)] = self.inside


# --- Python


def _of_python(name: Path, source: str) -> Iterator[Text]:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) in GETTEXT:
            for words in _literals(node.args):
                yield Text(name, node.lineno, Kind.TEXT, _folded(words))
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for words in _literals(node.exc.args):
                if " " in words.strip():
                    yield Text(name, node.lineno, Kind.MESSAGE, _folded(words))
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node)
            if docstring:
                line = node.body[0].lineno
                yield Text(name, line, Kind.DOCSTRING, _folded(docstring))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Text(name, token.start[0], Kind.COMMENT, _folded(token.string.lstrip("# ")))


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _literals(arguments: Iterable[ast.expr]) -> Iterator[str]:
    """Literal strings, f-strings with ``{}`` for what is filled in."""
    for argument in arguments:
        match argument:
            case ast.Constant(value=str(words)):
                yield words
            case ast.JoinedStr(values=parts):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)


# --- Markdown


def _of_markdown(name: Path, source: str) -> Iterator[Text]:
    """Each line that is prose: outside fenced code, without code spans and addresses of links."""
    fenced = False
    for number, line in enumerate(source.splitlines(), start=1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            words = re.sub(r"`[^`]*`|\]\([^)]*\)", " ", line)
            if words.strip():
                yield Text(name, number, Kind.DOCS, _folded(words))
