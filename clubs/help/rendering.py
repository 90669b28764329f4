"""Docs pages as HTML, with links and images resolved inside the product."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from clubs.help.markdown import ADMONITIONS, contents_of, directive, parser
from clubs.help.pages import DOCS, READERS, Group, HelpPage, shelf, url_of, version_of

TITLES = {
    "note": _("Note"),
    "tip": _("Tip"),
    "important": _("Important"),
    "warning": _("Warning"),
}
NEVER = (0, 0)


def rendered(page: HelpPage) -> SafeString:
    """The page without its title, which the template shows."""
    listed = shelf(page.reader).pages if page.contents else ()
    return _rendered(page, version_of(page.path) or NEVER, listed, get_language() or "")


@lru_cache(maxsize=256)
def _rendered(
    page: HelpPage, _version: tuple[int, int], listed: tuple[HelpPage, ...], _language: str
) -> SafeString:
    return _Writer(page, listed).html(page.path.read_text(encoding="utf-8"), titled=True)


class _Writer:
    """Renders one page; the content of a directive is Markdown again."""

    def __init__(self, page: HelpPage, listed: tuple[HelpPage, ...]) -> None:
        self.page, self.listed = page, listed
        self.parser: MarkdownIt = parser()

    def html(self, text: str, *, titled: bool = False) -> SafeString:
        """Render text; ``titled`` text starts with the page title, which is left out."""
        tokens = self.parser.parse(text)
        if titled and tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
            tokens = tokens[3:]
        pieces = []
        waiting: list[Token] = []
        for token in tokens:
            name, words = directive(token)
            if name in {"toctree", *ADMONITIONS}:
                pieces += [self._render(waiting), self._directed(token, name, words)]
                waiting = []
            else:
                waiting.append(token)
        return mark_safe("".join([*pieces, self._render(waiting)]))  # noqa: S308 - of escaped pieces

    def _directed(self, token: Token, name: str, words: str) -> str:
        if name == "toctree":
            contents = contents_of(token)
            if contents.hidden:
                return ""
            group = Group(contents.caption, tuple(p for p in self.listed if p.topic in contents.topics))
            return render_to_string("clubs/help/_group.html", {"group": group, "level": 2})
        return format_html(
            '<div class="admonition {}"><p class="title">{}</p>{}</div>',
            name,
            words or TITLES[name],
            self.html(token.content),
        )

    def _render(self, tokens: Sequence[Token]) -> str:
        for token in tokens:
            if token.type == "table_open":
                token.attrSet("class", "help-table")
            if token.children:
                token.children = self._led(token.children)
        text: str = self.parser.renderer.render(tokens, self.parser.options, {})
        # Wide tables and code scroll by themselves, also with the keyboard; the page does not.
        text = text.replace("<table", '<div class="scroll" tabindex="0"><table')
        return text.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')

    def _led(self, children: list[Token]) -> list[Token]:
        """The tokens with links and images resolved; other links become text."""
        kept: list[Token] = []
        leads: list[bool] = []
        for child in children:
            if child.type == "link_open":
                address = self._address(str(child.attrGet("href") or ""))
                leads.append(bool(address))
                child.attrSet("href", address)
                if not address:
                    continue
            elif child.type == "link_close":
                if not leads.pop():
                    continue
            elif child.type == "image":
                kept.append(self._picture(child))
                continue
            kept.append(child)
        return kept

    def _picture(self, image: Token) -> Token:
        path = (self.page.path.parent / str(image.attrGet("src") or "")).resolve()
        if not path.is_file() or not path.is_relative_to(DOCS / "images"):
            return Token("text", "", 0, content=image.content)
        image.attrSet("src", static(f"docs/{path.relative_to(DOCS / 'images').as_posix()}"))
        image.attrSet("loading", "lazy")
        return image

    def _address(self, href: str) -> str:
        """The URL of a link inside the product; "" without one."""
        parts = urlsplit(href)
        if parts.scheme in {"http", "https", "mailto"} or not parts.path:
            return href
        path = (self.page.path.parent / parts.path).resolve()
        anchor = f"#{parts.fragment}" if parts.fragment else ""
        found = _place(path)
        return f"{url_of(*found)}{anchor}" if found else ""


def _place(path: Path) -> tuple[str, str] | None:
    """Reader and topic of a docs file that has a page."""
    if path.suffix != ".md" or path.parent.parent != DOCS or path.parent.name not in READERS:
        return None
    return (path.parent.name, path.stem) if path.is_file() else None
