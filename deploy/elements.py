"""Reads HTML with a value for each open element, such as what the text inside it is."""

from html.parser import HTMLParser
from typing import Generic, TypeVar

WITHOUT_END = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)

Value = TypeVar("Value")


class ElementReader(HTMLParser, Generic[Value]):
    """A parser whose subclasses say with ``opened`` what an element means for what stands inside it."""

    def __init__(self, outermost: Value) -> None:
        super().__init__(convert_charrefs=False)
        self._outermost = outermost
        self._open: list[tuple[str, Value]] = []

    @property
    def inside(self) -> Value:
        """The value of the innermost open element."""
        return self._open[-1][1] if self._open else self._outermost

    def opened(self, tag: str, values: dict[str, str | None]) -> Value:
        """The value of an element with these attributes, found inside ``self.inside``."""
        raise NotImplementedError

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        value = self.opened(tag, dict(attrs))
        if tag not in WITHOUT_END:
            self._open.append((tag, value))

    def handle_endtag(self, tag: str) -> None:
        names = [name for name, _value in self._open]
        if tag in names:  # an end tag also ends what was left open inside it
            del self._open[len(names) - 1 - names[::-1].index(tag) :]
