"""The pages for players and directors name labels, in italics, exactly as the product shows them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from clubs.help.markdown import parser
from deploy.checkout import ROOT
from deploy.wording import reading
from deploy.wording.texts import VARIABLE, Kind

PAGES = sorted(page for reader in ("players", "directors") for page in (ROOT / "docs" / reader).glob("*.md"))
LINKED = re.compile(r"<(?:a|b|strong)[^>]*>([^<]+)</")
SHOWN = frozenset({Kind.BUTTON, Kind.HEADING, Kind.TEXT})


@pytest.fixture(scope="module")
def texts() -> dict[str, list[re.Pattern[str]]]:
    """Every text of the product as a pattern, by its first letter; what a variable fills in matches all."""
    found: dict[str, list[re.Pattern[str]]] = {}
    places = tuple(ROOT / name for name in ("clubs", "scoring", "tournaments", "templates"))
    whole = {text.words for text in reading.texts(places) if text.kind in SHOWN}
    linked = {part for words in whole for part in LINKED.findall(words)}
    for words in whole | linked:
        pattern = "(.+)".join(re.escape(part) for part in VARIABLE.split(words))
        first = words[0].casefold() if words and not VARIABLE.match(words) else ""
        found.setdefault(first, []).append(re.compile(pattern, re.IGNORECASE))
    return found


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


def unknown(text: str, texts: dict[str, list[re.Pattern[str]]]) -> list[tuple[int, str]]:
    """The labels that no text of the product is."""
    return [(line, label) for line, label in labels(text) if not is_shown(label, texts)]


def is_shown(label: str, texts: dict[str, list[re.Pattern[str]]]) -> bool:
    """Whether a text of the product reads like this, at most half of it being filled in."""
    for pattern in texts.get(label[0].casefold(), []) + texts.get("", []):
        found = pattern.fullmatch(label)
        if found and 2 * sum(map(len, found.groups())) <= len(label):
            return True
    return False


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT / "docs")))
def test_every_label_of_a_page_is_in_the_product(path: Path, texts: dict[str, list[re.Pattern[str]]]) -> None:
    assert unknown(path.read_text(encoding="utf-8"), texts) == []


def test_a_label_that_the_product_does_not_have_is_found(texts: dict[str, list[re.Pattern[str]]]) -> None:
    page = "Press *Undo*, then *Disqualify Ana Gil*.\n\n- *Undo it all*\n"
    assert unknown(page, texts) == [(3, "Undo it all")]


def test_a_label_is_read_as_it_is_shown() -> None:
    page = "# A page\n\nOpen *Name,\nstart or entries*. A **bold** word is none.\n"
    assert list(labels(page)) == [(3, "Name, start or entries")]
