"""Values of the desk: lines for matches and tables, and the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeAlias

from scoring.models import Match, MatchStatus
from tournaments.core.play.next_steps import StepKind
from tournaments.core.timetable.breaks import Break, coming, current, played_time
from tournaments.core.timetable.lateness import point_due, suggested
from tournaments.desk.queries.log_subjects import NO_SUBJECTS, LogSubjects
from tournaments.models import (
    DeskEvent,
    EntrantRow,
    EntrantState,
    Event,
    EventTable,
    Flight,
    PairingRow,
    StageRow,
)

FreeTables: TypeAlias = tuple[tuple[int, str, bool], ...]
LOW_CLOCK = timedelta(minutes=1)
OF_MATCHES = frozenset(
    {StepKind.SETTLE_DISPUTE, StepKind.CONFIRM_RESULT, StepKind.ENTER_RESULT, StepKind.DECIDE_ABSENCE}
)
"""Steps about single matches."""


class DeskState(StrEnum):
    """State of a match at the desk.

    ``READY``: both sides are free; ``EARLY``: before its start time or in a break; ``BLOCKED``: a player is
    busy; ``CALLED``; ``LATE``: called five minutes ago; ``PLAYING``, also ``SLOW`` and ``FLAG`` (out of
    time); ``WAITING``: for confirmation; ``OBJECTED``: disputed; ``OVER``: a finished board of an open
    team match.
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
    """Reserve times of both sides in seconds (negative: expired), and who runs."""

    white: int
    black: int
    running: str

    @property
    def low(self) -> bool:
        """Whether a reserve is below one minute."""
        return min(self.white, self.black) < LOW_CLOCK.total_seconds()


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One board of a team match; ``match`` is loaded with its players."""

    number: int
    match: Match
    state: DeskState
    clock: Clock | None = None
    last_entry_at: datetime | None = None
    silent_minutes: int | None = None

    @property
    def points(self) -> tuple[int, int] | None:
        """Points of White and Black, once finished."""
        over = self.match.status == MatchStatus.FINISHED
        return (self.match.result.white_points, self.match.result.black_points) if over else None


@dataclass(frozen=True, slots=True)
class DeskLine:
    """One match at the desk.

    ``since`` is the start of its state (for ``EARLY``: the end), ``blocked_by`` the match of its busy player.
    A team match has ``boards``, each with its state. The event's ``breaks`` do not count. ``last_entry_at``
    is None for team matches and without a play or game on the scoresheet, ``silent_minutes`` while entries
    come.
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
    penalties: tuple[int, int] = (0, 0)
    """Penalty points given to the left and the right side at the desk."""
    has_table: bool = True
    """Whether a table is free for it."""
    last_entry_at: datetime | None = None
    silent_minutes: int | None = None

    @property
    def sides(self) -> tuple[EntrantRow, EntrantRow]:
        """Both entrants, left column first."""
        return self.a, self.b

    @property
    def settles(self) -> bool:
        """Whether its result waits for confirmation or is disputed."""
        return self.state in TO_SETTLE

    @property
    def penalised(self) -> list[tuple[EntrantRow, int]]:
        """The sides with penalty points."""
        return [(side, points) for side, points in zip(self.sides, self.penalties, strict=True) if points]

    @property
    def minutes(self) -> int:
        """Whole minutes since the state began."""
        return max(0, played_time(self.breaks, self.since, self.at) // timedelta(minutes=1))

    @property
    def penalty(self) -> int:
        """Suggested penalty points for lateness."""
        called = self.pairing.called_at
        return suggested(called, self.at, self.breaks) if self.state in CALLED and called else 0

    @property
    def next_penalty_at(self) -> datetime | None:
        """When the next penalty point is due."""
        called = self.pairing.called_at
        if self.state not in CALLED or not called:
            return None
        return point_due(called, self.penalty + 1, self.breaks)


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table and the match called to it."""

    table: EventTable
    line: DeskLine | None


@dataclass(frozen=True, slots=True)
class DeskStep:
    """A step as the director sees it.

    ``button`` does it: a form that is posted to ``address`` with ``fields``, or a link where something must
    be looked at first. ``api`` is the address that does the same, empty where a page is needed; ``names`` are
    the entrants of a field to confirm.
    """

    kind: StepKind
    subject: str
    button: str
    about: str
    address: str
    post: bool = False
    fields: tuple[tuple[str, str], ...] = ()
    api: str = ""
    names: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Its keyboard shortcut, empty without one."""
        return {StepKind.DRAW: "d", StepKind.DRAW_UNFILLED: "d", StepKind.CALL_MATCHES: "c"}.get(
            self.kind, ""
        )


@dataclass(frozen=True, slots=True)
class DeskPage:
    """The desk of an event; the number of queries is constant."""

    event: Event
    flights: Sequence[Flight]
    stages: Sequence[StageRow]
    lines: tuple[DeskLine, ...]
    tables: tuple[TableLine, ...]
    latest: tuple[DeskEvent, ...]
    latest_results: tuple[DeskEvent, ...]
    to_check_in: tuple[EntrantRow, ...]
    at: datetime
    expected_end: datetime | None = None
    a_point: float = 0.0
    names: Mapping[str, str] = field(default_factory=dict)
    to_call: int = 0
    """Number of ready matches that *Call ready matches* would call."""
    steps: tuple[DeskStep, ...] = ()
    """What waits for the director, first things first."""
    subjects: LogSubjects = NO_SUBJECTS
    """The matches and entrants of ``latest`` and ``latest_results``."""

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
    def nobody_missing(self) -> bool:
        """Whether all who can check in have done so."""
        return all(entrant.state == EntrantState.PRESENT for entrant in self.to_check_in)

    @property
    def next_step(self) -> DeskStep | None:
        """The main button."""
        return self.steps[0] if self.steps else None

    @property
    def later_steps(self) -> list[DeskStep]:
        """The steps behind the first; of those about single matches, which the page lists, one a kind."""
        known = {step.kind for step in self.steps[:1]}
        found: list[DeskStep] = []
        for step in self.steps[1:]:
            if step.kind not in OF_MATCHES or step.kind not in known:
                found.append(step)
            known.add(step.kind)
        return found

    @property
    def next_result_at(self) -> datetime | None:
        """When the next match in progress is expected to end."""
        return min((line.ends_at for line in self.playing if line.ends_at), default=None)

    @property
    def break_on(self) -> Break | None:
        """The current break: nothing is called automatically."""
        return current(self.event.pauses, self.at)

    @property
    def next_break(self) -> Break | None:
        """The current or next break."""
        return coming(self.event.pauses, self.at)

    @property
    def is_over(self) -> bool:
        """Whether the event is finished or cancelled."""
        return self.event.is_over

    @property
    def is_arranged(self) -> bool:
        """Whether all stages are leagues or ladders, where players arrange their matches."""
        return all(stage.is_league or stage.format == "ladder" for stage in self.stages)

    @property
    def has_begun(self) -> bool:
        """Whether any stage is drawn."""
        return any(stage.drawn_at is not None for stage in self.stages)

    @property
    def shows_pace(self) -> bool:
        """Whether to show matches in progress and the pace."""
        return bool(self.lines) or (self.has_begun and not self.is_over and not self.event.is_away)

    @property
    def without_table(self) -> DeskLine | None:
        """The first ready match without a free table."""
        return next((line for line in self.ready if not line.has_table), None)

    @property
    def full(self) -> bool:
        """Whether the event has tables and none is free."""
        return bool(self.tables) and not self.free

    @property
    def free(self) -> list[EventTable]:
        """The free tables."""
        return [each.table for each in self.tables if each.line is None and not each.table.closed]

    @property
    def free_tables(self) -> FreeTables:
        """Number, name and whether featured of each free table."""
        return tuple((table.number, table.name, table.featured) for table in self.free)
