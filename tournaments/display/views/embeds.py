"""A draw as a small page for a frame on another site."""

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import decides
from scoring.sharing.views.embeds import THEMES, framed
from tournaments.events.access import known_stage
from tournaments.models import StageStatus
from tournaments.stages.views.drawings import asks_for_clubs, drawing_of
from tournaments.stages.views.pieces import shown_of


@decides("everyone, where everyone can see the event")
@require_safe
@framed
def draw_embed(request: HttpRequest, stage: str) -> HttpResponse:
    """A draw of an event that everyone can see, the same for every viewer: no cookie is read.

    ``theme`` is ``light`` or ``dark``, ``part`` the key of a piece of a large draw; with ``show=clubs`` it
    has clubs. Search engines list it only where the club wants to be found.
    """
    found, _role = known_stage(AnonymousUser(), stage)
    if found.drawn_at is None:
        raise Http404(_("The draw has not been made."))
    request.user = AnonymousUser()
    drawing, _digest = drawing_of(found, share=True, clubs=asks_for_clubs(request))
    shown = shown_of(request, found, drawing, ())
    theme = request.GET.get("theme", "")
    event = found.flight.event
    context = {
        "stage": found,
        "event": event,
        "shown": shown,
        "draw": _within(drawing.whole if shown is None else shown.html),
        "theme": theme if theme in THEMES else "",
        "running": found.status == StageStatus.RUNNING,
        "here": request.get_full_path(),
    }
    # Rendered without the request: it is the same for every viewer.
    response = HttpResponse(render_to_string("tournaments/display/draw_embed.html", context))
    response.headers["Referrer-Policy"] = "no-referrer"
    if not event.club.search_engines:
        response.headers["X-Robots-Tag"] = "noindex"
    return response


def _within(html: str) -> SafeString:
    """The drawing with links to its own rounds that stay in the frame; others open outside."""
    return mark_safe(html.replace('<a href="#', '<a target="_self" href="#'))  # noqa: S308 - as the pen wrote it
