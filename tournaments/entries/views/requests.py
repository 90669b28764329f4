"""Who asks, and for which flight of an event."""

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from clubs.models import Membership, Player, Role, User
from tournaments.models import Event, Flight


def player_of(request: HttpRequest) -> Player | None:
    """The player of whoever asks; None for visitors, and for a login that has none."""
    return getattr(request.user, "player", None) if isinstance(request.user, User) else None


def is_member(player: Player, event: Event) -> bool:
    """Members and those above enter by themselves; others are entered at the desk."""
    own = Membership.objects.in_club(event.club).filter(player=player, role__gte=Role.MEMBER)
    return own.exists()


def flight_named(request: HttpRequest, event: Event) -> Flight:
    """The flight that the request names, the first of the event when it names none."""
    asked = request.POST.get("flight") or request.GET.get("flight")
    flights = event.flights.select_related("event__club").order_by("position")
    return get_object_or_404(flights, ref=asked) if asked else flights[0]
