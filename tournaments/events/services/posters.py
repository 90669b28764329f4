"""Set and remove the poster of an event."""

from hashlib import sha256

from django.db import transaction

from clubs.models import User
from clubs.pictures import jpeg_of, picture_from
from tournaments.log.refusals import MovedAwayRefused
from tournaments.log.services import lock_event, note
from tournaments.models import Event, EventPoster

LONG_SIDE = 1600  # pixels


def set_poster(*, event: Event, name: str, content: bytes, user: User | None) -> Event:
    """Make an uploaded file the poster, instead of an earlier one. The same picture again logs nothing.

    Raises PictureRefused for a file that is no picture or too large, and MovedAwayRefused.
    """
    written = jpeg_of(picture_from(name, content, long_side=LONG_SIDE))
    digest = sha256(written).hexdigest()[:32]
    with transaction.atomic():
        locked = _held(event)
        if locked.poster == digest:
            return locked
        if not EventPoster.objects.filter(event=locked).update(content=written):
            EventPoster.objects.create(event=locked, content=written)
        return _noted(locked, digest, user)


def remove_poster(*, event: Event, user: User | None) -> Event:
    """Leave the event without a poster; nothing changes without one. Raises MovedAwayRefused."""
    with transaction.atomic():
        locked = _held(event)
        if not locked.poster:
            return locked
        EventPoster.objects.filter(event=locked).delete()
        return _noted(locked, "", user)


def _held(event: Event) -> Event:
    locked = lock_event(event)
    if locked.is_away:
        raise MovedAwayRefused(locked)
    return locked


def _noted(event: Event, digest: str, user: User | None) -> Event:
    event.poster = digest
    event.save(update_fields=["poster"])
    note(event=event, kind="poster" if digest else "poster_removed", user=user)
    return event
