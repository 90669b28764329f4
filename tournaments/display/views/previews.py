"""The picture of an event for link previews in chats."""

from hashlib import blake2b

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.cached import from_cache, to_cache
from clubs.http.etags import unchanged
from scoring.drawing.board_view import BoardView
from scoring.drawing.picture import PictureLine, draw_picture
from scoring.rules.position import STARTING_POSITION
from tournaments.display.queries.summaries import summary_of, winners_of
from tournaments.events.access import WHO_MAY_SEE, known_event
from tournaments.events.queries.event_page import flight_blocks

KEPT_FOR = 24 * 3600  # seconds
VERSION = 1
"""Rises when pictures look different."""


@decides(WHO_MAY_SEE)
@require_safe
def event_png(request: HttpRequest, event: str) -> HttpResponse:
    """A board with name, date, club, format and field or winner as a PNG of 1200 x 630 pixels."""
    found, _role = known_event(request.user, event)
    summary = summary_of(found, flight_blocks(found), winners_of(found))
    lines = [
        PictureLine(found.name, strong=True),
        *(PictureLine(line) for line in summary.lines),
        PictureLine(f"Midpoint · {request.get_host()}", small=True),
    ]
    digest = blake2b(f"{VERSION} {lines!r}".encode(), digest_size=12).hexdigest()
    etag, key = f'"{digest}"', f"event-picture-{digest}"
    if unchanged(request, etag):
        return HttpResponseNotModified(headers={"ETag": etag})
    drawn = from_cache(key)
    if drawn is None:
        drawn = draw_picture(BoardView(STARTING_POSITION, turn=False), lines)
        to_cache(key, drawn, KEPT_FOR)
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    return HttpResponse(drawn, content_type="image/png", headers=headers)
