"""The player and the flight of a request."""

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from clubs.models import Membership, Player, Role, User
from tournaments.models import Event, Flight


def player_of(request: HttpRequest) -> Player | None:
    """The player of the user with their name; None for visitors and accounts without a player (one query)."""
    players = Player.objects.with_person()
    return players.filter(user=request.user).first() if isinstance(request.user, User) else None


def is_member(player: Player, event: Event) -> bool:
    """Whether the player is a member or above, who can enter online."""
    own = Membership.objects.in_club(event.club).filter(player=player, role__gte=Role.MEMBER)
    return own.exists()


def flight_named(request: HttpRequest, event: Event) -> Flight:
    """The flight in the request, by default the first of the event."""
    asked = request.POST.get("flight") or request.GET.get("flight")
    flights = event.flights.select_related("event__club").order_by("position")
    return get_object_or_404(flights, ref=asked) if asked else flights[0]
