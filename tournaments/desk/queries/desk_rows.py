"""The rows behind the desk: one statement each for draws, matches, entrants and recent activity.

Written out: the desk is read again after every result, and as Django's queries its rows took most of the
time that the page takes.
"""

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, TextField, prefetch_related_objects
from django.db.models.expressions import RawSQL

from clubs.models import Note, Person, Player, User
from clubs.models.columns import Columns, cache_many, cache_one, read
from scoring.models import ClockState, Match, MatchStatus, Objection, Result, Sheet, SheetEvent
from scoring.rules.events import GameRecorded, OpeningRolled, Rolled
from tournaments.desk.queries.pace import Played
from tournaments.events.queries.entrant_rows import (
    ENTRANT,
    PLAYERS_OF_ENTRANTS,
    with_their_players,
)
from tournaments.log.kinds import PRIVATE, RESULTS
from tournaments.models import (
    Board,
    DeskEvent,
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

_ROLLS = f"'{OpeningRolled.kind}', '{Rolled.kind}'"


def _first(kinds: str, sheet: str) -> str:
    """The moment of the first entry of these kinds on a sheet, in SQL."""
    return (
        f"(SELECT roll.at FROM {SheetEvent._meta.db_table} AS roll "  # noqa: S608 - names of our own
        f"WHERE roll.sheet_id = {sheet} AND roll.kind IN ({kinds}) ORDER BY roll.seq LIMIT 1)"
    )


_LAST = (
    f"(SELECT last.at FROM {SheetEvent._meta.db_table} AS last "  # noqa: S608 - names of our own
    "WHERE last.sheet_id = sheet.id AND last.seq = sheet.head_seq)"
)
"""The moment of the last entry of a sheet, in SQL."""
_PLAYED = f"""(
    SELECT json_agg(json_build_array(begun, over, length))::text FROM (
        SELECT coalesce(pairing.started_at, {_first(_ROLLS, "sheet.id")}, pairing.called_at) AS begun,
            last.at AS over, pairing.length
        FROM {PairingRow._meta.db_table} AS pairing
            JOIN {Board._meta.db_table} AS board ON board.pairing_id = pairing.id AND board.number = 1
            JOIN {Match._meta.db_table} AS match ON match.id = board.match_id
            JOIN {Sheet._meta.db_table} AS sheet ON sheet.id = match.sheet_id
            JOIN {SheetEvent._meta.db_table} AS last
                ON last.sheet_id = sheet.id AND last.seq = sheet.head_seq
        WHERE pairing.stage_id = {StageRow._meta.db_table}.id
            AND pairing.state = '{PairingState.DECIDED}'
    ) AS timed WHERE begun IS NOT NULL
)"""  # noqa: S608 - names of our own
_TABLE = ("id", "event_id", "number", "name", "featured", "closed")
_TABLES = f"""(
    SELECT json_agg(json_build_array({", ".join(_TABLE)}) ORDER BY number)::text
    FROM {EventTable._meta.db_table} WHERE event_id = %s
)"""  # noqa: S608 - names of our own


def stages_at_desk(event: Event) -> tuple[list[StageRow], list[EventTable], list[Played]]:
    """The stages of an event in order, its tables by number, and when its finished matches were played.

    One query.
    """
    stages = list(
        StageRow.objects.with_feeds()
        .filter(flight__event=event)
        .select_related("flight")
        .annotate(
            played=RawSQL(_PLAYED, (), TextField(null=True)),  # noqa: S611 - names of our own
            tables=RawSQL(_TABLES, (event.pk,), TextField(null=True)),  # noqa: S611 - names of our own
        )
        .order_by("flight__position", "position")
    )
    tables: list[EventTable] = []
    played: list[Played] = []
    for stage in stages:
        stage.flight.event = event
        told: Any = stage
        tables = [EventTable.from_db(None, _TABLE, row) for row in json.loads(told.tables or "[]")]
        for begun, over, length in json.loads(told.played or "[]"):
            played.append((datetime.fromisoformat(begun), datetime.fromisoformat(over), length))
    return stages, tables, played


_LINE = (
    Columns(PairingRow, "pairing"),
    Columns(Board, "board"),
    Columns(Match, "match"),
    Columns(Result, "result"),
    Columns(Sheet, "sheet"),
    Columns(ClockState, "clock"),
)
_BOARDS = f"""
    SELECT {", ".join(each.text for each in _LINE)},
        {_first(_ROLLS, "sheet.id")}, {_first(f"'{GameRecorded.kind}'", "sheet.id")}, {_LAST}
    FROM {PairingRow._meta.db_table} AS pairing
        JOIN {StageRow._meta.db_table} AS stage ON stage.id = pairing.stage_id
        JOIN {Flight._meta.db_table} AS flight ON flight.id = stage.flight_id
        LEFT JOIN {Board._meta.db_table} AS board ON board.pairing_id = pairing.id
        LEFT JOIN {Match._meta.db_table} AS match ON match.id = board.match_id
        LEFT JOIN {Result._meta.db_table} AS result ON result.match_id = match.id
        LEFT JOIN {Sheet._meta.db_table} AS sheet ON sheet.id = match.sheet_id
        LEFT JOIN {ClockState._meta.db_table} AS clock ON clock.sheet_id = sheet.id
    WHERE flight.event_id = %s AND (
        pairing.state = '{PairingState.OPEN}' OR pairing.ref = ANY(%s) OR (
            pairing.state = '{PairingState.DECIDED}' AND EXISTS (
                SELECT 1 FROM {Board._meta.db_table} AS other
                    JOIN {Match._meta.db_table} AS unsettled ON unsettled.id = other.match_id
                    LEFT JOIN {Result._meta.db_table} AS open ON open.match_id = unsettled.id
                WHERE other.pairing_id = pairing.id AND unsettled.status = '{MatchStatus.FINISHED}'
                    AND open.final_at IS NULL
            )
        )
    )
    ORDER BY min(match.created_at) OVER (PARTITION BY pairing.id), stage.position, pairing.number, pairing.id,
        board.number
"""  # noqa: S608 - names of our own


def pairings_at_desk(
    event: Event, stages: Sequence[StageRow], refs: Collection[str]
) -> tuple[list[PairingRow], dict[str, PairingRow]]:
    """Open pairings and those with an unconfirmed result, longest published first; and those with these refs.

    With their boards, sheets, clocks and results, each board with its ``first_roll``, ``first_game`` and
    ``last_entry``; one query, one more if a result is disputed or waits.
    """
    by_key = {stage.pk: stage for stage in stages}
    rows: dict[int, PairingRow] = {}
    boards: dict[int, list[Board]] = {}
    found = read(_BOARDS, [event.pk, list(refs)], *_LINE)
    for pairing, board, match, result, sheet, clock, first_roll, first_game, last_entry in found:
        row = rows.setdefault(pairing.pk, pairing)
        row.stage = by_key[row.stage_id]
        held = boards.setdefault(row.pk, [])
        if board is None:
            continue
        board.pairing, board.match, match.sheet = row, match, sheet
        cache_one(match, "result", result)
        cache_one(sheet, "clock", clock)
        board.first_roll, board.first_game, board.last_entry = first_roll, first_game, last_entry
        held.append(board)
    at_work = []
    asked = Board.objects.none()
    for row in rows.values():
        cache_many(row, "boards", asked, boards[row.pk])
        if row.state == PairingState.OPEN or any(map(_unsettled, boards[row.pk])):
            at_work.append(row)
    # Only finished matches can be disputed.
    finished = [
        board.match
        for row in at_work
        for board in boards[row.pk]
        if board.match.status == MatchStatus.FINISHED
    ]
    if finished:
        prefetch_related_objects(finished, Prefetch("objections", Objection.objects.order_by("pk")))
    return at_work, {row.ref: row for row in rows.values() if row.ref in refs}


def _unsettled(board: Board) -> bool:
    result = getattr(board.match, "result", None)
    return board.match.status == MatchStatus.FINISHED and (result is None or result.final_at is None)


_ENTRANTS = f"""
    SELECT {", ".join(each.text for each in ENTRANT)}
    FROM {EntrantRow._meta.db_table} AS entrant
        JOIN {Flight._meta.db_table} AS flight ON flight.id = entrant.flight_id
        {PLAYERS_OF_ENTRANTS}
    WHERE flight.event_id = %s AND (
        entrant.id = ANY(%s) OR entrant.ref = ANY(%s) OR (
            entrant.state <> '{EntrantState.WITHDRAWN}' AND EXISTS (
                SELECT 1 FROM {StageRow._meta.db_table} AS stage
                WHERE stage.flight_id = flight.id AND stage.status = '{StageStatus.PLANNED}'
            )
        )
    )
    ORDER BY entrant.registered_at, entrant.id, member.position, member.id
"""  # noqa: S608 - names of our own


def entrants_at_desk(event: Event, keys: Collection[int], refs: Collection[str]) -> dict[int, EntrantRow]:
    """The entrants with these keys and refs, and those who can check in, by key, with their players.

    In the order of registration; one query.
    """
    return with_their_players(read(_ENTRANTS, [event.pk, list(keys), list(refs)], *ENTRANT))


_ENTRY = (
    Columns(DeskEvent, "entry"),
    Columns(Note, "note"),
    Columns(User, "author", only=["email"]),
    Columns(Player, "player"),
    Columns(Person, "person"),
)
_RECENT = f"""
    SELECT {", ".join(each.text for each in _ENTRY)}, EXISTS (
        SELECT 1 FROM {DeskEvent._meta.db_table} AS later
        WHERE later.event_id = entry.event_id AND later.undoes = entry.seq
    )
    FROM (
        SELECT *, row_number() OVER (PARTITION BY kind = ANY(%s) ORDER BY seq DESC) AS place
        FROM (
            SELECT * FROM {DeskEvent._meta.db_table}
            WHERE event_id = %s AND kind <> ALL(%s) ORDER BY seq DESC LIMIT %s
        ) AS recent
    ) AS entry
        LEFT JOIN {Note._meta.db_table} AS note ON note.id = entry.note_id
        LEFT JOIN {User._meta.db_table} AS author ON author.id = entry.user_id
        LEFT JOIN {Player._meta.db_table} AS player ON player.user_id = author.id
        LEFT JOIN {Person._meta.db_table} AS person ON person.player_id = player.id
    WHERE entry.place <= %s ORDER BY entry.seq DESC
"""  # noqa: S608 - names of our own


def recent_entries(event: Event, *, each: int, among: int) -> list[DeskEvent]:
    """The newest ``each`` results and as many other entries ``among`` the newest ones, newest first.

    As ``tournaments.log.queries.desk_log.lines`` has them, without private ones; one query.
    """
    found: list[DeskEvent] = []
    values = [list(RESULTS), event.pk, list(PRIVATE), among, each]
    for entry, note, author, player, person, undone in read(_RECENT, values, *_ENTRY):
        entry.event, entry.note, entry.user, entry.undone = event, note, author, undone
        if author is not None:
            cache_one(author, "player", player)
        if player is not None:
            cache_one(player, "person", person)
        found.append(entry)
    return found
