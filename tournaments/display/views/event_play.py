"""How well an event was played: PR list, the luckiest and the best-played match, the biggest blunder."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.access import decides
from scoring.players.queries.play_rows import labels_among
from scoring.players.views.club_play import group_context
from tournaments.display.queries.event_play import matches_seen_in
from tournaments.events.access import WHO_MAY_SEE, known_event


@decides(WHO_MAY_SEE)
@require_safe
def event_play(request: HttpRequest, event: str) -> HttpResponse:
    """The play in the event's analysed matches that the viewer can see."""
    found, _role = known_event(request.user, event)
    seen = matches_seen_in(found, request.user)
    labels = labels_among(seen, viewer=request.user)
    context = group_context(seen, request.user, labels, request.GET.get("label", ""))
    return render(request, "tournaments/display/event_play.html", context | {"event": found})
