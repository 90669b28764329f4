"""The append-only log of a match or a chouette: written only here, replayed into everything else.

A correction is an event that replaces an earlier one: replay reads the new body in the old one's place.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.formats.dates import moment
from clubs.live.topics import CHANNEL
from clubs.models import Note, User
from clubs.models.columns import Columns, read
from scoring.log.queries.sheets import log_of, numbered
from scoring.log.queries.writers import Author
from scoring.log.services.chains import (
    Damage,
    append,
    as_rows,
    chain_damage,
    insert,
    into,
    link,
    rows_as_entries,
)
from scoring.models import Claim, Match, Result, Sheet, SheetEvent
from scoring.notation.plays import format_moves
from scoring.rules.chain import LinkedLog
from scoring.rules.errors import ScoringError
from scoring.rules.events import Doubled, Event, OpeningRolled, Played, Resigned, Rolled
from scoring.rules.guards import GAME_KINDS
from scoring.rules.match_state import MatchState, state_bytes, state_from_plain
from scoring.signals import ResultRefused

LONGEST_NOTATION = 100
FIRST = "start"  # the client key of a match's first event

# A whole log that was linked before: the keys of its events are their numbers.
_BEGIN_WHOLE = f"""
    INSERT INTO {SheetEvent._meta.db_table}
        (sheet_id, user_id, seq, client_key, kind, body, hash, side, notation, note_digest)
    SELECT %s, %s, (row->>0)::int, 'seq-' || (row->>0), row->>1, row->2, row->>3, '', '', ''
    FROM jsonb_array_elements(%s::jsonb) AS row
"""  # noqa: S608 - the table's name is our own

# All of an append that changes nothing but the head, in a transaction of its own: the sheet and its match are
# locked in the order of ``lock_match`` and must still be what was read; events, state, the match's version
# and the notification go together, or none of them. Read first and checked here, this takes half of the time
# of SELECT FOR UPDATE, and no lock is held while the rules are asked.
_APPEND_AT_HEAD = f"""
    WITH head AS (
        SELECT sheet.id AS sheet_id, match.id AS match_id
        FROM {Sheet._meta.db_table} AS sheet JOIN {Match._meta.db_table} AS match ON match.sheet_id = sheet.id
        WHERE sheet.id = %s AND sheet.head_seq = %s AND match.version = %s AND sheet.moved_at IS NULL
        FOR NO KEY UPDATE OF sheet, match
    ), written AS (
        {into(SheetEvent)} FROM head, {rows_as_entries(SheetEvent)}
        RETURNING at
    ), moved AS (
        UPDATE {Sheet._meta.db_table} AS sheet SET head_seq = %s, head_hash = %s, state = %s
        FROM head WHERE sheet.id = head.sheet_id
    ), risen AS (
        UPDATE {Match._meta.db_table} AS match SET version = match.version + 1
        FROM head WHERE match.id = head.match_id RETURNING match.ref, match.version
    )
    SELECT (SELECT max(at) FROM written), pg_notify(%s, ref || ' ' || version) FROM risen
"""  # noqa: S608 - the tables' names are our own


@dataclass(frozen=True, slots=True)
class Shown:
    """An event's side ("" for none) and notation, shown without a replay."""

    side: str = ""
    notation: str = ""


def shown_of(before: MatchState, event: Event) -> Shown:
    """How an event is shown, given the state ``before`` it."""
    game = before.game
    side: str = event.by if isinstance(event, Resigned) else game.to_act or ""
    match event:
        case OpeningRolled(white=white, black=black):
            return Shown("", f"{white}-{black}")
        case Rolled(dice=dice):
            return Shown(side, str(dice))
        case Played(moves=moves) if game.on_roll is not None:
            play = format_moves(game.seen_by(game.on_roll), moves)
            return Shown(side, f"{game.roll}: {play}"[:LONGEST_NOTATION])
        case Doubled():
            return Shown(side, str(game.cube.value * 2))
        case _:
            return Shown(side if event.kind in GAME_KINDS else "")


def append_events(
    *,
    sheet: Sheet,
    events: Sequence[Any],
    state: Any,
    user: User | None,
    client_keys: Sequence[str] | None = None,
    replaces: Sequence[int | None] | None = None,
    claim: Claim | None = None,
    shown: Sequence[Shown] | None = None,
    notes: Sequence[Note | None] | None = None,
) -> Sheet:
    """Append events that the rules engine has accepted, with ``state``, what the log comes to with them.

    ``client_keys`` are the writer's own names of the events, unique in the sheet; without them the seq is
    used. ``replaces`` names, for a correction, the seq that it stands for; ``shown`` who acted and how it
    is written; ``notes`` the free text that belongs to each, of which the chain has the digest. The caller
    holds the sheet's lock. Raises IntegrityError for a repeated client key.
    """
    none = [None] * len(events)
    keys = client_keys or [f"seq-{sheet.head_seq + n}" for n in range(1, len(events) + 1)]
    each = zip(events, keys, replaces or none, shown or [Shown()] * len(events), notes or none, strict=True)
    entries = [
        _entry(sheet, event, key, act, replaces=stands_for, note=note, user=user, claim=claim)
        for event, key, stands_for, act, note in each
    ]
    sheet.state = log_of(sheet).state_bytes(state).decode()
    append(sheet, entries, state=sheet.state)
    return sheet


def append_at_head(
    *,
    match: Match,
    events: Sequence[Event],
    author: Author,
    client_keys: Sequence[str],
    shown: Sequence[Shown],
    state: MatchState,
) -> Sequence[SheetEvent] | None:
    """Append events that change nothing but the sheet and its state, where both are still as they were read.

    ``match`` is loaded with its sheet, and follows. Returns what was written; None, with nothing written,
    where somebody else has changed the sheet or the match since.
    """
    sheet = match.sheet
    read = sheet.head_seq, sheet.head_hash, sheet.state
    entries = [
        _entry(sheet, event, key, act, user=author.user, claim=author.claim)
        for event, key, act in zip(events, client_keys, shown, strict=True)
    ]
    for entry in entries:
        link(sheet, entry)
    sheet.state = state_bytes(state).decode()
    values: list[Any] = [sheet.pk, read[0], match.version, as_rows(entries)]
    values += [sheet.head_seq, sheet.head_hash, sheet.state, CHANNEL]
    with connection.cursor() as cursor:
        cursor.execute(_APPEND_AT_HEAD, values)
        written = cursor.fetchone()
    if written is None:
        sheet.head_seq, sheet.head_hash, sheet.state = read
        return None
    match.version += 1
    for entry in entries:
        entry.at = written[0]
    return entries


def begin_sheets(
    *,
    sheets: Sequence[Sheet],
    events: Sequence[Any],
    states: Sequence[Any],
    user: User | None,
    claim: Claim | None = None,
) -> None:
    """Store new sheets, each with its first event and the state that this comes to (two queries)."""
    entries = []
    for sheet, event, state in zip(sheets, events, states, strict=True):
        entries.append(_entry(sheet, event, FIRST, Shown(), user=user, claim=claim))
        link(sheet, entries[-1])
        sheet.state = log_of(sheet).state_bytes(state).decode()
    Sheet.objects.bulk_create(sheets)
    for entry, sheet in zip(entries, sheets, strict=True):
        entry.sheet = sheet
    insert(entries)


def begin_whole(*, sheet: Sheet, log: LinkedLog, user: User | None) -> Sheet:
    """Store a new sheet with its whole log (two queries)."""
    sheet.head_seq, sheet.head_hash, sheet.state = log.seq, log.hash, log.state
    sheet.save(force_insert=True)
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN_WHOLE, [sheet.pk, user.pk if user else None, log.rows])
    return sheet


def _entry(
    sheet: Sheet,
    event: Any,
    key: str,
    act: Shown,
    *,
    user: User | None,
    claim: Claim | None = None,
    replaces: int | None = None,
    note: Note | None = None,
) -> SheetEvent:
    kind, body = log_of(sheet).event_to_plain(event)
    return SheetEvent(
        sheet=sheet,
        client_key=key,
        kind=kind,
        body=body,
        replaces=replaces,
        user=user,
        claim=claim,
        note=note,
        side=act.side,
        notation=act.notation,
    )


def replay_sheet(sheet: Sheet) -> Any:
    """The state that the log comes to: a MatchState or, of a chouette, a SessionState.

    Raises the ScoringError of the first event that does not fit.
    """
    kind = log_of(sheet)
    return kind.replay(row.event for row in numbered(kind, sheet))


def damage_of_log(sheet: Sheet) -> Damage | None:
    """Damage of a stored log, or None: its chain, notes and replayed state."""
    if damage := chain_damage(sheet):
        return damage
    try:
        state = replay_sheet(sheet)
    except ScoringError as error:
        return Damage(sheet.head_seq, f"the log does not replay: {error}")
    if sheet.state != log_of(sheet).state_bytes(state).decode():
        return Damage(0, "the stored state is not what the log comes to")
    return None


def lock_sheet(pk: int) -> Sheet:
    """The sheet with its clock, locked until the transaction ends: the first lock of every change.

    Raises ResultRefused for a match that lives on another machine.
    """
    sheet = _locked(Sheet.objects.select_related("clock").filter(pk=pk)).get()
    require_here(sheet)
    return sheet


def require_here(sheet: Sheet) -> None:
    """Raise ResultRefused if the match was moved to another computer."""
    if sheet.moved_at is not None:
        since = moment(sheet.moved_at, sheet.club.zone)
        raise ResultRefused(
            _("This match was moved to another computer on %(since)s. Record it there.") % {"since": since},
            code="moved",
        )


def hold_match(sheet: QuerySet[Sheet]) -> Match:
    """The match of the one sheet that is asked for, with its result: both locked until the transaction ends.

    Raises Sheet.DoesNotExist for no sheet, Match.DoesNotExist for one of a chouette and ResultRefused
    for a match that lives on another machine.
    """
    held = _locked(sheet).get()
    require_here(held)
    match: Match
    for match, result in read(_MATCH, [held.pk], *_MATCH_AND_RESULT):
        match.sheet = held
        if result is None:
            of_match: Any = Match._meta.get_field("result")
            of_match.set_cached_value(match, None)  # known to be none: nobody need ask for it
        else:
            match.result = result
        return match
    raise Match.DoesNotExist(f"sheet {held.pk} is of no match")


_MATCH_AND_RESULT = (Columns(Match, "match"), Columns(Result, "result"))
_MATCH = f"""
    SELECT {", ".join(each.text for each in _MATCH_AND_RESULT)}
    FROM {Match._meta.db_table} AS match
        LEFT JOIN {Result._meta.db_table} AS result ON result.match_id = match.id
    WHERE match.sheet_id = %s AND NOT match.in_chouette FOR NO KEY UPDATE OF match
"""  # noqa: S608 - the tables' names are our own


def _locked(sheet: QuerySet[Sheet]) -> QuerySet[Sheet]:
    return sheet.select_for_update(of=("self",), no_key=True)


def lock_match(match: Match) -> tuple[Sheet, Match]:
    """The sheet and the match with its result, locked in this order until the transaction ends.

    Before the record of a chouette's game the chouette's own sheet is locked.
    """
    if match.in_chouette:
        lock_sheet(Sheet.objects.values_list("pk", flat=True).get(chouette__games__match=match))
    sheet = lock_sheet(match.sheet_id)
    current = (
        Match.with_boards.select_related("club", "result")
        .select_for_update(of=("self",), no_key=True)
        .get(pk=match.pk)
    )
    current.sheet = sheet
    return sheet, current


def state_of(sheet: Sheet) -> MatchState:
    """The state of the head as it is stored."""
    return state_from_plain(json.loads(sheet.state))
