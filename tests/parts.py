"""What a page of the server says in each of its parts (``data-part``)."""

from collections import defaultdict
from html.parser import HTMLParser

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"}


class _Parts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.words: dict[str, str] = defaultdict(str)
        self.attributes: dict[str, dict[str, str | None]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        part = dict(attrs).get("data-part") or ""
        if part:
            self.attributes[part] = dict(attrs)
        if tag not in VOID:
            self.open.append((tag, part))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        for _tag, part in self.open:
            if part:
                self.words[part] += data


def parts_of(page: str) -> dict[str, str]:
    """The words of each part that is shown, without white space: "" where it is empty or hidden."""
    parser = _Parts()
    parser.feed(page)
    return {
        part: "" if "hidden" in attributes else "".join(parser.words[part].split())
        for part, attributes in parser.attributes.items()
    }
