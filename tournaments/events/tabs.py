"""The tabs of an event's page: each an address of its own."""

from urllib.parse import parse_qs, urlencode, urlsplit

from django.http import HttpRequest

from tournaments.models import Event

DRAW, MATCHES, STANDINGS, PLAYERS, PRIZES, INFO = "draw", "matches", "standings", "players", "prizes", "info"
TABS = (DRAW, MATCHES, STANDINGS, PLAYERS, PRIZES, INFO)


def address_of(event: Event, tab: str = "", stage: str = "") -> str:
    """The event's page with one of its tabs open, of the draw with the ref ``stage``; without a tab the one
    that comes first.
    """
    page = event.get_absolute_url()
    query = urlencode({key: value for key, value in (("tab", tab), ("stage", stage)) if value})
    return f"{page}?{query}" if query else page


def tab_behind(request: HttpRequest, event: Event) -> str:
    """The tab of the event's page that sent a form, where the browser says so; else empty."""
    sent = urlsplit(request.headers.get("Referer", ""))
    if sent.path != event.get_absolute_url():
        return ""
    named = parse_qs(sent.query).get("tab", [""])[0]
    return named if named in TABS else ""
