"""Undoing and correcting events of a table; later events are validated again."""

from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction

from scoring.chouettes.services.board_ends import follow_table
from scoring.chouettes.services.chouettes import (
    known_refs,
    lock_table,
    no_entry,
    publish_state,
    refuse_at_table,
    refuse_phones_at_closed,
    require_bounds,
)
from scoring.chouettes.services.rows import rewrite_games, spans_in, write_seats
from scoring.log.queries.chouettes import shows_money
from scoring.log.queries.sheets import NumberedEvent, numbered
from scoring.log.queries.writers import Author
from scoring.log.services.notes import note_of
from scoring.log.services.sheets import append_events
from scoring.models import (
    Chouette,
)
from scoring.rules.chouette.events import (
    ChouetteEvent,
    Joined,
    Nothing,
    PaymentMade,
    SeatHanded,
    SessionStarted,
    StakeSet,
)
from scoring.rules.chouette.session_state import SessionState
from scoring.rules.errors import IllegalAction, ScoringError
from scoring.rules.logs import CHOUETTE_LOG
from scoring.sheets.services.entries import (
    EntryRefused,
    check_key,
    require_head,
)
from scoring.sheets.services.refolds import (
    Replacement,
    is_repeated,
    put_in_place,
    require_reason,
    standing_at,
)


def undo_last(*, chouette: Chouette, author: Author, after: int, key: str) -> Chouette:
    """Undo the last event; returns the table.

    Raises ConflictRefused when the head is not at ``after``, EntryRefused with nothing to undo.
    """
    check_key(key)
    with transaction.atomic():
        table = lock_table(chouette)
        if is_repeated(table.sheet, key, Nothing()):
            return table
        refuse_phones_at_closed(table, author)
        require_head(table.sheet, after)
        log = numbered(CHOUETTE_LOG, table.sheet)
        last = next((row for row in reversed(log) if _is_undone_in_turn(row.event)), log[0])
        if isinstance(last.event, SessionStarted):
            raise EntryRefused(0, IllegalAction("nothing_to_undo", "there is nothing to undo"))
        new = put_in_place(CHOUETTE_LOG, log, last.seq, Nothing(), cut=False)
        replace_events(table, author, log, new, new.keys(key), reason="")
    return table


def _is_undone_in_turn(event: ChouetteEvent) -> bool:
    """Whether undo applies to an event.

    It skips moved seats, which are not part of the game.
    """
    return not (CHOUETTE_LOG.is_void(event) or _is_seat_handed(event))


def _is_seat_handed(event: ChouetteEvent) -> bool:
    return isinstance(event, SeatHanded)


def _fits_anywhere(event: ChouetteEvent) -> bool:
    """Whether an event stays when a correction cuts what came before: moved seats and payments made."""
    return isinstance(event, SeatHanded | PaymentMade)


def correct(
    *,
    chouette: Chouette,
    author: Author,
    after: int,
    key: str,
    seq: int,
    event: ChouetteEvent,
    reason: str,
    cut: bool = False,
) -> Chouette:
    """Replace the event ``seq`` with ``event``; ``Nothing()`` deletes it.

    Returns the table.

    Later events are validated again and the ledgers rewritten. Raises CorrectionRefused for the first event
    that no longer fits; with ``cut``, it and all later ones are deleted instead, except moved seats and
    payments made. Raises ConflictRefused when the head is not at ``after``; EntryRefused for an event not
    allowed there, for the start, and without a reason.
    """
    check_key(key)
    with transaction.atomic():
        table = lock_table(chouette)
        log = numbered(CHOUETTE_LOG, table.sheet)
        kept = _with_hidden_stake(table, log, seq, event)
        if is_repeated(table.sheet, key, kept, seq):
            return table
        refuse_phones_at_closed(table, author)
        require_head(table.sheet, after)
        _check_place(table, log, seq, event, reason)
        new = put_in_place(CHOUETTE_LOG, log, seq, kept, cut=cut, stays=_fits_anywhere)
        replace_events(table, author, log, new, new.keys(key), reason=reason)
    return table


def _with_hidden_stake(
    table: Chouette, log: Sequence[NumberedEvent[ChouetteEvent]], seq: int, event: ChouetteEvent
) -> ChouetteEvent:
    """The event with the stake of the one it replaces, where stakes are hidden."""
    if shows_money(table) or not isinstance(event, Joined | StakeSet) or event.stake:
        return event
    standing = next((row.event for row in log if row.seq == seq), None)
    return replace(event, stake=standing.stake) if isinstance(standing, Joined | StakeSet) else event


def _check_place(
    table: Chouette, log: Sequence[NumberedEvent[ChouetteEvent]], seq: int, event: ChouetteEvent, reason: str
) -> None:
    standing = standing_at(log, seq)
    if isinstance(standing.event, SessionStarted):
        raise EntryRefused(
            0, IllegalAction("start_stands", "the start cannot be corrected: change the rules instead")
        )
    if isinstance(standing.event, SeatHanded) or isinstance(event, SeatHanded):
        raise EntryRefused(0, no_entry(SeatHanded("")))
    for each in (standing.event, event):
        if isinstance(each, PaymentMade) and not isinstance(event, Nothing):
            raise EntryRefused(0, no_entry(each))
    require_reason(reason)
    if not isinstance(event, Nothing):
        try:
            refuse_at_table(table, event, known_refs(table))
        except ScoringError as error:
            raise EntryRefused(0, error) from error


def replace_events(
    table: Chouette,
    author: Author,
    log: Sequence[NumberedEvent[ChouetteEvent]],
    new: Replacement[ChouetteEvent, SessionState],
    keys: Sequence[str],
    *,
    reason: str,
) -> None:
    """Append a correction with its further changes, and rewrite derived rows."""
    changes, state = dict(new.changes), new.folded.state
    try:
        require_bounds(state)
        note = note_of(reason)
    except ScoringError as error:
        raise EntryRefused(0, error) from error
    append_events(
        sheet=table.sheet,
        events=[event for _seq, event in new.changes],
        state=state,
        user=author.user,
        claim=author.claim,
        client_keys=keys,
        replaces=[seq for seq, _event in new.changes],
        notes=[note, *[None] * (len(new.changes) - 1)],
    )
    rewrite_games(table, spans_in([NumberedEvent(row.seq, changes.get(row.seq, row.event)) for row in log]))
    write_seats(table, state)
    follow_table(table=table, author=author, corrected=changes)
    publish_state(table, state)
