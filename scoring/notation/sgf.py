"""Smart Game Format (FF 4) as games, nodes and properties: only what stands in the main line.

Source: the SGF FF[4] specification (red-bean.com/sgf): `(` and `)` hold a game tree, `;` begins a node, a
property is an identifier with values in brackets, a backslash takes the next character as it is. Of
variations the first is read, as GNU Backgammon does. Nothing here recurses, however deep a file nests.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from scoring.rules.errors import InvalidNotation

MOST_NODES, MOST_TOKENS = 200_000, 2_000_000
"""Of a file: an analysed match of 25 points has some 1,500 nodes and 50,000 tokens."""
_TOKEN = re.compile(r"(?P<mark>[();])|(?P<name>[A-Za-z]{1,64})|\[(?P<value>(?:[^\]\\]|\\.)*+)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_SOMETHING = re.compile(r"\S")


@dataclass(frozen=True, slots=True)
class Node:
    """One node: its line in the file, from 1, and its properties with their values, as they were written."""

    line: int
    properties: Mapping[str, tuple[str, ...]]

    def first(self, name: str) -> str | None:
        """The first value of a property, as text; None where the node does not have it."""
        values = self.properties.get(name)
        return None if values is None else text_of(values[0])


@dataclass(frozen=True, slots=True)
class Collection:
    """All games of a file, each the nodes of its main line; ``cut_off`` is the line where it breaks off."""

    games: tuple[tuple[Node, ...], ...]
    cut_off: int | None


def text_of(value: str) -> str:
    r"""A value without its escapes.

    >>> text_of("a\\]b\\\\c")
    'a]b\\c'
    """
    return _ESCAPED.sub(lambda match: "" if match[1].strip("\r\n") == "" else match[1], value)


def read_sgf(text: str) -> Collection:
    """The games of a file.

    A file that breaks off is read up to there. Raises InvalidNotation with the line for what is no SGF.
    """
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at, self.line = text, 0, 1
        self.games: list[list[Node]] = []
        self.node: dict[str, list[str]] | None = None
        self.node_line = 1
        self.depth = self.nodes = self.tokens = 0
        self.varies = False
        """Whether the main line of this game is over: what follows are other variations."""

    def read(self) -> Collection:
        name = ""
        while True:
            something = _SOMETHING.search(self.text, self.at)
            if something is None:
                break
            self._to(something.start())
            self._count()
            token = _TOKEN.match(self.text, self.at)
            if token is None:
                if not self.games:
                    raise InvalidNotation(
                        "sgf",
                        "line {line}: unexpected {found!r}",
                        line=self.line,
                        found=self.text[self.at : self.at + 20],
                    )
                return self._whole(cut_off=self.line)
            if token["mark"]:
                self._mark(token["mark"])
                name = ""
            elif token["name"]:
                name = "".join(c for c in token["name"] if c.isupper())
            elif name and self.node is not None:
                self.node.setdefault(name, []).append(token["value"])
            self._to(token.end())
        return self._whole(cut_off=self.line if self.depth else None)

    def _to(self, at: int) -> None:
        self.line += self.text.count("\n", self.at, at)
        self.at = at

    def _mark(self, mark: str) -> None:
        self._close()
        if mark == "(":
            if self.depth == 0:
                self.games.append([])
                self.varies = False
            self.depth += 1
        elif mark == ")":
            self.depth = max(0, self.depth - 1)
            self.varies = True
        elif self.depth and not self.varies:
            self.nodes += 1
            self.node, self.node_line = {}, self.line

    def _count(self) -> None:
        self.tokens += 1
        if self.nodes > MOST_NODES or self.tokens > MOST_TOKENS:
            raise InvalidNotation(
                "too_large",
                "line {line}: more than {nodes} nodes or {tokens} values",
                line=self.line,
                nodes=MOST_NODES,
                tokens=MOST_TOKENS,
            )

    def _close(self) -> None:
        if self.node is not None:
            properties = {name: tuple(values) for name, values in self.node.items()}
            self.games[-1].append(Node(self.node_line, properties))
            self.node = None

    def _whole(self, *, cut_off: int | None) -> Collection:
        self._close()
        return Collection(tuple(tuple(nodes) for nodes in self.games if nodes), cut_off)
