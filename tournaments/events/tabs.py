"""The tabs of an event's page: each an address of its own."""

from urllib.parse import parse_qs, urlencode, urlsplit

from django.http import HttpRequest

from tournaments.models import Event

DRAW, MATCHES, STANDINGS, PLAYERS, PRIZES, INFO = "draw", "matches", "standings", "players", "prizes", "info"
TABS = (DRAW, MATCHES, STANDINGS, PLAYERS, PRIZES, INFO)


def address_of(event: Event, tab: str = "", stage: str = "") -> str:
    """The address of the event's page, optionally with a tab and a draw.

    ``stage`` is the draw's ref; without a tab the first one opens.
    """
    page = event.get_absolute_url()
    query = urlencode({key: value for key, value in (("tab", tab), ("stage", stage)) if value})
    return f"{page}?{query}" if query else page


def tab_behind(request: HttpRequest, event: Event) -> str:
    """The tab that sent a form, if the browser says so; else empty."""
    sent = urlsplit(request.headers.get("Referer", ""))
    if sent.path != event.get_absolute_url():
        return ""
    named = parse_qs(sent.query).get("tab", [""])[0]
    return named if named in TABS else ""
