"""A match in GNU Backgammon's `.sgf`, read through `.mat` text by our own parser, with what it says beside.

Source: the SGF FF[4] specification, and GNU Backgammon's files. Each game tree is a game: ``GM[6]``,
``MI[length:7][game:0][ws:0][bs:0]``, ``PW`` and ``PB`` (White is player 0, our left column), ``RU`` with
``Crawford``, ``CrawfordGame``, ``Jacoby``, ``NoCube`` or a variant, ``RE[W+2R]`` with R for a resignation.
Nodes have ``W`` or ``B``: two dice and pairs of points, or ``double``, ``take``, ``drop``. White counts
points from a (1) to x (24), Black the other way; y is the bar, z off. A beaver is a double that answers a
double. ``PL`` and ``DI`` are a roll that was not played.

A game in which the position or the cube was set by hand (``AE``, ``AW``, ``AB``, ``CV``, ``CP``) is kept by
its result alone, as one with plays that cannot be read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from scoring.notation.annotations import LONGEST_FACT, Annotations, named_facts, plain
from scoring.notation.mat import read_mat
from scoring.notation.mat_results import HIGHEST_CUBE
from scoring.notation.mat_text import decoded
from scoring.notation.record import MatchRecord, RecordFlag
from scoring.notation.sgf import Node, read_sgf, text_of
from scoring.notation.sgf_analysis import sgf_annotations, slot
from scoring.rules.errors import InvalidNotation
from scoring.rules.sides import Side

_BACKGAMMON = "6"
_INFO = re.compile(r"\s*(length|game|ws|bs)\s*:\s*(\d{1,6})\s*")
_RESULT = re.compile(r"\s*([BW])\+(\d{1,5})\s*(R?)", re.IGNORECASE)
_DICE = re.compile(r"[1-6][1-6]")
_VARIANTS = ("nackgammon", "hypergammon")
_SET_BY_HAND = ("AE", "AW", "AB", "CV", "CP")
_UNREADABLE = "set:"
"""A cell that our parser does not read: from there on only the game's result is kept."""
_RIGHT_COLUMN = 40
_CELL = re.compile(r"\s*\d+\)")
_CUBE_WORDS = {"take": "Takes", "drop": "Drops"}
_FACTS = (("Event", "EV"), ("Site", "PC"), ("Round", "RO"), ("Annotator", "AN"))


class TextRow(NamedTuple):
    """A line of the text: its own, and the node that it tells (None for headings and results)."""

    text: str
    line: int
    game: int
    node: Node | None


@dataclass(frozen=True, slots=True)
class _Head:
    """What the root of a game says."""

    length: int
    score: tuple[int, int]
    players: tuple[str, str]
    rules: tuple[str, ...]


def read_sgf_match(data: bytes) -> tuple[MatchRecord, Annotations]:
    """The match in an `.sgf` file, and what the file says of it.

    Lines are the file's own. Raises InvalidNotation with the line for what is no match of backgammon.
    """
    text, flags = decoded(data)
    collection = read_sgf(text)
    if not collection.games:
        raise InvalidNotation("no_game", "line {line}: the file has no games", line=1)
    if collection.cut_off is not None:
        flags.append(RecordFlag(collection.cut_off, "cut_off"))
    heads = [_head(nodes[0]) for nodes in collection.games]
    count = _of_one_match(heads)
    if count < len(heads):
        flags.append(RecordFlag(collection.games[count][0].line, "more_matches"))
    games = collection.games[:count]
    above = _above(heads[0], games[0][0])
    rows = [row for n, nodes in enumerate(games, 1) for row in _game(nodes, n, heads[n - 1])]
    if len(rows) == 2 * count:  # nothing but headings
        raise InvalidNotation("no_game", "line {line}: no plays and no results are recorded", line=1)
    _refuse_positions_alone(rows)
    record = _read(above, rows, heads[0], flags, _tags(games[0][0]))
    lines = [row.node for row in rows]
    told = [lines[line - len(above) - 1] if line > len(above) else None for line in record.lines]
    annotations = sgf_annotations(record, told, [nodes[0] for nodes in games])
    annotations = replace(annotations, facts=_facts(games[0][0]))
    of_file = tuple(
        rows[line - len(above) - 1].line if line > len(above) else games[0][0].line for line in record.lines
    )
    return replace(record, lines=of_file), annotations


def _refuse_positions_alone(rows: Sequence[TextRow]) -> None:
    """Refuse games of which nothing is told but positions that were set up."""
    cells = [row for row in rows if row.game and _CELL.match(row.text)]
    if all(_UNREADABLE in row.text for row in cells):
        raise InvalidNotation(
            "set_up",
            "line {line}: the position was set up by hand, and the game has no result. Play it to its end, "
            "or record its result, and save the file again.",
            line=cells[0].line,
        )


def _read(
    above: Sequence[str],
    rows: Sequence[TextRow],
    head: _Head,
    flags: Sequence[RecordFlag],
    tags: tuple[tuple[str, str], ...],
) -> MatchRecord:
    """The record of the text with the file's names, tags, flags and errors; its lines are the text's."""

    def line_of(line: int | None) -> int:
        at = (line or 0) - len(above) - 1
        return rows[at].line if 0 <= at < len(rows) else 1

    content = "\n".join([*above, *(row.text for row in rows)]) + "\n"
    try:
        record = read_mat(content.encode())
    except InvalidNotation as error:
        raise InvalidNotation(
            error.code,
            "line {line}: {reason}",
            line=line_of(error.line),
            reason=re.sub(r"^line \d+: ", "", str(error)),
        ) from error
    own = (replace(flag, line=line_of(flag.line), turn=0) for flag in record.flags)
    return replace(record, players=head.players, tags=tags, flags=(*flags, *own))


def _head(root: Node) -> _Head:
    kind = root.first("GM")
    if kind is not None and kind.strip() != _BACKGAMMON:
        raise InvalidNotation(
            "variant", "line {line}: GM[{kind}] is not backgammon", line=root.line, kind=kind.strip()[:20]
        )
    rules = tuple(rule.strip().lower() for rule in (root.first("RU") or "").split(":"))
    for rule in rules:
        if rule.startswith(_VARIANTS):
            raise InvalidNotation(
                "variant",
                "line {line}: {rule} is not backgammon",
                line=root.line,
                rule=rule[:40],
            )
    info = {}
    for value in root.properties.get("MI", ()):
        if found := _INFO.fullmatch(text_of(value)):
            info[found[1]] = int(found[2])
    names = (plain(root.first(name) or "", LONGEST_FACT).replace("\n", " ") for name in ("PW", "PB"))
    white, black = names
    return _Head(info.get("length", 0), (info.get("ws", 0), info.get("bs", 0)), (white, black), rules)


def _of_one_match(heads: Sequence[_Head]) -> int:
    """How many games from the first on have its players and length."""
    told = [(head.length, head.players) for head in heads]
    return next((n for n, each in enumerate(told) if each != told[0]), len(told))


def _above(head: _Head, root: Node) -> list[str]:
    """The text's head: the rules as far as the file tells them, and the length."""
    if head.length:
        rules = [("Crawford", "On")] if "crawford" in head.rules else []
    else:
        rules = [("Jacoby", "On" if "jacoby" in head.rules else "Off")] if "RU" in root.properties else []
    return [*(f'; [{key} "{value}"]' for key, value in rules), f" {head.length} point match"]


def _tags(root: Node) -> tuple[tuple[str, str], ...]:
    """The file's own header in the words of `.mat`."""
    day = named_facts([("EventDate", root.first("DT") or "")])
    return (*_facts(root), *day)


def _facts(root: Node) -> tuple[tuple[str, str], ...]:
    return named_facts((name, root.first(key) or "") for name, key in _FACTS)


def _game(nodes: Sequence[Node], number: int, head: _Head) -> Iterator[TextRow]:
    """The rows of one game."""
    root = nodes[0]
    white, black = head.score
    yield TextRow(f" Game {number}", root.line, number, None)
    yield TextRow(f" White : {white}          Black : {black}", root.line, number, None)
    if "CV" in root.properties:
        yield TextRow(_cell(1, Side.WHITE, _UNREADABLE), root.line, number, None)
    rows = _Rows(number)
    for node in nodes[1:]:
        yield from rows.told_by(node)
    yield from rows.end(root)


class _Rows:
    """Turns one game's nodes into rows, following whose turn it is and the cube."""

    def __init__(self, game: int) -> None:
        self.game = game
        self.number, self.cube = 0, 1
        self.turn = Side.WHITE
        self.offered: Side | None = None
        self.is_beaver = False
        self.waiting: tuple[Side, str, Node] | None = None
        self.is_lost = False

    def told_by(self, node: Node) -> Iterator[TextRow]:
        if self.is_lost:
            return
        if any(name in node.properties for name in _SET_BY_HAND):
            yield self._row(self.turn, f"{_UNREADABLE} by hand", node)
            return
        if "PL" in node.properties:
            self.turn = Side.BLACK if (node.first("PL") or "").startswith("B") else Side.WHITE
        for name, side in (("W", Side.WHITE), ("B", Side.BLACK)):
            if name in node.properties:
                self.waiting = None
                yield from self._moved(side, (node.first(name) or "").strip(), node)
                return
        dice = (node.first("DI") or "").strip()
        if _DICE.fullmatch(dice):
            self.waiting = (self.turn, dice, node)

    def end(self, root: Node) -> Iterator[TextRow]:
        """The result, and before it the roll on which somebody resigned."""
        result = _RESULT.match(root.first("RE") or "")
        if result is None:
            return
        winner = Side.WHITE if result[1].upper() == "W" else Side.BLACK
        if self.waiting is not None and result[3]:
            side, dice, node = self.waiting
            yield self._row(side, f"{dice}: ????", node)
        elif result[3]:
            yield self._row(winner.other, " Resigns", None, root.line)
        points = int(result[2])
        if points:
            yield self._row(winner, f" Wins {points} point{'s' if points > 1 else ''}", None, root.line)

    def _moved(self, side: Side, told: str, node: Node) -> Iterator[TextRow]:
        if told == "double":
            yield from self._double(side, node)
        elif told in _CUBE_WORDS:
            self.offered, self.is_beaver = None, False
            yield self._row(side, f" {_CUBE_WORDS[told]}", node)
        else:
            self.turn, self.offered, self.is_beaver = side.other, None, False
            yield self._row(side, _roll(side, told), node)

    def _double(self, side: Side, node: Node) -> Iterator[TextRow]:
        self.cube *= 2
        if self.cube > HIGHEST_CUBE:
            self.is_lost = True
            yield self._row(side, f"{_UNREADABLE} cube", node)
        elif self.offered is side.other:
            yield self._row(side, " Raccoons" if self.is_beaver else " Beavers", node)
            self.is_beaver = True
        else:
            yield self._row(side, f" Doubles => {self.cube}", node)
        self.offered = side

    def _row(self, side: Side, cell: str, node: Node | None, line: int = 1) -> TextRow:
        self.number += 1
        return TextRow(_cell(self.number, side, cell), node.line if node else line, self.game, node)


def _cell(number: int, side: Side, cell: str) -> str:
    row = f"{number:3d}) "
    return row + cell if side is Side.WHITE else row.ljust(_RIGHT_COLUMN) + cell


def _roll(side: Side, told: str) -> str:
    """Dice and moves; what cannot be read stays as it is, for the parser to put right or to flag."""
    dice, letters = told[:2], told[2:20]
    if not _DICE.fullmatch(dice):
        return f"{_UNREADABLE} {re.sub('[^A-Za-z0-9]', '?', told[:20])}"
    pairs = [letters[at : at + 2] for at in range(0, len(letters), 2)]
    slots = [tuple(slot(side, letter) for letter in pair) for pair in pairs]
    if any(len(pair) < 2 or None in pair for pair in slots):
        return f"{dice}: {re.sub('[^a-z]', '?', letters)}"
    return f"{dice}: " + " ".join(f"{source}/{target}" for source, target in slots)
