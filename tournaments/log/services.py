"""Write the event's log: actions of the desk with author and time.

The body has refs and numbers, free text is a note. Only this module writes it.
"""

from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

from clubs.live.topics import publish_next
from clubs.models import User
from clubs.refusals import Refused
from scoring.log.services.chains import append
from scoring.log.services.notes import note_of
from tournaments.log.refusals import MovedAwayRefused
from tournaments.models import DeskEvent, Event, PairingRow
from tournaments.signals import entry_written


def lock_event(event: Event) -> Event:
    """Lock the event, as the last lock of a transaction, and load its club."""
    return Event.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=event.pk)


def _lock_head(event: Event) -> None:
    """Load the head of the log and lock the event."""
    with connection.cursor() as cursor:
        cursor.execute(_HEAD, [event.pk])
        head = cursor.fetchone()
    if head is None:
        raise Event.DoesNotExist(f"event {event.pk} is not there any more")
    event.head_seq, event.head_hash, event.moved_at, event.moved_to = head
    if event.moved_at is not None:
        raise MovedAwayRefused(event)


_HEAD = f"""
    SELECT head_seq, head_hash, moved_at, moved_to FROM {Event._meta.db_table} WHERE id = %s FOR NO KEY UPDATE
"""  # noqa: S608 - the table's name is our own


def note(
    *,
    event: Event,
    kind: str,
    user: User | None,
    text: str = "",
    undoes: int | None = None,
    **body: Any,
) -> DeskEvent:
    """Append an entry in the caller's transaction and notify open pages.

    ``body`` has refs, numbers and codes, never names; ``text`` is free text. Raises InvalidValue for a text
    over 2000 characters, IntegrityError if ``undoes`` is already undone, MovedAwayRefused for an event on
    another computer.
    """
    _lock_head(event)
    row = DeskEvent(event=event, kind=kind, body=body, undoes=undoes, user=user, note=note_of(text))
    append(event, [row])
    event.version = publish_next(Event, event.pk)
    entry_written.send(sender=DeskEvent, entry=row)
    return row


def note_match(
    pairing: PairingRow, kind: str, *, user: User, text: str, board: int, **body: Any
) -> DeskEvent:
    """Append an entry about a pairing's match (or board) and update ``desk_seq``.

    The caller holds the draw. Raises as ``note``.
    """
    event = pairing.stage.flight.event
    entry = note(event=event, kind=kind, user=user, text=text, pairing=pairing.ref, board=board, **body)
    PairingRow.objects.filter(pk=pairing.pk).update(desk_seq=entry.seq)
    return entry


class StaleRefused(Refused):
    """The stage has changed since the page was loaded.

    ``head`` is the new log length.
    """

    def __init__(self, head: int) -> None:
        super().__init__(_("Someone else changed this draw. Reload the page and try again."))
        self.head = head
