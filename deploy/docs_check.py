"""Builds the docs as a site and checks them: Sphinx's warnings, and our rules.

A paragraph has at most 80 words and a list item at most two lines of 110 characters: readers who look for
one thing skip longer ones. The product shows raw HTML as text, and a link out of ``docs/`` leads nowhere on
a site.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote, urlsplit

from markdown_it.token import Token

from clubs.help.markdown import ADMONITIONS, DIRECTIVE, directive, headings, parser, plain
from deploy.checkout import ROOT

WORDS = 80
"""In a paragraph."""
CHARACTERS = 220
"""In a list item: two lines of 110, without the lists inside it."""
DOCS = ROOT / "docs"
RAW_HTML = re.compile(r"<(?:!--|/?[A-Za-z][\w-]*(?:\s[^<>]*)?/?>)")


def build(output: Path, *, docs: Path = DOCS) -> list[str]:
    """Build the site into ``output``; return Sphinx's warnings, each with its page."""
    with TemporaryDirectory() as doctrees:
        command = [sys.executable, "-m", "sphinx", "-b", "html", "-n", "-q", "-E", "-a", "-W", "--keep-going"]
        command += [
            "--color" if sys.stderr.isatty() else "--no-color",
            "-d",
            doctrees,
            str(docs),
            str(output),
        ]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return []
    lines = [line for line in (done.stdout + done.stderr).strip().splitlines() if line.strip()]
    return [line.replace(f"{docs.parent}/", "") for line in lines] or [f"sphinx ended with {done.returncode}"]


def problems() -> list[str]:
    """All problems of the docs and of the pages in the checkout's root."""
    found = [problem for path in pages(DOCS) for problem in problems_of(path)]
    found += [problem for path in sorted(ROOT.glob("*.md")) for problem in broken_links(path)]
    with TemporaryDirectory() as output:
        return found + build(Path(output))


def pages(docs: Path) -> list[Path]:
    return sorted(docs.rglob("*.md"))


def problems_of(path: Path, docs: Path = DOCS) -> list[str]:
    """Violations of our rules in a page, each with file and line."""
    where = path.relative_to(docs.parent)
    found = list(_problems(path.read_text(encoding="utf-8"), first=1))
    found += [(line, f"the link to {href} leads out of docs/") for line, href in _leading_out(path, docs)]
    return [f"{where}:{line}: {problem}" for line, problem in sorted(found)]


def _problems(text: str, *, first: int) -> Iterator[tuple[int, str]]:
    tokens = parser().parse(text)
    yield from _long(tokens, first=first)
    for token in tokens:
        line = first + (token.map or (0, 0))[0]
        name, _words = directive(token)
        if name in ADMONITIONS:
            yield from _problems(token.content, first=line + 1)
        elif name and name != "toctree":
            yield line, f"the product cannot show the directive {{{name}}}"
        if token.type == "inline":
            for child in token.children or ():
                if child.type == "text" and (html := RAW_HTML.search(child.content)):
                    yield line, f"raw HTML is shown as text: {html[0]}"
                if child.type == "text" and DIRECTIVE.search(child.content) and "`" in token.content:
                    yield line, f"the product cannot show the role in: {child.content.strip()[:60]}"


def _long(tokens: Sequence[Token], *, first: int) -> Iterator[tuple[int, str]]:
    items: list[tuple[int, int]] = []
    for token in tokens:
        line = first + (token.map or (0, 0))[0]
        if token.type == "list_item_open":
            items.append((line, 0))
        elif token.type == "list_item_close":
            begun, length = items.pop()
            if length > CHARACTERS:
                yield begun, f"the list item has {length} characters, more than two lines of 110: shorten it"
        elif token.type == "inline" and items:
            begun, length = items[-1]
            items[-1] = begun, length + len(plain(token))
        elif token.type == "inline" and (words := len(plain(token).split())) > WORDS:
            yield line, f"the paragraph has {words} words, more than {WORDS}: split it or make a table"


def _leading_out(path: Path, docs: Path) -> Iterator[tuple[int, str]]:
    for line, href in _links(path):
        target = _target(path, href)
        if target and not target.is_relative_to(docs):
            yield line, href


def broken_links(path: Path) -> list[str]:
    """Broken links of a page outside ``docs/``, which Sphinx does not read."""
    found = []
    for line, href in _links(path):
        target = _target(path, href) or (path if href.startswith("#") else None)
        if target is None:
            continue
        anchor = unquote(urlsplit(href).fragment)
        if not target.exists():
            found.append(f"{path.name}:{line}: {href} does not exist")
        elif anchor and target.suffix == ".md" and anchor not in _anchors(target):
            found.append(f"{path.name}:{line}: {href} names a heading that does not exist")
    return found


def _links(path: Path) -> Iterator[tuple[int, str]]:
    for token in parser().parse(path.read_text(encoding="utf-8")):
        for child in token.children or ():
            href = child.attrGet("href") if child.type == "link_open" else child.attrGet("src")
            if href:
                yield (token.map or (0, 0))[0] + 1, str(href)


def _target(path: Path, href: str) -> Path | None:
    """The file of a relative link; None for other links."""
    parts = urlsplit(href)
    return None if parts.scheme or not parts.path else (path.parent / unquote(parts.path)).resolve()


@cache
def _anchors(path: Path) -> frozenset[str]:
    return frozenset(
        anchor for _level, _text, anchor in headings(parser().parse(path.read_text(encoding="utf-8")))
    )
