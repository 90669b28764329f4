"""Record entries on a scoresheet: each once, in order, and legal.

An entry carries the writer's own key and the seq that it follows. A key that is known already is answered as
the first time; an entry that follows anything but the head is a conflict. What is accepted is applied to the
stored state of the head, so that an append costs the same however long the match is.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import transaction
from django.utils.translation import gettext_noop as _

from clubs.live.topics import publish
from clubs.models import Note
from clubs.refusals import Refused
from scoring.log.queries.sheets import log_of
from scoring.log.queries.writers import Author, is_final
from scoring.log.services.notes import is_same, put_away
from scoring.log.services.sheets import Shown, append_events, lock_match, shown_of, state_of
from scoring.models import Match, MatchStatus, Sheet, SheetEvent
from scoring.rules.errors import IllegalAction, InvalidValue, ScoringError
from scoring.rules.events import Event
from scoring.rules.logs import LogKind
from scoring.rules.match_state import MatchState, Status
from scoring.rules.sheet import apply
from scoring.sheets.queries.opened_match import Written
from scoring.sheets.services.clocks import stop_clock
from scoring.sheets.services.effects import follow_state
from scoring.sheets.services.guards import refuse_entry

E = TypeVar("E")
E_co = TypeVar("E_co", covariant=True)

MOST_ENTRIES = 200
LONGEST_KEY = 64


@dataclass(frozen=True, slots=True)
class Entry(Generic[E_co]):
    """One event under the writer's own key (1 to 64 characters), unique in the sheet."""

    key: str
    event: E_co


class ConflictRefused(Refused):
    """Someone else wrote first: the sheet's head is at ``seq``."""

    code = "behind"
    template = _("Someone else changed the scoresheet: it has {seq} events, not {after}.")

    def __init__(self, seq: int, after: int) -> None:
        self.seq, self.after = seq, after
        self.parameters = {"seq": seq, "after": after}
        super().__init__(f"The sheet has {seq} events, not {after}.")


def require_head(sheet: Sheet, after: int) -> None:
    """Raise ConflictRefused unless the writer has seen the sheet's last event."""
    if after != sheet.head_seq:
        raise ConflictRefused(sheet.head_seq, after)


class EntryRefused(Refused):
    """An entry is refused and nothing is written; ``at`` is its index, ``error`` why."""

    def __init__(self, at: int, error: ScoringError) -> None:
        self.at, self.error = at, error
        super().__init__(str(error))


def record(
    *, match: Match, author: Author, after: int, entries: Sequence[Entry[Event]], hold: object = None
) -> Match:
    """Append all entries or none to the match's sheet. Returns the changed match.

    ``after`` is the seq that the first entry follows. Entries that were written before (a repeated call after
    a lost answer) are passed over. ``hold`` goes to the receivers of ``result_changed``. Raises
    ConflictRefused when the head is elsewhere, EntryRefused for an event that may not happen.
    """
    check_entries(entries)
    with transaction.atomic():
        sheet, current = lock_match(match)
        fresh = not_yet_written(sheet, after, entries)
        if not fresh:
            return current
        refuse_if_final(current, author)
        before = state_of(sheet)
        folded = fold(sheet, before, fresh, author, first=len(entries) - len(fresh))
        append_events(
            sheet=sheet,
            events=[event for event, _note in folded.written],
            state=folded.state,
            user=author.user,
            claim=author.claim,
            client_keys=[entry.key for entry in fresh],
            shown=folded.shown,
            notes=[note for _event, note in folded.written],
        )
        if folded.state.status is not Status.PLAYING and before.status is Status.PLAYING:
            stop_clock(sheet)
        follow_state(match=current, state=folded.state, author=author, hold=hold)
        if current.in_chouette:  # the result's version was told when it was written
            publish(current.ref, current.version)
    return current


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded entries: the new state, stored events, and how each is shown."""

    state: MatchState
    written: Sequence[tuple[Event, Note | None]]
    shown: Sequence[Shown]


def fold(
    sheet: Sheet, state: MatchState, fresh: Sequence[Entry[Event]], author: Author, *, first: int
) -> Folded:
    """Apply entries to the head's state; ``first`` is the first entry's index.

    Raises EntryRefused for an event that may not happen. An event with free text is put away in a note,
    which is written at once: call it in the transaction that appends.
    """
    shown = list[Shown]()
    written = list[tuple[Event, Note | None]]()
    for at, entry in enumerate(fresh, start=first):
        try:
            refuse_entry(sheet, state, entry.event, author)
            shown.append(shown_of(state, entry.event))
            state = apply(state, entry.event)
            written.append(put_away(entry.event))
        except ScoringError as error:
            raise EntryRefused(at, error) from error
    return Folded(state, written, shown)


def refuse_if_final(match: Match, author: Author) -> None:
    """Refuse changes to a final or void match unless the author directs."""
    if match.status == MatchStatus.VOID and not author.directs:
        raise EntryRefused(0, IllegalAction("void", "the match is void: only directors can change it"))
    if is_final(match) and not author.directs:
        raise EntryRefused(0, IllegalAction("final", "the result is final: only directors can change it"))


def check_key(key: str) -> None:
    """Raise InvalidValue for an empty, too long or unprintable key."""
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise InvalidValue("key", "{key!r} is not a key of 1 to {most} characters", key=key, most=LONGEST_KEY)


def check_entries(entries: Sequence[Entry[Any]]) -> None:
    """Raise InvalidValue for no or too many entries, invalid or repeated keys."""
    if not 1 <= len(entries) <= MOST_ENTRIES:
        raise InvalidValue(
            "entries", "send 1 to {most} entries at once, not {count}", most=MOST_ENTRIES, count=len(entries)
        )
    keys = [entry.key for entry in entries]
    for key in keys:
        check_key(key)
    if len(set(keys)) < len(keys):
        raise InvalidValue("key_twice", "two entries have the same key")


def not_yet_written(sheet: Sheet, after: int, entries: Sequence[Entry[E]]) -> Sequence[Entry[E]]:
    """The entries that are new.

    Raises ConflictRefused when they do not follow the head, EntryRefused for a key that stands for
    something else.
    """
    rows = SheetEvent.objects.filter(sheet=sheet, client_key__in=[entry.key for entry in entries])
    written = {
        key: (seq, kind, body)
        for key, seq, kind, body in rows.values_list("client_key", "seq", "kind", "body")
    }
    return fresh_among(sheet, after, entries, written)


def fresh_among(
    sheet: Sheet, after: int, entries: Sequence[Entry[E]], written: Written
) -> Sequence[Entry[E]]:
    """``not_yet_written`` with the events already stored under the keys."""
    known = 0
    for entry in entries:
        if entry.key not in written:
            break
        seq, kind, body = written[entry.key]
        if not is_same(kind, body, plain_of(log_of(sheet), entry.event)):
            raise EntryRefused(
                known,
                InvalidValue("key_used", "the key {key} is already used for another event", key=entry.key),
            )
        known += 1
        after = max(after, seq)
    fresh = entries[known:]
    if fresh and (after != sheet.head_seq or any(entry.key in written for entry in fresh)):
        raise ConflictRefused(sheet.head_seq, after)
    return fresh


def plain_of(log: LogKind[Any, Any], event: object) -> tuple[str, dict[str, Any]]:
    """The event's kind and body as read from the database."""
    kind, body = log.event_to_plain(event)
    return kind, json.loads(json.dumps(body))
