"""Data of the desk: matches to act on, tables, and the expected end."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.utils.timezone import now

from clubs.models import Player
from scoring.models import ClockState, Match, MatchStatus
from scoring.rules.match_state import Status
from tournaments.core.timetable.breaks import Break, played_time
from tournaments.core.timetable.lateness import EACH, begins_at
from tournaments.core.timetable.silence import silent_minutes
from tournaments.desk.queries.desk_lines import (
    CALLED,
    PLAYING,
    BoardLine,
    Clock,
    DeskLine,
    DeskPage,
    DeskState,
    TableLine,
)
from tournaments.desk.queries.desk_rows import (
    entrants_at_desk,
    pairings_at_desk,
    recent_entries,
    stages_at_desk,
)
from tournaments.desk.queries.log_subjects import pairing_refs, subjects_in
from tournaments.desk.queries.next_calls import next_calls, table_for
from tournaments.desk.queries.next_steps import steps_of, unapproved
from tournaments.desk.queries.pace import Reader, expected_end, minutes_per_point
from tournaments.log.kinds import RESULTS
from tournaments.models import (
    Board,
    EntrantRow,
    EntrantState,
    Event,
    EventTable,
    Flight,
    PairingRow,
    PairingState,
    StageRow,
    StageStatus,
)
from tournaments.money.services.awards import Purse
from tournaments.stages.queries.stage_rows import SheetState, sheet_state
from tournaments.stages.services.stages import load_all

SLOW = 1.25
"""A match is slow at this multiple of the expected time."""
LATEST = 8
"""Results, and other actions, that the desk shows of the ``RECENT`` ones."""
RECENT = 60


def desk_page(event: Event, *, read: Reader, at: datetime | None = None) -> DeskPage:
    """The desk of an event ``at`` a moment (default: now).

    ``read`` loads the log of a stage.
    """
    at = at or now()
    rows_of = stages_at_desk(event)
    stages, tables, played = rows_of.stages, rows_of.tables, rows_of.played
    to_pay = unapproved(rows_of)
    load_all(_read_ahead(stages, to_pay))
    shown = recent_entries(event, each=LATEST, among=RECENT)
    told = (
        [row for row in shown if row.kind not in RESULTS],
        [row for row in shown if row.kind in RESULTS],
    )
    rows, named = pairings_at_desk(event, stages, pairing_refs(shown))
    subjects = subjects_in(shown, named)
    playing = {pk for row in rows for pk in (row.a_id, row.b_id) if pk is not None}
    entrants = entrants_at_desk(event, playing | subjects.entrants, subjects.refs, everyone=bool(to_pay))
    breaks = event.pauses
    a_point = minutes_per_point(played, breaks)
    seated = _seated(rows)
    drawn_lines = [_line(row, entrants, seated, a_point, at, event) for row in rows]
    found = _with_blocks([line for line in drawn_lines if line is not None])
    at_table = {
        line.pairing.table: line for line in found if line.state in CALLED | PLAYING and line.pairing.table
    }
    found = [replace(line, has_table=_finds_table(line, tables, set(at_table))) for line in found]
    ready = [
        (line.pairing, {player.pk for player in _players(line)})
        for line in found
        if line.state is DeskState.READY
    ]
    open_tables = sum(not table.closed for table in tables)
    planned = {stage.flight_id for stage in stages if stage.status == StageStatus.PLANNED}
    begun = {stage.flight_id for stage in stages if stage.status != StageStatus.PLANNED}
    page = DeskPage(
        event=event,
        flights=rows_of.flights,
        stages=stages,
        lines=tuple(found),
        tables=tuple(TableLine(table, at_table.get(table.number)) for table in tables),
        latest=tuple(told[0]),
        latest_results=tuple(told[1]),
        subjects=subjects.among(entrants.values()),
        to_check_in=tuple(
            entrant
            for entrant in entrants.values()
            if not event.is_over
            and entrant.flight_id in planned - begun
            and entrant.state in {EntrantState.REGISTERED, EntrantState.PRESENT}
        ),
        at=at,
        expected_end=expected_end(
            stages,
            _left(found, at),
            read=read,
            a_point=a_point,
            tables=open_tables or None,
            at=at,
            breaks=breaks,
            entered=Counter(
                entrant.flight_id
                for entrant in entrants.values()
                if entrant.flight_id in planned - begun and entrant.state != EntrantState.WITHDRAWN
            ),
        ),
        a_point=a_point,
        names={entrant.ref: entrant.title for entrant in entrants.values()},
        to_call=len(next_calls(ready, tables, taken=set(at_table), busy=set())),
    )
    purses = [Purse.among(flight, flight.stages.all(), _of_flight(entrants, flight)) for flight in to_pay]
    return replace(page, steps=steps_of(page, rows_of.money, purses, entrants, read=read))


def _read_ahead(stages: Sequence[StageRow], to_pay: Collection[Flight]) -> list[StageRow]:
    """The drawn stages whose logs the desk needs, for the end, a field to confirm or the prizes."""
    planned = {stage.ref for stage in stages if stage.status == StageStatus.PLANNED}
    return [
        stage
        for stage in stages
        if stage.drawn_at is not None
        and (
            stage.status == StageStatus.RUNNING
            or stage.flight in to_pay
            or any(rule.into in planned for rule in stage.rules)
        )
    ]


def _of_flight(entrants: Mapping[int, EntrantRow], flight: Flight) -> list[EntrantRow]:
    return [entrant for entrant in entrants.values() if entrant.flight_id == flight.pk]


def _seated(rows: Sequence[PairingRow]) -> dict[int, Match]:
    """Boards of team matches with their players (four queries; none without teams)."""
    ties = [row.pk for row in rows if row.stage.boards > 1]
    matches = Match.objects.filter(board__pairing__in=ties).with_players().select_related("sheet__clock")
    return {match.pk: match for match in matches} if ties else {}


def _boards(
    row: PairingRow,
    sheets: Sequence[SheetState],
    seated: Mapping[int, Match],
    at: datetime,
    breaks: Sequence[Break],
) -> tuple[BoardLine, ...]:
    """The boards of a team match, whose stored states are ``sheets``; empty for other matches."""
    if row.stage.boards == 1:
        return ()
    return tuple(
        _board(board, sheet, seated[board.match_id], at, breaks)
        for board, sheet in zip(row.boards.all(), sheets, strict=True)
    )


def _board(board: Board, sheet: SheetState, match: Match, at: datetime, breaks: Sequence[Break]) -> BoardLine:
    clock, state = _clock(match, at), DeskState.READY
    if match.status in {MatchStatus.FINISHED, MatchStatus.VOID}:
        unsettled = match.status == MatchStatus.FINISHED and match.result.final_at is None
        state = _settling(board.match) if unsettled else DeskState.OVER
    elif match.sheet.head_seq > 1:
        state = DeskState.FLAG if clock and min(clock.white, clock.black) <= 0 else DeskState.PLAYING
    last, silent = _heard(board, sheet, at, breaks)
    return BoardLine(board.number, match, state, clock, last, silent if state in PLAYING else None)


def _heard(
    board: Board, sheet: SheetState, at: datetime, breaks: Sequence[Break]
) -> tuple[datetime | None, int | None]:
    """The last entry of a board's scoresheet, and the minutes without one if they are unusual.

    Both None where neither a roll nor a game is on it: that match is scored on paper.
    """
    told: Any = board
    if told.first_roll is None and told.first_game is None:
        return None, None
    if sheet.status is Status.SUSPENDED:
        return told.last_entry, None
    return told.last_entry, silent_minutes(told.last_entry, at, by_plays=told.by_plays, breaks=breaks)


def _earliest(boards: Sequence[Board], annotated: str) -> datetime | None:
    """The earliest of these moments on all boards, if any."""
    return min((at for board in boards if (at := getattr(board, annotated, None))), default=None)


def _line(
    row: PairingRow,
    entrants: Mapping[int, EntrantRow],
    seated: Mapping[int, Match],
    a_point: float,
    at: datetime,
    event: Event,
) -> DeskLine | None:
    if row.b_id is None:
        return None
    breaks, opens_at = event.pauses, row.opens_at(event.tz)
    stored = list(row.boards.all())
    sheets = [_sheet(board) for board in stored]
    boards = _boards(row, sheets, seated, at, breaks)
    match = stored[0].match if stored else None
    roll = _earliest(stored, "first_roll")
    clock = None if boards else _clock(match, at)
    begun = row.started_at or roll
    if begun is None and (game := _earliest(stored, "first_game")):
        # Scored by games: it began before the end of the first game, at the call if there was one.
        begun = min(row.called_at or game, game)
    published = getattr(row, "published", None) or at
    if begun is None and any(each.state is not DeskState.READY for each in boards):
        begun = row.called_at or published
    length = timedelta(minutes=row.length * a_point)
    ends_at = begun + length if begun else None
    state, since = DeskState.READY, published
    if row.state == PairingState.DECIDED:
        objected = any(each.state is DeskState.OBJECTED for each in boards)
        settling = DeskState.OBJECTED if objected else _settling(match)
        state, since, ends_at = settling, begun or published, None
    elif begun:
        state, since = DeskState.PLAYING, begun
        if (clock and min(clock.white, clock.black) <= 0) or any(b.state is DeskState.FLAG for b in boards):
            state = DeskState.FLAG
        elif played_time(breaks, begun, at) > length * SLOW:
            state = DeskState.SLOW
    elif row.called_at is None and (
        (early := begins_at(row.stage.starts, row.round, breaks=breaks, at=at, opens_at=opens_at)) > at
    ):
        state, since = DeskState.EARLY, early
    elif row.called_at:
        late = played_time(breaks, row.called_at, at) >= EACH
        state, since = DeskState.LATE if late else DeskState.CALLED, row.called_at
    a, b = entrants[row.a_id], entrants[row.b_id]
    last, silent = _heard(stored[0], sheets[0], at, breaks) if stored and not boards else (None, None)
    return DeskLine(
        row,
        a,
        b,
        match,
        state,
        since,
        at,
        ends_at,
        clock,
        boards=boards,
        breaks=breaks,
        penalties=(sum(each.penalties[0] for each in sheets), sum(each.penalties[1] for each in sheets)),
        last_entry_at=last,
        silent_minutes=silent if state in PLAYING else None,
    )


def _sheet(board: Board) -> SheetState:
    """What the desk needs of a board's scoresheet (no query)."""
    told: Any = board
    state = board.match.sheet.state
    begun = told.first_roll is not None or told.first_game is not None
    return sheet_state(state) if begun or _NO_PENALTIES not in state else SheetState()


_NO_PENALTIES = '"penalties":[0,0]'
"""Stands in the state of nearly every sheet: it need not be read."""


def _settling(match: Match | None) -> DeskState:
    result = getattr(match, "result", None)
    if match is None or result is None:
        return DeskState.WAITING
    objected = any(each.revision == result.revision for each in match.objections.all())
    return DeskState.OBJECTED if objected else DeskState.WAITING


def _clock(match: Match | None, at: datetime) -> Clock | None:
    try:
        clock = match.sheet.clock if match is not None else None
    except ClockState.DoesNotExist:
        return None
    if clock is None:
        return None
    left = {"white": clock.white_ms, "black": clock.black_ms}
    if clock.running and clock.since is not None:
        used = (at - clock.since) // timedelta(milliseconds=1) - clock.delay_ms
        left[clock.running] -= max(0, used)
    return Clock(left["white"] // 1000, left["black"] // 1000, clock.running)


def _with_blocks(found: Sequence[DeskLine]) -> list[DeskLine]:
    """Mark ready matches with a busy player as blocked by that player's match."""
    at_board: dict[int, DeskLine] = {}
    for line in found:
        if line.state in CALLED | PLAYING:
            at_board |= {player.pk: line for player in _players(line)}
    blocked: list[DeskLine] = []
    blocks: dict[int, list[str]] = {}
    for line in found:
        busy = None
        if line.state is DeskState.READY:
            busy = next((at_board[p.pk] for p in _players(line) if p.pk in at_board), None)
        if busy is None:
            blocked.append(line)
            continue
        waiting = {p.pk for p in _players(line)} - {p.pk for p in _players(busy)}
        names = [p.name for p in _players(line) if p.pk in waiting]
        blocks.setdefault(busy.pairing.pk, []).extend(names)
        blocked.append(replace(line, state=DeskState.BLOCKED, blocked_by=busy))
    return [
        replace(line, blocks=tuple(blocks[line.pairing.pk])) if line.pairing.pk in blocks else line
        for line in blocked
    ]


def _finds_table(line: DeskLine, tables: Sequence[EventTable], taken: Set[int]) -> bool:
    return not tables or table_for(line.pairing, tables, taken) is not None


def _players(line: DeskLine) -> list[Player]:
    return [*line.a.players, *line.b.players]


def _left(found: Sequence[DeskLine], at: datetime) -> dict[int, dict[int, float]]:
    """Remaining minutes of each match in progress, at least 1."""
    left: dict[int, dict[int, float]] = {}
    for line in found:
        if line.state in PLAYING and line.ends_at is not None:
            minutes = max(1.0, (line.ends_at - at) / timedelta(minutes=1))
            left.setdefault(line.pairing.stage_id, {})[line.pairing.number] = minutes
    return left
