"""People around an event: whom the desk can enter, and what those in it are called."""

from hashlib import blake2b

from clubs.models import Club, Membership, Player, Role
from tournaments.models import EntrantMember, Event


def people_of(club: Club, *, least: Role = Role.GUEST) -> list[Player]:
    """The club's people by name (one query), from a role up."""
    found = Membership.objects.in_club(club).filter(role__gte=least).with_player()
    return [each.player for each in found.order_by("player__person__sort_key", "pk")]


def names_in(event: Event) -> str:
    """A digest of the names of everybody in the event: another one as soon as somebody is renamed, merged or
    erased, none of which changes the event (one query).
    """
    members = EntrantMember.objects.filter(flight__event=event).order_by("pk")
    names = list(members.values_list("entrant__name", "player__person__name"))
    return blake2b(repr(names).encode(), digest_size=12).hexdigest()
