"""The pages for players and directors name labels, in italics, exactly as the product shows them."""

import re
from collections.abc import Iterator

import pytest

from clubs.help.markdown import parser
from deploy.checkout import ROOT
from deploy.wording import reading
from deploy.wording.texts import VARIABLE, Kind

PAGES = sorted(page for reader in ("players", "directors") for page in (ROOT / "docs" / reader).glob("*.md"))
LINKED = re.compile(r"<(?:a|b|strong)[^>]*>([^<]+)</")
SHOWN = frozenset({Kind.BUTTON, Kind.HEADING, Kind.TEXT})


class Shown:
    """Every text of the product: those without a variable by their words, the others as patterns."""

    def __init__(self) -> None:
        places = tuple(ROOT / name for name in ("clubs", "scoring", "tournaments", "templates"))
        whole = {text.words for text in reading.texts(places) if text.kind in SHOWN}
        linked = {part for words in whole for part in LINKED.findall(words)}
        filled = {words for words in whole | linked if VARIABLE.search(words)}
        self.plain = {words.casefold() for words in (whole | linked) - filled}
        self.filled = [
            re.compile("(.+)".join(map(re.escape, VARIABLE.split(words))), re.IGNORECASE) for words in filled
        ]

    def has(self, label: str) -> bool:
        """Whether a text of the product reads like this, at most half of it being filled in."""
        if label.casefold() in self.plain:
            return True
        matches = (pattern.fullmatch(label) for pattern in self.filled)
        return any(found and 2 * sum(map(len, found.groups())) <= len(label) for found in matches)


@pytest.fixture(scope="module")
def shown() -> Shown:
    return Shown()


def labels(text: str) -> Iterator[tuple[int, str]]:
    """The words in italics of a page, with the line on which their paragraph begins."""
    for token in parser().parse(text):
        words: list[str] | None = None
        for child in token.children or ():
            if child.type == "em_open":
                words = []
            elif child.type == "em_close" and words is not None:
                yield (token.map or (0, 0))[0] + 1, "".join(words)
                words = None
            elif words is not None:
                words.append(" " if child.type == "softbreak" else child.content)


def unknown(text: str, shown: Shown) -> list[tuple[int, str]]:
    """The labels that no text of the product is."""
    return [(line, label) for line, label in labels(text) if not shown.has(label)]


def test_every_label_of_the_pages_is_in_the_product(shown: Shown) -> None:
    wrong = {page.name: unknown(page.read_text(encoding="utf-8"), shown) for page in PAGES}
    assert {page: labels for page, labels in wrong.items() if labels} == {}


def test_a_label_that_the_product_does_not_have_is_found(shown: Shown) -> None:
    page = "Press *Undo*, then *Disqualify Ana Gil*.\n\n- *Undo it all*\n"
    assert unknown(page, shown) == [(3, "Undo it all")]


def test_a_label_is_read_as_it_is_shown() -> None:
    page = "# A page\n\nOpen *Name,\nstart or entries*. A **bold** word is none.\n"
    assert list(labels(page)) == [(3, "Name, start or entries")]
