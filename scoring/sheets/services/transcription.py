"""Record typed lines: parse them in the head's state, then record the entries."""

from collections.abc import Sequence
from contextlib import suppress

from django.db import transaction

from scoring.log.queries.sheets import events_of
from scoring.log.queries.writers import Author
from scoring.log.services.notes import is_same
from scoring.log.services.sheets import lock_match, state_of
from scoring.models import Match, Sheet, SheetEvent
from scoring.notation.typed import read_timed_line
from scoring.rules.errors import InvalidValue, ScoringError
from scoring.rules.events import Event
from scoring.rules.logs import MATCH_LOG
from scoring.rules.sheet import replay
from scoring.sheets.services.entries import (
    Entry,
    EntryRefused,
    check_key,
    plain_of,
    record,
    require_head,
)
from scoring.sheets.services.videos import note_time


def record_text(*, match: Match, author: Author, after: int, key: str, text: str) -> Match:
    """Record a typed line, all of it or nothing. Returns the match.

    A line that begins with its time in the match's video notes that time at its first event. The first event
    gets ``key``, the others ``key~2`` and so on; a line sent again is not recorded again. Raises
    ConflictRefused when the head is not at ``after``, EntryRefused for the key of another line or entry, and
    what ``read_timed_line``, ``note_time`` and ``record`` raise.
    """
    check_key(f"{key}~99")
    with transaction.atomic():
        sheet, current = lock_match(match)
        if first := SheetEvent.objects.filter(sheet=sheet, client_key=key).first():
            _refuse_another(sheet, first, key, text)
            return current
        require_head(sheet, after)
        seconds, events = read_timed_line(state_of(sheet), text)
        if seconds is not None:
            note_time(match=current, seq=after + 1, seconds=seconds)
        entries = [Entry(_key(key, number), event) for number, event in enumerate(events, 1)]
        return record(match=match, author=author, after=after, entries=entries)


def _refuse_another(sheet: Sheet, first: SheetEvent, key: str, text: str) -> None:
    """Raise EntryRefused if the key is already used for another line."""
    events: Sequence[Event] = ()
    if first.seq > 1:
        before = replay(numbered.event for numbered in events_of(sheet, upto=first.seq - 1))
        with suppress(ScoringError):  # what cannot be read or played here is another line
            _seconds, events = read_timed_line(before, text)
    keys = [_key(key, number) for number in range(1, len(events) + 2)]
    rows = SheetEvent.objects.filter(sheet=sheet, client_key__in=keys, replaces=None).order_by("seq")
    same = len(rows) == len(events) > 0 and all(
        is_same(row.kind, row.body, plain_of(MATCH_LOG, event))
        for row, event in zip(rows, events, strict=True)
    )
    if not same:
        raise EntryRefused(
            0, InvalidValue("key_used", "the key {key} is already used for another event", key=key)
        )


def _key(key: str, number: int) -> str:
    return key if number == 1 else f"{key}~{number}"
