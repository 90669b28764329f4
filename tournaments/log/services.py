"""The event's log: what the desk did, by whom and when. Written only here.

Its body has refs and numbers, its free text is a note.
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
    """The event with its club, locked until the transaction ends: after sheets and stages, before nothing."""
    return Event.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=event.pk)


def _lock_head(event: Event) -> None:
    """Read the head of its log; the event stays locked until the transaction ends."""
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
    """Append an entry in the caller's transaction; every open page of the event hears of it.

    ``body`` has refs, numbers and codes, never names; ``text`` is what somebody wrote in their own words.
    Raises InvalidValue for a text of more than 2000 characters, IntegrityError for an ``undoes`` that stands
    in the log already, MovedAwayRefused for an event that lives on another machine.
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
    """Append an entry about a pairing's match (of a tie, at this board); the pairing is ``seen`` up to it.

    The caller holds its draw. Raises as ``note``.
    """
    event = pairing.stage.flight.event
    entry = note(event=event, kind=kind, user=user, text=text, pairing=pairing.ref, board=board, **body)
    PairingRow.objects.filter(pk=pairing.pk).update(desk_seq=entry.seq)
    return entry


class StaleRefused(Refused):
    """Somebody else has changed the stage since this page was made; ``head`` is the log's length now."""

    def __init__(self, head: int) -> None:
        super().__init__(_("Someone else changed this draw. Reload the page and try again."))
        self.head = head
