"""Where an event is on a map, and where its poster is on this site."""

from urllib.parse import urlencode

from django.urls import reverse

from tournaments.models import Event

MAP = "https://www.openstreetmap.org/search"


def place_of(event: Event) -> str:
    """Venue and address in one line; empty without both."""
    return ", ".join(filter(None, (event.venue, event.address)))


def map_link(event: Event) -> str:
    """A search for the venue on a public map; empty without venue and address."""
    # A map knows streets; the name of a club room only gets in its way.
    asked = event.address or event.venue
    return f"{MAP}?{urlencode({'query': asked})}" if asked else ""


def poster_link(event: Event) -> str:
    """The address of the poster; empty without one. It changes with the picture."""
    if not event.poster:
        return ""
    return f"{reverse('tournaments:poster_jpg', args=[event.ref])}?v={event.poster[:8]}"
