"""The pages of the docs by reader: addresses, titles, headings and order.

A page is reloaded when its file changes. The file of a topic in the folder of a reader is at
``/help/<reader>/<topic>/``; ``index`` introduces the folder, at ``/help/<reader>/``.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.help.markdown import Contents, contents_of, directive, headings, parser

DOCS = settings.BASE_DIR / "docs"
INDEX = "index"
READERS: dict[str, str | Promise] = {
    "players": _("Players"),
    "directors": _("Directors"),
    "operators": _("Operators"),
    "engineers": _("Engineers"),
    "reference": _("Reference"),
    "decisions": _("Decisions"),
}
"""The folders of the docs with pages and their headings, in display order."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page, with its anchor."""

    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page of the docs: ``reader`` is its folder, ``topic`` its file name."""

    reader: str
    topic: str
    title: str
    headings: tuple[Heading, ...]
    contents: tuple[Contents, ...]
    """Its tables of contents."""

    @property
    def path(self) -> Path:
        return DOCS / self.reader / f"{self.topic}.md"

    @property
    def url(self) -> str:
        return url_of(self.reader, self.topic)


@dataclass(frozen=True, slots=True)
class Shelf:
    """A reader's pages: the introduction, if any, and the others by group."""

    reader: str
    label: str | Promise
    index: HelpPage | None
    groups: tuple["Group", ...]

    @property
    def pages(self) -> tuple[HelpPage, ...]:
        return tuple(page for group in self.groups for page in group.pages)


@dataclass(frozen=True, slots=True)
class Group:
    """Pages under a caption, which can be empty."""

    caption: str
    pages: tuple[HelpPage, ...]


def url_of(reader: str, topic: str) -> str:
    """The URL of a page in the product."""
    if topic == INDEX:
        return reverse("clubs:help_reader", args=[reader])
    return reverse("clubs:help_page", args=[reader, topic])


def help_page(reader: str, topic: str) -> HelpPage | None:
    """A reader's page by name; None if there is no such file."""
    path = DOCS / reader / f"{topic}.md"
    version = version_of(path) if reader in READERS else None
    return _read(path, version) if version else None


def version_of(path: Path) -> tuple[int, int] | None:
    """Modification time (ns) and size of a file; None without one."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def shelf(reader: str) -> Shelf:
    """A reader's pages by the groups of their contents; unlisted ones last."""
    paths = sorted((DOCS / reader).glob("*.md"))
    found = {path.stem: page for path in paths if (page := help_page(reader, path.stem))}
    index = found.pop(INDEX, None)
    groups = [
        Group(each.caption, tuple(found.pop(topic) for topic in each.topics if topic in found))
        for each in (index.contents if index else ())
    ]
    groups.append(Group("", tuple(found.values())))
    return Shelf(reader, READERS[reader], index, tuple(group for group in groups if group.pages))


def shelves() -> list[Shelf]:
    """All readers with pages."""
    found = (shelf(reader) for reader in READERS)
    return [each for each in found if each.index or each.pages]


def search(words: str) -> list[tuple[HelpPage, Heading | None]]:
    """Pages whose title has all the words, then matching headings."""
    wanted = words.casefold().split()
    pages = [page for each in shelves() for page in each.pages]

    def has(text: str) -> bool:
        return all(word in text.casefold() for word in wanted)

    titles: list[tuple[HelpPage, Heading | None]] = [(page, None) for page in pages if has(page.title)]
    inside: list[tuple[HelpPage, Heading | None]] = [
        (page, heading) for page in pages for heading in page.headings if has(heading.text)
    ]
    return titles + inside if wanted else []


@lru_cache(maxsize=512)
def _read(path: Path, _version: tuple[int, int]) -> HelpPage:
    tokens = parser().parse(path.read_text(encoding="utf-8"))
    found = list(headings(tokens))
    title = next((text for level, text, _anchor in found if level == 1), path.stem)
    inside = tuple(Heading(text, anchor) for level, text, anchor in found if level > 1 and anchor)
    contents = tuple(contents_of(token) for token in tokens if directive(token)[0] == "toctree")
    return HelpPage(path.parent.name, path.stem, title, inside, contents)
