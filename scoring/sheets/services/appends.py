"""Append entries to a sheet without locks, in one statement.

It is for what most entries are: a roll, a play or a cube action in the course of a game. Where more hangs on
an entry (a game or the match is over, free text goes into a note, a chouette's table follows), and where
somebody else was faster, the long way of :func:`scoring.sheets.services.entries.record` is taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from scoring.log.queries.writers import Author
from scoring.log.services.notes import text_in
from scoring.log.services.sheets import append_at_head, state_of
from scoring.models import Match, MatchStatus, SheetEvent
from scoring.rules.events import Event
from scoring.rules.guards import GAME_KINDS
from scoring.rules.match_state import MatchState, Status
from scoring.rules.match_transitions import in_game
from scoring.sheets.queries.opened_match import Opened, open_match_of
from scoring.sheets.services.entries import (
    ConflictRefused,
    Entry,
    check_entries,
    fold,
    fresh_among,
    record,
    refuse_if_final,
)


class SheetOvertakenRefused(ConflictRefused):
    """Someone else wrote after the match was opened; ``opened`` is the current match."""

    def __init__(self, seq: int, after: int, opened: Opened) -> None:
        self.opened = opened
        super().__init__(seq, after)


@dataclass(frozen=True, slots=True)
class Appended:
    """The changes of a short append: version before, both states, the new rows."""

    version: int
    before: MatchState
    state: MatchState
    rows: Sequence[SheetEvent]


def append(
    *, opened: Opened, author: Author, after: int, entries: Sequence[Entry[Event]]
) -> Appended | Match:
    """Record all entries or none on a match opened with the entries' keys.

    Returns what was appended, the opened match then being as it is now; the match as the long way read it;
    or the opened match, unchanged, where everything had been written before. Raises what ``record`` raises.
    """
    check_entries(entries)
    match = opened.match
    fresh = fresh_among(match.sheet, after, entries, opened.written)
    if not fresh:
        return match
    refuse_if_final(match, author)
    events = [entry.event for entry in fresh]
    if not _is_plain(match, events):
        return record(match=match, author=author, after=after, entries=entries)
    version, before = match.version, state_of(match.sheet)
    folded = fold(match.sheet, before, fresh, author, first=len(entries) - len(fresh))
    if not _goes_on(before, folded.state):
        return record(match=match, author=author, after=after, entries=entries)
    rows = append_at_head(
        match=match,
        events=events,
        author=author,
        client_keys=[entry.key for entry in fresh],
        shown=folded.shown,
        state=folded.state,
    )
    if rows is None:
        return _overtaken(match, author=author, after=after, entries=entries)
    return Appended(version, before, folded.state, rows)


def _overtaken(match: Match, *, author: Author, after: int, entries: Sequence[Entry[Event]]) -> Match:
    """The match reread without a lock after someone else wrote.

    Raises SheetOvertakenRefused where that came first. What else has changed of the match (its clock) is left
    to the long way.
    """
    again = open_match_of(match.ref, author.user or AnonymousUser(), [entry.key for entry in entries])
    if again is None:
        raise Match.DoesNotExist(f"The match {match.ref} is not there any more.")
    try:
        fresh = fresh_among(again.match.sheet, after, entries, again.written)
    except ConflictRefused as conflict:
        raise SheetOvertakenRefused(conflict.seq, conflict.after, again) from None
    return record(match=match, author=author, after=after, entries=entries) if fresh else again.match


def _is_plain(match: Match, events: Sequence[Event]) -> bool:
    """Whether these events change only the sheet and the match's version."""
    is_open = match.status == MatchStatus.PLAYING and getattr(match, "result", None) is None
    return (
        is_open
        and not match.digest
        and not match.in_chouette
        and all(event.kind in GAME_KINDS and not text_in(event) for event in events)
    )


def _goes_on(before: MatchState, after: MatchState) -> bool:
    """Whether the same game goes on at the same score."""
    return (
        before.status is Status.PLAYING
        and after.status is Status.PLAYING
        and after.outcome is None
        and after.score == before.score
        and len(after.games) == len(before.games)
        and in_game(after)
    )
