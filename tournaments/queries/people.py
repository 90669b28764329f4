"""Whom the desk can enter: the people of a club."""

from clubs.models import Club, Membership, Player, Role


def people_of(club: Club, *, least: Role = Role.GUEST) -> list[Player]:
    """The club's people by name (one query), from a role up."""
    found = Membership.objects.in_club(club).filter(role__gte=least).with_player()
    return [each.player for each in found.order_by("player__person__sort_key", "pk")]
