"""Event pages: lists, and the event itself."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST, require_safe

from clubs.access import ClubRequest, SignedInRequest, club_visible, decides, public
from clubs.http.parts import page_or_part
from clubs.models import Club, Role, User
from scoring.log.queries.visible import clubs_of
from tournaments.display.queries.podiums import name_winners
from tournaments.entries.views.requests import flight_named
from tournaments.events.access import DIRECTORS, WHO_MAY_SEE, known_event, require_director
from tournaments.events.queries.events import event_lists
from tournaments.events.views.answers import done
from tournaments.log.seen import amounts_seen
from tournaments.money.services.prizes import approve_prizes
from tournaments.pages.views.event_etag import answered_once
from tournaments.pages.views.event_page import event_as_it_is


@public
@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """The list of events: in progress, upcoming, past."""
    lists = event_lists(request.user, terms=True)
    name_winners(lists.past)
    clubs = {each.club_id for each in (*lists.running, *lists.coming, *lists.past)}
    context: dict[str, Any] = {"lists": lists, "all_clubs": len(clubs) > 1}
    if isinstance(request.user, User):
        directs = list(clubs_of(request.user, least=Role.DIRECTOR).order_by("name", "pk"))
        context |= {"directs": directs[:3], "desks": {each.pk for each in directs}}
    return page_or_part(request, "tournaments/pages/events.html", context, part="events")


@club_visible
@require_safe
def club_events(request: ClubRequest, club: Club) -> HttpResponse:
    """The events of one club."""
    directs = [club] if request.role is not None and request.role >= Role.DIRECTOR else []
    lists = event_lists(request.user, club=club, terms=True)
    name_winners(lists.past)
    context = {"club": club, "lists": lists, "directs": directs, "desks": {each.pk for each in directs}}
    return page_or_part(request, "tournaments/pages/events.html", context, part="events")


@decides(WHO_MAY_SEE)
@require_safe
def event(request: HttpRequest, event: str) -> HttpResponse:
    """The event page."""
    return answered_once(request, event, event_as_it_is)


@decides(DIRECTORS)
@require_POST
def prizes(request: SignedInRequest, event: str) -> HttpResponse:
    """Approve the prizes of a flight, by default the first."""
    found, role = known_event(request.user, event)
    require_director(role)
    flight = flight_named(request, found)
    seen = amounts_seen(request)
    return done(request, found, lambda: approve_prizes(flight=flight, user=request.user, seen=seen))
