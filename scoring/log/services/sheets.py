"""The append-only log of a match or a chouette: written only here, replayed into everything else.

Each event is linked to the one before by SHA-256, so that a changed or missing row shows (``verify``). A
correction is an event that replaces an earlier one: replay reads the new body in the old one's place.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubs.live.topics import CHANNEL
from clubs.models import Note, User
from clubs.models.columns import Columns, read
from scoring.log.queries.sheets import log_of, numbered
from scoring.log.queries.writers import Author
from scoring.models import Claim, Match, Result, Sheet, SheetEvent
from scoring.notation.plays import format_moves
from scoring.rules.chain import LinkedLog, link_of
from scoring.rules.errors import ScoringError
from scoring.rules.events import Doubled, Event, OpeningRolled, Played, Resigned, Rolled
from scoring.rules.guards import GAME_KINDS
from scoring.rules.match_state import MatchState, state_bytes, state_from_plain
from scoring.signals import ResultRefused

LONGEST_NOTATION = 100
FIRST = "start"  # the client key of a match's first event

# One statement with one parameter for any number of events: a match has hundreds, and an import stores it
# whole.
_APPEND = f"""
    INSERT INTO {SheetEvent._meta.db_table}
        (sheet_id, user_id, claim_id, seq, client_key, kind, body, replaces, hash, side, notation, note_id,
        note_digest)
    SELECT (row->>10)::bigint, %s, %s, (row->>0)::int, row->>1, row->>2, row->3, (row->>4)::int, row->>5,
        row->>6, row->>7, (row->>8)::bigint, row->>9
    FROM jsonb_array_elements(%s::jsonb) AS row
"""  # noqa: S608 - the table's name is our own

# The same with the head that the events move and the state that the log comes to.
_APPEND_WITH_HEAD = f"""
    WITH moved AS (
        UPDATE {Sheet._meta.db_table} SET head_seq = %s, head_hash = %s, state = %s WHERE id = %s
    ) {_APPEND}
"""  # noqa: S608 - the table's name is our own

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
        INSERT INTO {SheetEvent._meta.db_table}
            (sheet_id, user_id, claim_id, seq, client_key, kind, body, hash, side, notation, note_digest)
        SELECT head.sheet_id, %s, %s, (row->>0)::int, row->>1, row->>2, row->3, row->>5, row->>6, row->>7, ''
        FROM head, jsonb_array_elements(%s::jsonb) AS row
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
class Damage:
    """What is wrong with a stored sheet: the first seq at which it shows (0: the head), and what."""

    seq: int
    what: str


@dataclass(frozen=True, slots=True)
class Shown:
    """Who acted ("" for nobody) and how it is written down: what a reader sees without a replay."""

    side: str = ""
    notation: str = ""


def shown_of(before: MatchState, event: Event) -> Shown:
    """How an event shows that happens in the state ``before`` it."""
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
    user: User | None,
    client_keys: Sequence[str] | None = None,
    replaces: Sequence[int | None] | None = None,
    claim: Claim | None = None,
    shown: Sequence[Shown] | None = None,
    notes: Sequence[Note | None] | None = None,
    state: Any = None,
) -> Sheet:
    """Append events that the rules engine has accepted, and move the sheet's head.

    ``client_keys`` are the writer's own names of the events, unique in the sheet; without them the seq is
    used. ``replaces`` names, for a correction, the seq that it stands for; ``shown`` who acted and how it
    is written; ``notes`` the free text that belongs to each, of which the chain has the digest. The caller
    holds the sheet's lock, and writes the head with the state unless ``state``, what the log comes to with
    these events, is written along. Raises IntegrityError for a repeated client key.
    """
    keys = client_keys or [f"seq-{sheet.head_seq + n}" for n in range(1, len(events) + 1)]
    corrected = replaces or [None] * len(events)
    acts = shown or [Shown()] * len(events)
    texts = notes or [None] * len(events)
    rows = [
        [*_linked(sheet, event, key, stands_for, act, note), sheet.pk]
        for event, key, stands_for, act, note in zip(events, keys, corrected, acts, texts, strict=True)
    ]
    if state is not None:
        sheet.state = log_of(sheet).state_bytes(state).decode()
    _store(rows, user=user, claim=claim, head=None if state is None else sheet)
    return sheet


def append_at_head(
    *,
    match: Match,
    events: Sequence[Event],
    author: Author,
    client_keys: Sequence[str],
    shown: Sequence[Shown],
    state: MatchState,
) -> datetime | None:
    """Append events that change nothing but the sheet and its state, where both are still as they were read.

    ``match`` is loaded with its sheet, and follows. Returns when the events were written; None, with nothing
    written, where somebody else has changed the sheet or the match since.
    """
    sheet = match.sheet
    read = sheet.head_seq, sheet.head_hash, sheet.state
    rows = [
        _linked(sheet, event, key, None, act, None)
        for event, key, act in zip(events, client_keys, shown, strict=True)
    ]
    sheet.state = state_bytes(state).decode()
    values: list[Any] = [sheet.pk, read[0], match.version]
    values += [author.user.pk if author.user else None, author.claim.pk if author.claim else None]
    values += [json.dumps(rows), sheet.head_seq, sheet.head_hash, sheet.state, CHANNEL]
    with connection.cursor() as cursor:
        cursor.execute(_APPEND_AT_HEAD, values)
        written = cursor.fetchone()
    if written is None:
        sheet.head_seq, sheet.head_hash, sheet.state = read
        return None
    match.version += 1
    at: datetime = written[0]
    return at


def begin_sheets(
    *,
    sheets: Sequence[Sheet],
    events: Sequence[Any],
    states: Sequence[Any],
    user: User | None,
    claim: Claim | None = None,
) -> None:
    """Store new sheets, each with its first event and the state that this comes to (two queries)."""
    rows = []
    for sheet, event, state in zip(sheets, events, states, strict=True):
        rows.append(_linked(sheet, event, FIRST, None, Shown(), None))
        sheet.state = log_of(sheet).state_bytes(state).decode()
    Sheet.objects.bulk_create(sheets)
    _store([[*row, sheet.pk] for row, sheet in zip(rows, sheets, strict=True)], user=user, claim=claim)


def begin_whole(*, sheet: Sheet, log: LinkedLog, user: User | None) -> Sheet:
    """Store a new sheet with its whole log (two queries)."""
    sheet.head_seq, sheet.head_hash, sheet.state = log.seq, log.hash, log.state
    sheet.save(force_insert=True)
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN_WHOLE, [sheet.pk, user.pk if user else None, log.rows])
    return sheet


def _linked(
    sheet: Sheet, event: Any, key: str, stands_for: int | None, act: Shown, note: Note | None
) -> list[Any]:
    """The columns of the sheet's next event, and the head moved to it."""
    kind, body = log_of(sheet).event_to_plain(event)
    seq = sheet.head_seq + 1
    digest = note.digest if note else ""
    link = link_of(sheet.head_hash, seq, kind, body, stands_for, digest)
    sheet.head_seq, sheet.head_hash = seq, link
    written = [act.side, act.notation, note.pk if note else None, digest]
    return [seq, key, kind, body, stands_for, link, *written]


def _store(
    rows: Sequence[list[Any]], *, user: User | None, claim: Claim | None = None, head: Sheet | None = None
) -> None:
    """Write the rows of events; those of one sheet with its ``head``, where that is given."""
    values: list[Any] = [head.head_seq, head.head_hash, head.state, head.pk] if head else []
    values += [user.pk if user else None, claim.pk if claim else None, json.dumps(rows)]
    with connection.cursor() as cursor:
        cursor.execute(_APPEND_WITH_HEAD if head else _APPEND, values)


def replay_sheet(sheet: Sheet) -> Any:
    """The state that the log comes to: a MatchState or, of a chouette, a SessionState.

    Raises the ScoringError of the first event that does not fit.
    """
    kind = log_of(sheet)
    return kind.replay(row.event for row in numbered(kind, sheet))


def write_state(sheet: Sheet, state: Any) -> None:
    """Store the head that ``append_events`` moved, with the state that the log comes to."""
    sheet.state = log_of(sheet).state_bytes(state).decode()
    sheet.save(update_fields=["head_seq", "head_hash", "state"])


def damage_of_log(sheet: Sheet) -> Damage | None:
    """What is wrong with a stored log, None when all is well: numbers, chain, head, replayed state."""
    previous, last = "", 0
    rows = sheet.events.order_by("seq").values_list("seq", "kind", "body", "replaces", "note_digest", "hash")
    for seq, kind, body, replaces, digest, link in rows:
        if seq != last + 1:
            return Damage(last + 1, "the event is missing")
        if link != link_of(previous, seq, kind, body, replaces, digest):
            return Damage(seq, "the event was changed after it was recorded: its hash does not fit")
        previous, last = link, seq
    if (sheet.head_seq, sheet.head_hash) != (last, previous):
        return Damage(0, f"the head says {sheet.head_seq} events, the log has {last}")
    try:
        state = replay_sheet(sheet)
    except ScoringError as error:
        return Damage(last, f"the log does not replay: {error}")
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
    """Raise ResultRefused for the sheet of a match that lives on another machine."""
    if sheet.moved_at is not None:
        since = date_format(localtime(sheet.moved_at, sheet.club.zone), "j M Y, H:i")
        raise ResultRefused(
            _("This match has been on another machine since %(since)s. Record it there.") % {"since": since},
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
