"""The rows behind the desk: one statement each for draws, matches, entrants and recent activity.

Written out: the desk is read again after every result, and as Django's queries its rows took most of the
time that the page takes.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import TextField
from django.db.models.expressions import RawSQL

from clubs.models import Note, Person, Player, User
from clubs.models.columns import Columns, cache_many, cache_one, read
from scoring.models import ClockState, Match, MatchStatus, Objection, Result, Sheet, SheetEvent
from scoring.rules.events import GameRecorded, OpeningRolled, Rolled
from tournaments.core.prizes.calcutta import after_rake
from tournaments.desk.queries.pace import Played
from tournaments.events.queries.entrant_rows import (
    ENTRANT,
    PLAYERS_OF_ENTRANTS,
    SELECT_ENTRANTS,
    with_their_players,
)
from tournaments.log.kinds import PRIVATE, RESULTS
from tournaments.models import (
    Auction,
    AuctionLot,
    Board,
    CashClosing,
    DeskEvent,
    EntrantRow,
    EntrantState,
    Event,
    EventTable,
    Flight,
    LotPrize,
    PairingRow,
    PairingState,
    Prize,
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
_BY_PLAYS = f"""(
    SELECT told.kind IN ({_ROLLS}) FROM {SheetEvent._meta.db_table} AS told
    WHERE told.sheet_id = sheet.id AND told.kind IN ({_ROLLS}, '{GameRecorded.kind}')
    ORDER BY told.seq DESC LIMIT 1
)"""  # noqa: S608 - names of our own
"""Whether of rolls and games a roll was entered last on a sheet, in SQL: what is recorded can change."""
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


_STAGE = StageRow._meta.db_table
_MONEY = f"""json_build_array(
    (SELECT count(*) FROM {Prize._meta.db_table} AS prize WHERE prize.flight_id = {_STAGE}.flight_id),
    (
        SELECT count(*) FROM {Prize._meta.db_table} AS prize
        WHERE prize.flight_id = {_STAGE}.flight_id AND prize.paid_at IS NULL
    ),
    EXISTS (
        SELECT 1 FROM {CashClosing._meta.db_table} AS closing
        WHERE closing.event_id = %s AND closing.reopened_at IS NULL
    ),
    (
        SELECT json_build_array(auction.rake, (
            SELECT coalesce(sum(lot.price), 0) FROM {AuctionLot._meta.db_table} AS lot
            WHERE lot.auction_id = auction.id
        ), EXISTS (
            SELECT 1 FROM {LotPrize._meta.db_table} AS paid
                JOIN {AuctionLot._meta.db_table} AS lot ON lot.id = paid.lot_id
            WHERE lot.auction_id = auction.id
        ))
        FROM {Auction._meta.db_table} AS auction WHERE auction.flight_id = {_STAGE}.flight_id
    )
)::text"""  # noqa: S608 - names of our own


@dataclass(frozen=True, slots=True)
class MoneyAtDesk:
    """What was approved and paid so far, by division's key.

    ``prizes`` counts the approved prizes and those not paid; ``auctions`` says whether payouts of an auction
    wait for their approval.
    """

    prizes: Mapping[int, tuple[int, int]]
    auctions: Mapping[int, bool]
    box_closed: bool


@dataclass(frozen=True, slots=True)
class StagesAtDesk:
    """Divisions with their stages, in order; tables by number, when finished matches were played, money."""

    flights: list[Flight]
    stages: list[StageRow]
    tables: list[EventTable]
    played: list[Played]
    money: MoneyAtDesk


def stages_at_desk(event: Event) -> StagesAtDesk:
    """The stages of an event with what the desk needs beside them (one query)."""
    stages = list(
        StageRow.objects.with_feeds()
        .filter(flight__event=event)
        .select_related("flight__satellite_for")
        .annotate(
            played=RawSQL(_PLAYED, (), TextField(null=True)),  # noqa: S611 - names of our own
            tables=RawSQL(_TABLES, (event.pk,), TextField(null=True)),  # noqa: S611 - names of our own
            money=RawSQL(_MONEY, (event.pk,), TextField()),  # noqa: S611 - names of our own
        )
        .order_by("flight__position", "position")
    )
    tables: list[EventTable] = []
    played: list[Played] = []
    flights: dict[int, Flight] = {}
    prizes: dict[int, tuple[int, int]] = {}
    auctions: dict[int, bool] = {}
    closed = False
    for stage in stages:
        stage.flight = flights.setdefault(stage.flight_id, stage.flight)
        stage.flight.event = event
        told: Any = stage
        tables = [EventTable.from_db(None, _TABLE, row) for row in json.loads(told.tables or "[]")]
        for begun, over, length in json.loads(told.played or "[]"):
            played.append((datetime.fromisoformat(begun), datetime.fromisoformat(over), length))
        approved, unpaid, closed, auction = json.loads(told.money)
        prizes[stage.flight_id] = (approved, unpaid)
        if auction is not None:
            rake, price, paid = auction
            auctions[stage.flight_id] = not paid and after_rake(price, rake) > 0
    asked = StageRow.objects.none()
    for pk, flight in flights.items():
        cache_many(flight, "stages", asked, [stage for stage in stages if stage.flight_id == pk])
    return StagesAtDesk(list(flights.values()), stages, tables, played, MoneyAtDesk(prizes, auctions, closed))


_LINE = (
    Columns(PairingRow, "pairing"),
    Columns(Board, "board"),
    Columns(Match, "match"),
    Columns(Result, "result"),
    Columns(Sheet, "sheet"),
    Columns(ClockState, "clock"),
)
_OBJECTION = ("id", "match_id", "revision", "side")
_BOARDS = f"""
    SELECT {", ".join(each.text for each in _LINE)}, (
            SELECT json_agg(json_build_array({", ".join(_OBJECTION)}) ORDER BY id)::text
            FROM {Objection._meta.db_table} WHERE match_id = match.id
        ),
        {_first(_ROLLS, "sheet.id")}, {_first(f"'{GameRecorded.kind}'", "sheet.id")}, {_BY_PLAYS},
        {_LAST}
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

    With their boards, sheets, clocks and results, each board with its ``first_roll``, ``first_game``,
    ``by_plays`` and ``last_entry``, each match with its objections; one query.
    """
    by_key = {stage.pk: stage for stage in stages}
    rows: dict[int, PairingRow] = {}
    boards: dict[int, list[Board]] = {}
    found = read(_BOARDS, [event.pk, list(refs)], *_LINE)
    asked, none = Board.objects.none(), Objection.objects.none()
    for pairing, board, match, result, sheet, clock, disputed, *told in found:
        row = rows.setdefault(pairing.pk, pairing)
        row.stage = by_key[row.stage_id]
        held = boards.setdefault(row.pk, [])
        if board is None:
            continue
        board.pairing, board.match, match.sheet = row, match, sheet
        cache_one(match, "result", result)
        cache_one(sheet, "clock", clock)
        objections = [Objection.from_db(None, _OBJECTION, row) for row in json.loads(disputed or "[]")]
        cache_many(match, "objections", none, objections)
        board.first_roll, board.first_game, board.by_plays, board.last_entry = told
        held.append(board)
    at_work = []
    for row in rows.values():
        cache_many(row, "boards", asked, boards[row.pk])
        if row.state == PairingState.OPEN or any(map(_unsettled, boards[row.pk])):
            at_work.append(row)
    return at_work, {row.ref: row for row in rows.values() if row.ref in refs}


def _unsettled(board: Board) -> bool:
    result = getattr(board.match, "result", None)
    return board.match.status == MatchStatus.FINISHED and (result is None or result.final_at is None)


_ENTRANTS = f"""
    {SELECT_ENTRANTS}
    FROM {EntrantRow._meta.db_table} AS entrant
        JOIN {Flight._meta.db_table} AS flight ON flight.id = entrant.flight_id
        {PLAYERS_OF_ENTRANTS}
    WHERE flight.event_id = %s AND (
        %s OR entrant.id = ANY(%s) OR entrant.ref = ANY(%s) OR (
            entrant.state <> '{EntrantState.WITHDRAWN}' AND EXISTS (
                SELECT 1 FROM {StageRow._meta.db_table} AS stage
                WHERE stage.flight_id = flight.id AND stage.status = '{StageStatus.PLANNED}'
            )
        )
    )
    ORDER BY entrant.registered_at, entrant.id, member.position, member.id
"""  # noqa: S608 - names of our own


def entrants_at_desk(
    event: Event, keys: Collection[int], refs: Collection[str], *, everyone: bool = False
) -> dict[int, EntrantRow]:
    """The entrants with these keys and refs, and those who can check in, by key, with their players.

    In the order of registration, each with whether it was drawn; one query. ``everyone``: all of the event.
    """
    return with_their_players(read(_ENTRANTS, [event.pk, everyone, list(keys), list(refs)], *ENTRANT))


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
