"""The picture of an event's poster."""

from tournaments.models import Event, EventPoster


def poster_of(event: Event) -> bytes | None:
    """The poster as a JPEG; None without one (one query, none without a poster)."""
    if not event.poster:
        return None
    found = EventPoster.objects.filter(event=event).values_list("content", flat=True).first()
    return None if found is None else bytes(found)
