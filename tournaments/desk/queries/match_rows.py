"""What the rows of the desk say, as values by which their HTML is kept.

A template of a row is given its value and nothing else, so a row that says something else is written again.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from tournaments.core.timetable.breaks import Break
from tournaments.desk.queries.desk_lines import PLAYING, BoardLine, DeskLine, DeskState, TableLine
from tournaments.desk.queries.event_log import LogLine

_TIMED = frozenset({DeskState.READY, DeskState.CALLED, DeskState.LATE, *PLAYING}) - {DeskState.FLAG}
"""States that say for how many minutes they have lasted."""


class DeskSide(NamedTuple):
    """An entrant of a match."""

    ref: str
    title: str


class BlockedBy(NamedTuple):
    """The match of a busy player: both titles, and its table if it has one."""

    a: str
    b: str
    table: int | None


@dataclass(frozen=True, slots=True)
class DeskBoard:
    """What a board of a team match says; ``status`` is in the reader's language."""

    number: int
    match: str
    white: str
    black: str
    state: DeskState
    status: str
    points: tuple[int, int] | None
    revision: str
    is_low: bool
    silent_minutes: int | None

    @property
    def is_open(self) -> bool:
        """Whether it has no result."""
        return self.state not in {DeskState.OVER, DeskState.WAITING, DeskState.OBJECTED}


@dataclass(frozen=True, slots=True)
class DeskMatch:
    """What a row says until something is done with its match, and all of its forms and links.

    ``seen`` is the number of the match's last log entry, ``match`` the scoresheet's ref, ``path`` the page
    that a confirmation leads back to, ``has_free`` whether the event has a free table.
    """

    event: str
    path: str
    ref: str
    seen: str
    match: str
    revision: str
    length: str
    state: DeskState
    settles: bool
    a: DeskSide
    b: DeskSide
    boards: tuple[DeskBoard, ...]
    featured: bool
    was_called: bool
    penalty: int
    has_table: bool
    has_free: bool

    @property
    def sides(self) -> tuple[DeskSide, DeskSide]:
        """Both entrants, left column first."""
        return self.a, self.b


@dataclass(frozen=True, slots=True)
class DeskMatchStatus:
    """What a row says of the state of its match, much of it new every minute.

    ``break_name`` is the current break's, ``opens_at`` when an early match may begin, on a day of its own if
    it has a ``deadline``.
    """

    state: DeskState
    is_team: bool
    table: int | None
    minutes: int | None
    deadline: date | None
    opens_at: datetime | None
    next_penalty_at: datetime | None
    break_name: str
    blocked_by: BlockedBy | None
    points: tuple[int, int] | None
    penalised: tuple[tuple[str, int], ...]
    is_low: bool
    silent_minutes: int | None


@dataclass(frozen=True, slots=True)
class DeskTable:
    """What a table of the desk says; ``players`` are the titles of the match at it, empty if it is free."""

    event: str
    number: int
    name: str
    featured: bool
    closed: bool
    players: str


@dataclass(frozen=True, slots=True)
class DeskActivity:
    """An entry under *Recent activity*; ``is_newest``: the next that can be undone."""

    event: str
    line: LogLine
    is_newest: bool


def match_row(line: DeskLine, *, event: str, path: str, has_free: bool) -> DeskMatch:
    """What the row of a match says apart from its state."""
    row, match = line.pairing, line.match
    return DeskMatch(
        event=event,
        path=path,
        ref=row.ref,
        seen=str(row.desk_seq),
        match=match.ref if match else "",
        revision=_revision(line),
        length=str(row.length),
        state=line.state,
        settles=line.settles,
        a=DeskSide(line.a.ref, line.a.title),
        b=DeskSide(line.b.ref, line.b.title),
        boards=tuple(map(_board, line.boards)),
        featured=row.featured,
        was_called=row.called_at is not None,
        penalty=line.penalty,
        has_table=line.has_table,
        has_free=has_free,
    )


def match_status(line: DeskLine, *, break_on: Break | None) -> DeskMatchStatus:
    """What the row of a match says of its state."""
    row, busy = line.pairing, line.blocked_by
    early = line.state is DeskState.EARLY
    return DeskMatchStatus(
        state=line.state,
        is_team=bool(line.boards),
        table=None if line.settles else row.table,
        minutes=line.minutes if line.state in _TIMED else None,
        deadline=row.deadline,
        opens_at=line.since if early else None,
        next_penalty_at=line.next_penalty_at if line.state is DeskState.LATE else None,
        break_name=break_on.name if early and break_on else "",
        blocked_by=BlockedBy(busy.a.title, busy.b.title, busy.pairing.table) if busy else None,
        points=_points(line),
        penalised=tuple((side.title, points) for side, points in line.penalised),
        is_low=bool(line.clock and line.clock.low) and line.state is not DeskState.FLAG,
        silent_minutes=line.silent_minutes,
    )


def table_row(each: TableLine, *, event: str) -> DeskTable:
    """What a table says."""
    table, line = each.table, each.line
    players = f"{line.a.title} – {line.b.title}" if line else ""
    return DeskTable(event, table.number, table.name, table.featured, table.closed, players)


def _board(board: BoardLine) -> DeskBoard:
    match = board.match
    result = getattr(match, "result", None)
    return DeskBoard(
        number=board.number,
        match=match.ref,
        white=match.white.name,
        black=match.black.name,
        state=board.state,
        status=str(match.get_status_display()),
        points=board.points,
        revision=str(result.revision) if result else "",
        is_low=bool(board.clock and board.clock.low) and board.state is DeskState.PLAYING,
        silent_minutes=board.silent_minutes,
    )


def _revision(line: DeskLine) -> str:
    """The number of the result that waits for confirmation."""
    return str(line.match.result.revision) if line.match and line.settles and not line.boards else ""


def _points(line: DeskLine) -> tuple[int, int] | None:
    if not (line.match and line.settles) or line.boards:
        return None
    return line.match.result.white_points, line.match.result.black_points
