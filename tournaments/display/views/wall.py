"""The big screen of a venue."""

from datetime import timedelta
from hashlib import blake2b

import segno
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import now
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.http.addresses import for_phones
from clubs.http.etags import release, unchanged
from clubs.http.numbers import whole_number
from tournaments.core.timetable.breaks import coming
from tournaments.display.legibility import INCHES, screen_room
from tournaments.display.queries.podiums import Podium, deciding_stages, podiums_of
from tournaments.display.queries.wall import wall_of
from tournaments.entries.queries.people import names_in
from tournaments.events.access import WHO_MAY_SEE, known_event
from tournaments.events.queries.entrant_rows import shown_entrants
from tournaments.events.queries.event_page import flight_blocks, with_prizes
from tournaments.events.queries.events import stages_of
from tournaments.models import Event, EventStatus, StageRow
from tournaments.stages.queries.stage_picture import pictures_of
from tournaments.stages.services.stages import load_all

ANNOUNCED = timedelta(hours=12)
"""How long before its start a break is shown."""


@decides(WHO_MAY_SEE)
@require_safe
def wall(request: HttpRequest, event: str) -> HttpResponse:
    """Show calls and draws; ``?part=1`` is polled and responds 304 while unchanged.

    ``inches`` is the diagonal of the screen, ``aspect`` its width in percent of its height.
    """
    found, _role = known_event(request.user, event)
    part = "part" in request.GET
    aspect = whole_number(request.GET.get("aspect", ""))
    room = screen_room(whole_number(request.GET.get("inches", "")), None if aspect is None else aspect / 100)
    address = for_phones(request, found.get_absolute_url())
    at = now()
    over = found.status not in {EventStatus.ANNOUNCED, EventStatus.RUNNING}
    pause = None if over else coming(found.pauses, at)
    if pause is not None and pause.starts_at - at > ANNOUNCED:
        pause = None
    on = pause is not None and pause.starts_at <= at
    depends = (
        found.version,
        pause,
        on,
        found.name,
        found.club.name,
        address,
        get_language(),
        release(),
        names_in(found),
        room,
    )
    etag = f'"{blake2b(repr(depends).encode(), digest_size=12).hexdigest()}"'
    if part and unchanged(request, etag):
        return HttpResponseNotModified(headers={"ETag": etag})
    drawn: list[StageRow] = [] if over else [each for each in stages_of(found) if each.drawn_at is not None]
    values = load_all(drawn)
    pictures = pictures_of(drawn, values, shown_entrants(found)) if drawn else []
    context = {
        "event": found,
        "club": found.club,
        "wall": wall_of(pictures, at=at, room=room),
        "sizes": INCHES,
        "over": over,
        "planned": not drawn,
        "podiums": _podiums(found) if found.status == EventStatus.FINISHED else [],
        "at": at,
        "etag": etag,
        "pause": pause,
        "break_on": on,
        "address": address,
        "qr": qr_svg(address),
    }
    template = "tournaments/display/wall.html#wall" if part else "tournaments/display/wall.html"
    response = render(request, template, context)
    response.headers["ETag"], response.headers["Cache-Control"] = etag, "private, no-cache"
    return response


def _podiums(event: Event) -> list[Podium]:
    """The podiums of a finished event."""
    blocks = with_prizes(flight_blocks(event))
    return podiums_of(blocks, load_all(deciding_stages(blocks)))


def qr_svg(address: str) -> SafeString:
    """QR code of an address, as SVG without styles."""
    code = segno.make(address, error="m")
    svg: str = code.svg_inline(
        border=2, omitsize=True, light="#fff", dark="#000", svgclass="qr", lineclass=None
    )
    return mark_safe(svg)  # noqa: S308 - made of squares by segno
