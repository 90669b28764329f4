"""Undo and correct entries: append events that replace earlier ones.

The old events stay. What follows a corrected event is revalidated; what no longer fits is shown, and is
taken away with everything after it only when the writer says so.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction

from clubs.live.topics import publish
from clubs.models import Note
from scoring.log.queries.sheets import NumberedEvent, events_of
from scoring.log.queries.writers import Author, is_final
from scoring.log.services.notes import put_away
from scoring.log.services.sheets import Shown, append_events, lock_match, shown_of
from scoring.models import Match, Sheet, SheetEvent
from scoring.rules.errors import IllegalAction, ScoringError
from scoring.rules.events import Event, MatchEnded, MatchStarted, Voided
from scoring.rules.logs import MATCH_LOG
from scoring.rules.match_state import MatchState
from scoring.rules.match_transitions import in_game
from scoring.sheets.services.effects import follow_state
from scoring.sheets.services.entries import EntryRefused, check_key, refuse_if_final, require_head
from scoring.sheets.services.guards import is_directors, refuse_entry
from scoring.sheets.services.refolds import (
    Refold,
    Replacement,
    is_repeated,
    put_in_place,
    refold,
    replaced,
    require_reason,
    standing_at,
)
from scoring.signals import score_changed


def undo_last(*, match: Match, author: Author, after: int, key: str) -> Match:
    """Undo the last valid event. Returns the changed match.

    Raises ConflictRefused when the head is not at ``after``, EntryRefused when nothing is left to take
    back, and for a result that is final.
    """
    check_key(key)
    with transaction.atomic():
        sheet, current = lock_match(match)
        if is_repeated(sheet, key, Voided()):
            return current
        _require(sheet, current, author, after)
        if is_final(current):
            raise EntryRefused(
                0, IllegalAction("final_undo", "the result is final: correct it and give a reason instead")
            )
        log = events_of(sheet)
        last = next((row for row in reversed(log) if not isinstance(row.event, Voided)), None)
        if last is None or isinstance(last.event, MatchStarted):
            raise EntryRefused(0, IllegalAction("nothing_to_undo", "there is nothing to undo"))
        _leave_directors(sheet, last.event, author)
        gone: dict[int, Event] = {last.seq: Voided()}
        if current.in_chouette and isinstance(last.event, MatchEnded):
            # The board's end was written with the play that ended the game, and goes with it.
            gone |= {row.seq: Voided("cut") for row in last_standing(log)[1:]}
        folded = refold(MATCH_LOG, replaced(log, gone), shown_of)
        new = Replacement(list(gone.items()), folded)
        _write(sheet, current, author, folded, new.changes, new.keys(key), None)
    return current


def last_standing(log: Sequence[NumberedEvent[Event]]) -> list[NumberedEvent[Event]]:
    """The last two valid events of a record, last first."""
    return [row for row in reversed(log) if not isinstance(row.event, Voided)][:2]


def correct(
    *,
    match: Match,
    author: Author,
    after: int,
    key: str,
    seq: int,
    event: Event,
    reason: str,
    cut: bool = False,
    hold: object = None,
) -> Match:
    """Replace the event ``seq``; ``Voided()`` removes it. Returns the match.

    Everything after it is revalidated. Raises CorrectionRefused for the first event that does not
    fit any more; with ``cut`` that one and all after it are taken away instead. ``hold`` goes to the
    receivers of ``result_changed``. Raises ConflictRefused when the
    head is not at ``after``; EntryRefused for an event that may not stand there, for the start of the
    match, without a reason where the result is final, and for people who may not correct it.
    """
    check_key(key)
    with transaction.atomic():
        sheet, current = lock_match(match)
        if is_repeated(sheet, key, event, seq):
            return current
        _require(sheet, current, author, after)
        log = events_of(sheet)
        _check_place(sheet, log, seq, event, author, reason)
        event, note = put_away(event, reason)
        new = put_in_place(
            MATCH_LOG,
            log,
            seq,
            event,
            cut=cut,
            show=shown_of,
            may_go=lambda standing: _leave_directors(sheet, standing, author),
        )
        _write(sheet, current, author, new.folded, new.changes, new.keys(key), note, hold)
    return current


def _leave_directors(sheet: Sheet, standing: Event, author: Author) -> None:
    """Refuse to remove a director's entry unless the author directs."""
    if is_directors(sheet, standing) and not author.directs:
        refused = IllegalAction("for_directors", "only directors can remove this: {kind}", kind=standing.kind)
        raise EntryRefused(0, refused)


def _require(sheet: Sheet, match: Match, author: Author, after: int) -> None:
    require_head(sheet, after)
    refuse_if_final(match, author)


def _check_place(
    sheet: Sheet, log: Sequence[NumberedEvent[Event]], seq: int, event: Event, author: Author, reason: str
) -> None:
    standing = standing_at(log, seq)
    if isinstance(standing.event, MatchStarted):
        raise EntryRefused(
            0, IllegalAction("start_stands", "the start of a match cannot be corrected: set the length")
        )
    _leave_directors(sheet, standing.event, author)
    require_reason(reason)
    if not isinstance(event, Voided):
        try:
            refuse_entry(sheet, refold(MATCH_LOG, [row for row in log if row.seq < seq]).state, event, author)
        except ScoringError as error:
            raise EntryRefused(0, error) from error


def _write(
    sheet: Sheet,
    match: Match,
    author: Author,
    folded: Refold[MatchState],
    changes: Sequence[tuple[int, Event]],
    keys: Sequence[str],
    note: Note | None,
    hold: object = None,
) -> None:
    append_events(
        sheet=sheet,
        events=[event for _seq, event in changes],
        state=folded.state,
        user=author.user,
        claim=author.claim,
        client_keys=keys,
        replaces=[seq for seq, _event in changes],
        shown=[folded.shown.get(seq, Shown()) for seq, _event in changes],
        notes=[note, *[None] * (len(changes) - 1)],
    )
    _update_shown(sheet, folded.shown)
    follow_state(match=match, state=folded.state, author=author, hold=hold)
    if in_game(folded.state):
        score_changed.send(sender=Match, match=match)
    publish(match.ref, match.version)


def _update_shown(sheet: Sheet, shown: Mapping[int, Shown]) -> None:
    """Update the side and notation of later events after a correction."""
    rows = SheetEvent.objects.filter(sheet=sheet, seq__in=shown).exclude(replaces__isnull=False)
    changed = []
    for row in rows.only("seq", "kind", "side", "notation"):
        fresh = shown[row.seq]
        if row.kind != Voided.kind and (row.side, row.notation) != (fresh.side, fresh.notation):
            row.side, row.notation = fresh.side, fresh.notation
            changed.append(row)
    SheetEvent.objects.bulk_update(changed, ["side", "notation"], batch_size=1000)
