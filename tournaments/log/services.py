"""The event's log: what the desk did, by whom and when. Written only here.

An entry is linked to the one before by SHA-256; its body has refs and numbers, its free text is a note.
"""

import json
from hashlib import sha256
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

from clubs.live.topics import publish_next
from clubs.models import User
from clubs.refusals import Refused
from scoring.log.services.notes import note_of
from tournaments.log.refusals import MovedAwayRefused
from tournaments.models import DeskEvent, Event


def lock_event(event: Event) -> Event:
    """The event with its club, locked until the transaction ends: after sheets and stages, before nothing."""
    return Event.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=event.pk)


def _lock_head(event: Event) -> tuple[int, str]:
    """Number and hash of the last entry of its log; the event stays locked until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(_HEAD, [event.pk])
        head = cursor.fetchone()
    if head is None:
        raise Event.DoesNotExist(f"event {event.pk} is not there any more")
    seq, link, event.moved_at, event.moved_to = head
    if event.moved_at is not None:
        raise MovedAwayRefused(event)
    return seq, link


_HEAD = f"""
    SELECT desk_seq, desk_hash, moved_at, moved_to FROM {Event._meta.db_table} WHERE id = %s FOR NO KEY UPDATE
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
    last, previous = _lock_head(event)
    written = note_of(text)
    digest = written.digest if written else ""
    seq = last + 1
    link = link_of(previous, seq, kind, body, undoes, digest)
    row = DeskEvent.objects.create(
        event=event,
        seq=seq,
        kind=kind,
        body=body,
        undoes=undoes,
        user=user,
        note=written,
        note_digest=digest,
        hash=link,
    )
    event.desk_seq, event.desk_hash = seq, link
    event.version = publish_next(Event, event.pk, desk_seq=seq, desk_hash=link)
    return row


def link_of(previous: str, seq: int, kind: str, body: Any, undoes: int | None, note_digest: str) -> str:
    """The hash of an entry: SHA-256, in hex, over the previous hash and the entry."""
    plain = json.dumps(
        [previous, seq, kind, body, undoes, note_digest],
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )
    return sha256(plain.encode()).hexdigest()


def damage_of(event: Event) -> str:
    """What is wrong with a stored log, empty when all is well: numbers, chain, head."""
    link, last = "", 0
    for row in event.desk_log.order_by("seq"):
        if row.seq != last + 1:
            return f"entry {last + 1} is missing"
        link, last = link_of(link, row.seq, row.kind, row.body, row.undoes, row.note_digest), row.seq
        if link != row.hash:
            return f"entry {last} was changed after it was written"
    if (event.desk_seq, event.desk_hash) != (last, link):
        return f"the head says {event.desk_seq} entries, the log has {last}"
    return ""


class StaleRefused(Refused):
    """Somebody else has changed the stage since this page was made; ``head`` is the log's length now."""

    def __init__(self, head: int) -> None:
        super().__init__(_("Somebody has changed this draw in the meantime: look at it again."))
        self.head = head
