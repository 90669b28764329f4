"""What the desk shows, as values: a line for every match and table, and the page of them all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from scoring.models import Match, MatchStatus
from tournaments.core.timetable.breaks import Break, coming, current, played_time
from tournaments.core.timetable.lateness import point_due, suggested
from tournaments.models import (
    DeskEvent,
    EntrantRow,
    Event,
    EventTable,
    PairingRow,
    StageRow,
)

LOW_CLOCK = timedelta(minutes=1)


class DeskState(StrEnum):
    """What a match asks of the desk.

    ``READY`` both are free; ``EARLY`` its round may not begin yet, or it is a break; ``BLOCKED`` somebody
    plays elsewhere; ``CALLED``; ``LATE`` called five minutes ago; ``PLAYING``; ``SLOW`` and ``FLAG``
    (a clock has run out) are playing too; ``WAITING`` for a yes; ``OBJECTED`` for a director; ``OVER`` a
    board of a tie of which others go on.
    """

    READY = "ready"
    EARLY = "early"
    BLOCKED = "blocked"
    CALLED = "called"
    LATE = "late"
    PLAYING = "playing"
    SLOW = "slow"
    FLAG = "flag"
    WAITING = "waiting"
    OBJECTED = "objected"
    OVER = "over"


CALLED = frozenset({DeskState.CALLED, DeskState.LATE})
PLAYING = frozenset({DeskState.PLAYING, DeskState.SLOW, DeskState.FLAG})
TO_SETTLE = frozenset({DeskState.WAITING, DeskState.OBJECTED})


@dataclass(frozen=True, slots=True)
class Clock:
    """What is left of both reserves, in seconds (below zero: run out), and whose clock runs."""

    white: int
    black: int
    running: str

    @property
    def low(self) -> bool:
        """Whether a reserve is nearly used up."""
        return min(self.white, self.black) < LOW_CLOCK.total_seconds()


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One board of a tie: who sits there (``match``, loaded with its players), what it asks for."""

    number: int
    match: Match
    state: DeskState
    clock: Clock | None = None

    @property
    def points(self) -> tuple[int, int] | None:
        """White's and Black's, once it has ended."""
        over = self.match.status == MatchStatus.FINISHED
        return (self.match.result.white_points, self.match.result.black_points) if over else None


@dataclass(frozen=True, slots=True)
class DeskLine:
    """One match at the desk. ``since`` is when its state began (of an ``EARLY`` one: ends), ``blocked_by``
    where its busy player is. Of a team tie there are ``boards``, each with a state of its own. The minutes of
    the event's ``breaks`` do not count.
    """

    pairing: PairingRow
    a: EntrantRow
    b: EntrantRow
    match: Match | None
    state: DeskState
    since: datetime
    at: datetime
    ends_at: datetime | None = None
    clock: Clock | None = None
    blocked_by: "DeskLine | None" = None
    blocks: tuple[str, ...] = ()
    boards: tuple[BoardLine, ...] = ()
    breaks: tuple[Break, ...] = ()
    has_table: bool = True
    """Whether a call finds a table for it."""

    @property
    def sides(self) -> tuple[EntrantRow, EntrantRow]:
        """Both entrants, the first in the left column."""
        return self.a, self.b

    @property
    def minutes(self) -> int:
        """Whole minutes since the state began."""
        return max(0, played_time(self.breaks, self.since, self.at) // timedelta(minutes=1))

    @property
    def penalty(self) -> int:
        """The penalty points that lateness suggests now."""
        called = self.pairing.called_at
        return suggested(called, self.at, self.breaks) if self.state in CALLED and called else 0

    @property
    def next_penalty_at(self) -> datetime | None:
        """When the next point falls due."""
        called = self.pairing.called_at
        if self.state not in CALLED or not called:
            return None
        return point_due(called, self.penalty + 1, self.breaks)


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table and the match that was called to it."""

    table: EventTable
    line: DeskLine | None


@dataclass(frozen=True, slots=True)
class DeskPage:
    """Everything on the desk, in a number of queries that does not grow with the field."""

    event: Event
    stages: Sequence[StageRow]
    lines: tuple[DeskLine, ...]
    tables: tuple[TableLine, ...]
    latest: tuple[DeskEvent, ...]
    to_check_in: tuple[EntrantRow, ...]
    at: datetime
    expected_end: datetime | None = None
    a_point: float = 0.0
    names: Mapping[str, str] = field(default_factory=dict)
    to_call: int = 0
    """How many of the ready matches are called when all are."""

    def of(self, states: frozenset[DeskState]) -> list[DeskLine]:
        return [line for line in self.lines if line.state in states]

    @property
    def ready(self) -> list[DeskLine]:
        return self.of(frozenset({DeskState.READY}))

    @property
    def blocked(self) -> list[DeskLine]:
        return self.of(frozenset({DeskState.BLOCKED, DeskState.EARLY}))

    @property
    def called(self) -> list[DeskLine]:
        return self.of(CALLED)

    @property
    def playing(self) -> list[DeskLine]:
        return self.of(PLAYING)

    @property
    def to_settle(self) -> list[DeskLine]:
        return self.of(TO_SETTLE)

    @property
    def to_draw(self) -> list[StageRow]:
        """The first stage of each flight of which nothing is drawn and that has entrants."""
        flights = {entrant.flight_id for entrant in self.to_check_in}
        first: dict[int, StageRow] = {}
        for stage in self.stages:
            if stage.flight_id in flights:
                first.setdefault(stage.flight_id, stage)
        return list(first.values())

    @property
    def break_on(self) -> Break | None:
        """The break that is on: nothing is called by itself."""
        return current(self.event.pauses, self.at)

    @property
    def next_break(self) -> Break | None:
        """The break that is on or comes."""
        return coming(self.event.pauses, self.at)

    @property
    def is_over(self) -> bool:
        """Whether the event is finished or cancelled."""
        return self.event.is_over

    @property
    def is_arranged(self) -> bool:
        """Whether the players of every stage arrange when they meet, in a league or a ladder."""
        return all(stage.is_league or stage.format == "ladder" for stage in self.stages)

    @property
    def has_begun(self) -> bool:
        """Whether a draw is made."""
        return any(stage.drawn_at is not None for stage in self.stages)

    @property
    def shows_pace(self) -> bool:
        """Whether how many matches are played, and how fast, says something here."""
        return bool(self.lines) or (self.has_begun and not self.is_over and not self.event.is_away)

    @property
    def without_table(self) -> DeskLine | None:
        """The first of the ready matches that find no table."""
        return next((line for line in self.ready if not line.has_table), None)

    @property
    def full(self) -> bool:
        """Whether there are tables and none can be given out: nothing can be called."""
        return bool(self.tables) and not self.free

    @property
    def free(self) -> list[EventTable]:
        """The tables that can be given out."""
        return [each.table for each in self.tables if each.line is None and not each.table.closed]
