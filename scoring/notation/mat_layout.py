"""The lines of a ``.mat`` file sorted into its head, its games and their cells; nothing is played here.

What programs write differently ends here: line ends, encodings, column widths, tabs, numbers with a dot, dice
with a dash, and the words for an action.  What had to be put right is flagged.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from scoring.notation.mat_cells import CellKind, WrittenCell, cells_in
from scoring.notation.mat_columns import RIGHT_COLUMN, ROW, unfolded
from scoring.notation.mat_rows import usual
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
_GAME = re.compile(r"\s*Game\s*(?:#|No\.?)?\s*(?P<number>\d+)\s*[.:]?\s*(?:\(.*\)\s*)?", re.IGNORECASE)
_PLAYERS = re.compile(
    r"\s*(?P<white>\S.*?)? ?: ?(?P<white_points>\d+)\s+(?P<black>\S.*?)?\s*:\s*(?P<black_points>\d+)\s*"
)
_ONE_PLAYER = re.compile(r"\s*(?P<name>[^\s:]+(?: [^\s:]+)*)\s*:\s*(?P<points>\d+)\s*")
_INNER_ROW = re.compile(r"(?<=\s)(?P<turn>\d{1,3})\)(?=\s|$)")
_STEPS = r"[0-9a-z]+\*?(?:/[0-9a-z]+\*?)+(?:\([1-4]\))?"
_MOVES_ALONE = re.compile(rf"\s*{_STEPS}(?:\s+{_STEPS})*\s*", re.IGNORECASE)
_REST_OF_RESULT = re.compile(r"\s*(?:points?\s*)?(?:and\s+)?(?:the\s+)?match\s*", re.IGNORECASE)
LONGEST_LINE = 1000
MOST_CELLS = 4000
"""Of a game: the longest ever played had a tenth."""
_RESULTS = frozenset({CellKind.WINS, CellKind.LOSES})
_IN_A_ROW = 2
_SPACES = str.maketrans("\u00a0\u2007\u202f", "   ", "\u00ad\u200b\u2060\ufeff")
"""Spaces that do not break and signs that are not seen, as pages on the web have them."""
_LINE_END = re.compile(r"\r*\n|\r|[\u0085\u2028\u2029]")
_CRAWFORD = re.compile(r"\s*\(?(?:post[- ]?)?crawford(?:\s+game)?\)?\s*", re.IGNORECASE)


@dataclass(slots=True)
class WrittenGame:
    """One game as written: the points in its heading, its cells and remarks in the order of play.

    ``rows`` is the highest number of a row so far.
    """

    line: int
    number: int = 0
    points: tuple[int, int] | None = None
    cells: list[WrittenCell | Remark] = field(default_factory=list)
    rows: int = 0
    is_full: bool = False

    def add(self, cells: list[WrittenCell]) -> bool:
        """Keep the cells of a row; False for the row with which a game becomes too long to be one."""
        self.rows = max([self.rows, *(cell.turn for cell in cells)])
        room = MOST_CELLS - len(self.cells)
        if len(cells) <= room and not self.is_full:
            self.cells += cells
            return True
        was_full, self.is_full = self.is_full, True
        self.cells += [cell for cell in cells if cell.kind in _RESULTS]
        return was_full


@dataclass(slots=True)
class MatFile:
    """A file as written.  A player's name is empty where the file has none."""

    length: int = 0
    length_line: int = 0
    players: tuple[str, str] = ("", "")
    tags: list[tuple[str, str]] = field(default_factory=list)
    sections: list[WrittenGame] = field(default_factory=list)
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
    for number, line in enumerate(_LINE_END.split(text), start=1):
        if len(line) > LONGEST_LINE and not line.startswith("; Midpoint"):
            flags.append(RecordFlag(number, "line_skipped", line.strip()[:60]))
            line = ""  # noqa: PLW2901 - nothing that a program writes
        rows.append(line.translate(_SPACES))
    return _Layout(MatFile(flags=flags), *usual(rows)).read()


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
        "line {line}: a remark of the kind {kind!r} is not allowed here",
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
    def __init__(self, file: MatFile, rows: list[str], is_narrow: bool) -> None:  # noqa: FBT001
        self.file = file
        self.rows = rows
        self.lines = iter(list(enumerate(rows, start=1)))
        self.is_narrow = is_narrow
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
                section.cells = unfolded(section.cells)
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
            elif _GAME.fullmatch(line) or ROW.match(line):
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
            "line {line}: {text!r} is not a match length; write ' 7 point match' before the first game",
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
        elif ROW.match(line):
            raise InvalidNotation(
                "no_game",
                "line {line}: {text!r} comes before the first game",
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
        number, line = next(
            ((n, row) for n, row in self.lines if row.strip() and not _is_note(row, n)), (heading, "")
        )
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
            return self._nameless(line, number, game)
        if not self.file.sections:
            self.file.players = self._named(names, number)
        elif self._is_another_match(names, points, game):
            return self._another_match(number)
        else:
            names = self._same_players(names, number)
        self.file.sections.append(
            WrittenGame(number, game, points[::-1] if points and self.swapped else points)
        )
        return True

    def _nameless(self, line: str, number: int, game: int) -> bool:
        """Begin a game whose heading names nobody: the players are those before it, or of the head."""
        known = self.file.players if self.file.sections else self._told_by_head(line)
        is_ours = self.file.start is not None or read_remark(line, number) is not None
        if not any(known) or is_ours:
            raise InvalidNotation(
                "players",
                "line {line}: {text!r} does not name two players and their points",
                line=number,
                text=line.strip()[:60],
            )
        self.file.players, self.swapped = known, False
        self.file.sections.append(WrittenGame(number, game))
        if ROW.match(line):
            return self._row(line, number)
        self._skip(line, number)
        return True

    def _told_by_head(self, line: str) -> tuple[str, str]:
        """The players of the head in the order of the line; empty names unless it has both."""
        tags = dict(self.file.tags)
        for keys in (("Player 1", "Player 2"), ("White", "Black")):
            one, two = (tags.get(key, "").strip() for key in keys)
            if one and two and one != two and one in line and two in line:
                return (one, two) if line.index(one) < line.index(two) else (two, one)
        return "", ""

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
        row = ROW.match(line)
        if row is None and self._names_the_players(line):
            return self._players(line, number, 0)
        cells = list(self._cells(line, number))
        section = self.file.sections[-1]
        if row is not None and _starts_again(section, cells):
            section = WrittenGame(number)
            self.file.sections.append(section)
            self.file.flags.append(RecordFlag(number, "no_heading", game=len(self.file.sections)))
        if not section.add([self._sided(cell) for cell in cells]):
            self.file.flags.append(
                RecordFlag(number, "line_skipped", line.strip()[:60], game=len(self.file.sections))
            )
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
        if not isinstance(last, WrittenCell):
            return False
        wanted = {CellKind.ROLL: _MOVES_ALONE, CellKind.WINS: _REST_OF_RESULT}.get(last.kind)
        if wanted is None or not wanted.fullmatch(line):
            return False
        cells[-1] = last._replace(text=f"{last.text} {line.strip()}")
        return True

    def _sided(self, cell: WrittenCell) -> WrittenCell:
        return cell._replace(side=cell.side.other) if self.swapped and cell.side else cell

    def _cells(self, line: str, number: int) -> Iterator[WrittenCell]:
        """The cells of a line, left one first; rows that were run together are taken apart."""
        row = ROW.match(line)
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

    def _in_row(
        self, line: str, begin: int, end: int, *, left_edge: int, number: int
    ) -> Iterator[WrittenCell]:
        found = cells_in(line, begin, end)
        left_over = line[begin : found[0].start if found else end].strip()
        if found and left_over:
            self._skip(left_over, number)
        if not found:
            return
        if len(found) == 1:
            sides = [Side.BLACK if found[0].start - left_edge >= RIGHT_COLUMN else Side.WHITE]
        else:
            sides = [list(Side)[n % _IN_A_ROW] for n in range(len(found))]
        if len(found) > _IN_A_ROW:
            self.file.flags.append(RecordFlag(number, "long_row", game=len(self.file.sections)))
        for cell, side in zip(found, sides, strict=True):
            yield WrittenCell(number, 0, side, cell.kind, cell.text)


def _is_note(row: str, number: int) -> bool:
    """Whether the line is a comment, but no remark of ours and no name that begins like one."""
    return _CRAWFORD.fullmatch(row) is not None or (
        row.lstrip().startswith(";") and _PLAYERS.fullmatch(row) is None and read_remark(row, number) is None
    )


def _starts_again(section: WrittenGame, cells: list[WrittenCell]) -> bool:
    """Whether the rows count from 1 again: the heading of a new game is missing."""
    return bool(cells) and cells[0].turn == 1 and cells[0].kind is CellKind.ROLL and section.rows > 1
