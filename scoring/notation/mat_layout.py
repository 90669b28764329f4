"""The lines of a ``.mat`` file sorted into its head, its games and their cells; nothing is played here.

What programs write differently ends here: line ends, encodings, column widths, tabs, numbers with a dot, dice
with a dash, and the words for an action.  What had to be put right is flagged.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from scoring.notation.mat_text import decoded
from scoring.notation.record import RecordFlag
from scoring.notation.remarks import NOT_PLAYED, Remark, read_remark
from scoring.rules.errors import InvalidNotation
from scoring.rules.events import MatchStarted
from scoring.rules.sides import Side

_TAG = re.compile(r'(?:;\s*)?\[(?P<key>[^"\]]+?)\s*"(?P<value>[^"]*)"\]')
_LENGTH = re.compile(
    r"\s*(?:(?P<points>\d+)[\s-]*(?:point|pt)s?[\s-]+match\b|match\s+(?:to|length)\s*:?\s*(?P<to>\d+)\b).*",
    re.IGNORECASE,
)
_MONEY = re.compile(r"\s*(?:unlimited|money)(?:\s+(?:match|session|game|play))?\s*", re.IGNORECASE)
_GAME = re.compile(r"\s*Game\s*(?P<number>\d+)\s*[.:]?\s*(?:\(.*\)\s*)?", re.IGNORECASE)
_PLAYERS = re.compile(
    r"\s*(?P<white>\S.*?)? ?: ?(?P<white_points>\d+)\s+(?P<black>\S.*?)?\s*:\s*(?P<black_points>\d+)\s*"
)
_ONE_PLAYER = re.compile(r"\s*(?P<name>[^\s:]+(?: [^\s:]+)*)\s*:\s*(?P<points>\d+)\s*")
_ROW = re.compile(r"\s*(?P<turn>\d+)\s*[).]\s?")
_INNER_ROW = re.compile(r"(?<=\s)(?P<turn>\d{1,3})\)(?=\s|$)")
_CELL = re.compile(
    r"(?P<dice>[1-6]-?[1-6])\s?:|(?<!\S)(?P<damaged>[^\s:]{1,3}):(?=\s|$)"
    r"|(?<!\S)(?:(?P<double>(?:re)?doubles?)|(?P<take>takes?|accepts?)|(?P<pass>drops?|pass(?:es)?|rejects?|refuses?|declines?)"
    r"|(?P<beaver>beavers?)|(?P<raccoon>raccoons?)|(?P<resign>resigns?)"
    r"|(?P<wins>wins?)|(?P<loses>loss(?:es)?|loses?))\b",
    re.IGNORECASE,
)
_STEPS = r"[0-9a-z]+\*?(?:/[0-9a-z]+\*?)+(?:\([1-4]\))?"
_MOVES_ALONE = re.compile(rf"\s*{_STEPS}(?:\s+{_STEPS})*\s*", re.IGNORECASE)
_REST_OF_RESULT = re.compile(r"\s*(?:points?\s*)?(?:and\s+)?(?:the\s+)?match\s*", re.IGNORECASE)
RIGHT_COLUMN = 20
"""A cell alone in its row that starts here or later stands in the right column (33 or 40)."""
LONGEST_LINE = 1000
_MOST_CELLS = 2
_WIDE_GAP = 3


class Kind(StrEnum):
    """What a cell says."""

    ROLL = "dice"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"  # noqa: S105 - of a double
    BEAVER = "beaver"
    RACCOON = "raccoon"
    RESIGN = "resign"
    WINS = "wins"
    LOSES = "loses"


class Cell(NamedTuple):
    """One player's action as written; ``turn`` is the number of its row, 0 without one.

    ``side`` is None where the columns do not say whose it is.
    """

    line: int
    turn: int
    side: Side | None
    kind: Kind
    text: str


@dataclass(slots=True)
class Section:
    """One game as written: the points in its heading, its cells and remarks in the order of play."""

    line: int
    number: int = 0
    points: tuple[int, int] | None = None
    cells: list[Cell | Remark] = field(default_factory=list)


@dataclass(slots=True)
class MatFile:
    """A file as written.  A player's name is empty where the file has none."""

    length: int = 0
    length_line: int = 0
    players: tuple[str, str] = ("", "")
    tags: list[tuple[str, str]] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    flags: list[RecordFlag] = field(default_factory=list)
    start: MatchStarted | None = None
    not_played: int | None = None
    """The line that says that the last roll waits for its play."""


def read_layout(data: bytes) -> MatFile:
    """The file's parts.

    Raises :class:`InvalidNotation` with the line where no length, no players or no game can be told.
    """
    text, flags = decoded(data)
    rows = []
    for number, line in enumerate(re.split(r"\r*\n|\r", text), start=1):
        if len(line) > LONGEST_LINE and not line.startswith("; Midpoint"):
            flags.append(RecordFlag(number, "line_skipped", line.strip()[:60]))
            line = ""  # noqa: PLW2901 - nothing that a program writes
        rows.append(line.expandtabs())
    return _Layout(MatFile(flags=flags), rows).read()


def number_in(digits: str, line: int) -> int:
    """A number that the file may hold; raises :class:`InvalidNotation` for one of more than five digits."""
    if len(digits) > 5:
        raise InvalidNotation(
            "number", "line {line}: {digits} is too large a number", line=line, digits=digits[:20]
        )
    return int(digits)


def misplaced(told: Remark) -> InvalidNotation:
    """The refusal of a remark of ours where it cannot stand."""
    return InvalidNotation(
        "remark",
        "line {line}: a remark of the kind {kind!r} cannot stand here",
        line=told.line,
        kind=told.event.kind,
    )


def length_in(line: str, number: int) -> int | None:
    """The length that a line states, 0 for a money session; None if it states none."""
    found = _LENGTH.fullmatch(line)
    if found is not None:
        return number_in(found["points"] or found["to"], number)
    return 0 if _MONEY.fullmatch(line) else None


class _Layout:
    def __init__(self, file: MatFile, rows: list[str]) -> None:
        self.file = file
        self.rows = rows
        self.lines = iter(list(enumerate(rows, start=1)))
        gaps = [gap for row in rows for gap in _gaps(row)]
        self.is_narrow = bool(gaps) and max(gaps) < _WIDE_GAP
        """Whether every run of spaces was folded to one, so that the columns say nothing."""
        self.swapped = False
        """Whether the columns of the game that is read have changed their players."""

    def read(self) -> MatFile:
        self._head()
        for number, line in self.lines:
            if not self._body_line(line, number):
                break
        if not self.file.sections:
            raise InvalidNotation(
                "no_game", "line {line}: the file ends before the first game", line=len(self.rows)
            )
        for section in self.file.sections:
            if self.is_narrow:
                section.cells = _unfolded(section.cells)
        return self.file

    def _head(self) -> None:
        unknown: tuple[int, str] | None = None
        for number, line in self.lines:
            tag = _TAG.fullmatch(line.strip())
            length = length_in(line, number)
            told = read_remark(line, number)
            if told is not None:
                if not isinstance(told.event, MatchStarted):
                    raise misplaced(told)
                self.file.start = told.event
            elif tag:
                self.file.tags.append((tag["key"].strip(), tag["value"]))
            elif length is not None:
                self.file.length, self.file.length_line = length, number
                return
            elif _GAME.fullmatch(line) or _ROW.match(line):
                unknown = unknown or (number, line)
                break
            elif line.strip() and not line.lstrip().startswith(";"):
                unknown = unknown or (number, line)
        if unknown is None:
            raise InvalidNotation(
                "no_length",
                "line {line}: the file ends before the length of the match",
                line=len(self.rows),
            )
        raise InvalidNotation(
            "no_length",
            "line {line}: {text!r} is not the length of a match; a line such as ' 7 point match' must come "
            "before the first game",
            line=unknown[0],
            text=unknown[1].strip()[:60],
        )

    def _body_line(self, line: str, number: int) -> bool:
        """Read one line after the head; False at the beginning of another match."""
        if line.strip() == NOT_PLAYED:
            self.file.not_played = number
        elif not line.strip() or line.lstrip().startswith(";"):
            self._comment(line, number)
        elif self.file.sections and length_in(line, number) is not None:
            return self._another_match(number)
        elif game := _GAME.fullmatch(line):
            return self._heading(number, number_in(game["number"], number))
        elif self.file.sections:
            return self._row(line, number)
        elif _PLAYERS.fullmatch(line):
            return self._players(line, number, 0)
        elif _ROW.match(line):
            raise InvalidNotation(
                "no_game",
                "line {line}: {text!r} stands before the first game",
                line=number,
                text=line.strip()[:60],
            )
        else:
            self._skip(line, number)
        return True

    def _comment(self, line: str, number: int) -> None:
        told = read_remark(line, number)
        if told is None:
            return
        if not self.file.sections:
            raise misplaced(told)
        self.file.sections[-1].cells.append(told)

    def _another_match(self, number: int) -> bool:
        self.file.flags.append(RecordFlag(number, "more_matches"))
        return False

    def _skip(self, line: str, number: int) -> None:
        self.file.flags.append(
            RecordFlag(number, "line_skipped", line.strip()[:60], game=len(self.file.sections))
        )

    def _heading(self, heading: int, game: int) -> bool:
        number, line = next(((n, row) for n, row in self.lines if row.strip()), (heading, ""))
        return self._players(line, number, game)

    def _players(self, line: str, number: int, game: int) -> bool:
        """Begin a game; False if it is the first of another match."""
        found = _PLAYERS.fullmatch(line)
        names, points = ("", ""), None
        if found is not None:
            names = (found["white"] or "").strip(), (found["black"] or "").strip()
            points = number_in(found["white_points"], number), number_in(found["black_points"], number)
        elif one := _ONE_PLAYER.fullmatch(line):
            left = one.start("name") < RIGHT_COLUMN
            names = (one["name"], "") if left else ("", one["name"])
        if not any(names):
            raise InvalidNotation(
                "players",
                "line {line}: {text!r} does not name two players and their points",
                line=number,
                text=line.strip()[:60],
            )
        if not self.file.sections:
            self.file.players = self._named(names, number)
        elif self._is_another_match(names, points, game):
            return self._another_match(number)
        else:
            names = self._same_players(names, number)
        self.file.sections.append(Section(number, game, points[::-1] if points and self.swapped else points))
        return True

    def _named(self, names: tuple[str, str], number: int) -> tuple[str, str]:
        """The names of the columns; the head's where a column has none."""
        if all(names):
            return names
        tags = dict(self.file.tags)
        known = names[0] or names[1]
        head = [tags.get(key, "").strip() for key in ("Player 1", "Player 2", "White", "Black")]
        other = next((name for name in head if name and name.casefold() != known.casefold()), "")
        self.file.flags.append(RecordFlag(number, "name_in_header" if other else "no_name", other))
        return (known, other) if names[0] else (other, known)

    def _is_another_match(self, names: tuple[str, str], points: tuple[int, int] | None, game: int) -> bool:
        last = self.file.sections[-1]
        restarted = game == 1 and points == (0, 0) and last.number > 1
        known = {name.casefold() for name in self.file.players if name}
        strange = all(names) and not known & {name.casefold() for name in names}
        return restarted or (strange and points == (0, 0))

    def _same_players(self, names: tuple[str, str], number: int) -> tuple[str, str]:
        players = self.file.players
        self.swapped = names == players[::-1] and names != players
        if self.swapped:
            self.file.flags.append(RecordFlag(number, "columns_swapped", game=len(self.file.sections) + 1))
        elif any(name and name != player for name, player in zip(names, players, strict=True)):
            self.file.flags.append(
                RecordFlag(number, "players_changed", " – ".join(names), game=len(self.file.sections) + 1)
            )
        return players

    def _row(self, line: str, number: int) -> bool:
        if self._is_continued(line):
            return True
        row = _ROW.match(line)
        if row is None and self._names_the_players(line):
            return self._players(line, number, 0)
        cells = list(self._cells(line, number))
        section = self.file.sections[-1]
        if row is not None and _starts_again(section, cells):
            section = Section(number)
            self.file.sections.append(section)
            self.file.flags.append(RecordFlag(number, "no_heading", game=len(self.file.sections)))
        section.cells += [self._sided(cell) for cell in cells]
        if not cells and (row is None or line[row.end() :].strip()):
            self._skip(line, number)
        return True

    def _names_the_players(self, line: str) -> bool:
        """Whether the line is a heading that lacks its number."""
        found = _PLAYERS.fullmatch(line)
        return found is not None and bool({found["white"], found["black"]} & set(self.file.players))

    def _is_continued(self, line: str) -> bool:
        """Whether the line is the rest of the last cell, which a narrow page has broken in two."""
        cells = self.file.sections[-1].cells
        last = cells[-1] if cells else None
        if not isinstance(last, Cell):
            return False
        wanted = {Kind.ROLL: _MOVES_ALONE, Kind.WINS: _REST_OF_RESULT}.get(last.kind)
        if wanted is None or not wanted.fullmatch(line):
            return False
        cells[-1] = last._replace(text=f"{last.text} {line.strip()}")
        return True

    def _sided(self, cell: Cell) -> Cell:
        return cell._replace(side=cell.side.other) if self.swapped and cell.side else cell

    def _cells(self, line: str, number: int) -> Iterator[Cell]:
        """The cells of a line, left one first; rows that were run together are taken apart."""
        row = _ROW.match(line)
        begin, left_edge = row.end() if row else 0, 0
        turn = number_in(row["turn"], number) if row else 0
        for inner in [*_INNER_ROW.finditer(line, begin), None]:
            end = inner.start() if inner else len(line)
            for cell in self._in_row(line, begin, end, left_edge=left_edge, number=number):
                yield cell._replace(turn=turn)
            if inner is not None:
                turn, begin, left_edge = int(inner["turn"]), inner.end(), inner.start()
                game = len(self.file.sections)
                self.file.flags.append(RecordFlag(number, "fused_rows", game=game, turn=turn))

    def _in_row(self, line: str, begin: int, end: int, *, left_edge: int, number: int) -> Iterator[Cell]:
        found = list(_CELL.finditer(line, begin, end))
        left_over = line[begin : found[0].start() if found else end].strip()
        if found and left_over:
            self._skip(left_over, number)
        if not found:
            return
        starts = [match.start() for match in found]
        if len(found) == 1:
            sides = [Side.BLACK if starts[0] - left_edge >= RIGHT_COLUMN else Side.WHITE]
        else:
            sides = [list(Side)[n % _MOST_CELLS] for n in range(len(found))]
        if len(found) > _MOST_CELLS:
            self.file.flags.append(RecordFlag(number, "long_row", game=len(self.file.sections)))
        for match, side, after in zip(found, sides, [*starts[1:], end], strict=True):
            text = line[match.start() : after].strip()
            kind = Kind.ROLL if match["damaged"] is not None else Kind(str(match.lastgroup))
            if match["dice"]:
                text = match["dice"].replace("-", "") + ":" + line[match.end() : after].rstrip()
            yield Cell(number, 0, side, kind, text)


def _starts_of_cells(row: str, begin: int = 0) -> list[int]:
    """Where the cells stand that say beyond doubt that they are some."""
    return [match.start() for match in _CELL.finditer(row, begin) if match["damaged"] is None]


def _gaps(row: str) -> list[int]:
    """How many spaces stand before the right cell of a row of two, or before a result without a row."""
    if row.startswith(";"):
        return []
    head = _ROW.match(row)
    starts = _starts_of_cells(row, head.end() if head else 0)
    if len(starts) > 1 or (len(starts) == 1 and head is None):
        return [starts[-1] - len(row[: starts[-1]].rstrip())]
    return []


def _starts_again(section: Section, cells: list[Cell]) -> bool:
    """Whether the rows count from 1 again: the heading of a new game is missing."""
    before = [cell.turn for cell in section.cells if isinstance(cell, Cell)]
    return bool(cells) and cells[0].turn == 1 and cells[0].kind is Kind.ROLL and max(before, default=0) > 1


def _unfolded(cells: list[Cell | Remark]) -> list[Cell | Remark]:
    """The cells of a game whose spaces were folded.

    A first row of one cell is Black's; any other cell alone in its row is of whoever is to act.
    """
    rows = Counter(cell.turn for cell in cells if isinstance(cell, Cell) and cell.turn)
    first, last = min(rows, default=0), max(rows, default=0)
    out: list[Cell | Remark] = []
    for cell in cells:
        if not isinstance(cell, Cell) or rows[cell.turn] > 1:
            out.append(cell)
        elif cell.turn and cell.turn == first != last:
            out.append(cell._replace(side=Side.BLACK))
        elif cell.turn != first or cell.kind in {Kind.WINS, Kind.LOSES}:
            out.append(cell._replace(side=None))
        else:
            out.append(cell)
    return out
