"""Writing on a scoresheet while the match is played: each event once, in order, only what may happen.

An entry carries the writer's own key and the seq that it follows. A key that is known already is answered as
the first time; an entry that follows anything but the head is a conflict. What is accepted is applied to the
stored state of the head, so that an append costs the same however long the match is.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from clubs.live import publish
from scoring.models import Match, Sheet, SheetEvent
from scoring.queries.writers import Author, is_final
from scoring.rules.errors import IllegalAction, InvalidValue, ScoringError
from scoring.rules.events import Event, MatchStarted, Voided, event_to_plain
from scoring.rules.match_state import MatchState, state_from_plain
from scoring.rules.sheet import apply
from scoring.services.outcomes import follow_state
from scoring.services.sheets import Shown, append_events, lock_sheet, shown_of, write_state

MOST_ENTRIES = 200
LONGEST_KEY = 64


@dataclass(frozen=True, slots=True)
class Entry:
    """One event under the writer's own key (1 to 64 characters), unique in the sheet."""

    key: str
    event: Event


class ConflictError(Exception):
    """Somebody else has written since: the sheet's head is at ``seq``, not where the entry follows."""

    def __init__(self, seq: int, after: int) -> None:
        self.seq, self.after = seq, after
        super().__init__(f"The sheet has {seq} events, not {after}.")


class RefusedEntryError(Exception):
    """One entry of a call may not be written; ``at`` is its index, ``error`` says why. Nothing is written."""

    def __init__(self, at: int, error: ScoringError) -> None:
        self.at, self.error = at, error
        super().__init__(str(error))


def record(*, match: Match, author: Author, after: int, entries: Sequence[Entry]) -> Match:
    """Append the entries to the match's sheet: all of them, or none. Returns the match as it is then.

    ``after`` is the seq that the first entry follows. Entries that were written before (a repeated call after
    a lost answer) are passed over. Raises ConflictError when the head is elsewhere, RefusedEntryError for an
    event that may not happen.
    """
    _check_keys(entries)
    with transaction.atomic():
        sheet, current = lock_match(match)
        fresh = _not_yet_written(sheet, after, entries)
        if not fresh:
            return current
        refuse_if_final(current, author)
        before = state_of(sheet)
        state, shown = before, list[Shown]()
        for at, entry in enumerate(fresh, start=len(entries) - len(fresh)):
            try:
                refuse_out_of_place(entry.event)
                shown.append(shown_of(state, entry.event))
                state = apply(state, entry.event)
            except ScoringError as error:
                raise RefusedEntryError(at, error) from error
        append_events(
            sheet=sheet,
            events=[entry.event for entry in fresh],
            user=author.user,
            claim=author.claim,
            client_keys=[entry.key for entry in fresh],
            shown=shown,
        )
        write_state(sheet, state)
        follow_state(match=current, state=state, author=author)
        publish(current.ref, current.version)
    return current


def lock_match(match: Match) -> tuple[Sheet, Match]:
    """The sheet and the match with its result, locked in this order until the transaction ends."""
    sheet = lock_sheet(match.sheet_id)
    current = (
        Match.objects.select_related("club", "result")
        .select_for_update(of=("self",), no_key=True)
        .get(pk=match.pk)
    )
    current.sheet = sheet
    return sheet, current


def state_of(sheet: Sheet) -> MatchState:
    """The state of the head as it is stored."""
    return state_from_plain(json.loads(sheet.state))


def refuse_if_final(match: Match, author: Author) -> None:
    """A final result changes only at a director's hand."""
    if is_final(match) and not author.directs:
        raise RefusedEntryError(
            0, IllegalAction("final", "the result is final: only a director of the club changes it")
        )


def refuse_out_of_place(event: Event) -> None:
    """What is never entered as something that happened."""
    if isinstance(event, Voided | MatchStarted):
        raise IllegalAction(
            "not_an_entry", "{kind} is not entered: take the event back instead", kind=event.kind
        )


def check_key(key: str) -> None:
    """Raise InvalidValue for a key that cannot be: empty, too long, unprintable."""
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise InvalidValue("key", "{key!r} is no key: 1 to {most} characters", key=key, most=LONGEST_KEY)


def _check_keys(entries: Sequence[Entry]) -> None:
    if not 1 <= len(entries) <= MOST_ENTRIES:
        raise InvalidValue(
            "entries", "1 to {most} entries come at once, not {count}", most=MOST_ENTRIES, count=len(entries)
        )
    keys = [entry.key for entry in entries]
    for key in keys:
        check_key(key)
    if len(set(keys)) < len(keys):
        raise InvalidValue("key_twice", "one key stands twice among the entries")


def _not_yet_written(sheet: Sheet, after: int, entries: Sequence[Entry]) -> Sequence[Entry]:
    """The entries that are new. Raises ConflictError when they do not follow the head."""
    written = {
        key: (seq, kind, body)
        for key, seq, kind, body in SheetEvent.objects.filter(
            sheet=sheet, client_key__in=[entry.key for entry in entries]
        ).values_list("client_key", "seq", "kind", "body")
    }
    known = 0
    for entry in entries:
        if entry.key not in written:
            break
        seq, kind, body = written[entry.key]
        if (kind, body) != _plain(entry.event):
            raise RefusedEntryError(
                known,
                InvalidValue("key_used", "the key {key} stands for another event already", key=entry.key),
            )
        known += 1
        after = max(after, seq)
    fresh = entries[known:]
    if fresh and (after != sheet.head_seq or any(entry.key in written for entry in fresh)):
        raise ConflictError(sheet.head_seq, after)
    return fresh


def _plain(event: Event) -> tuple[str, object]:
    kind, body = event_to_plain(event)
    return kind, json.loads(json.dumps(body))
