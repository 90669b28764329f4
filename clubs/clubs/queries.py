"""Queries for the pages of clubs and their members."""

from django.db.models import Count, Exists, OuterRef, Q, Value
from django.db.models.functions import Coalesce

from clubs.http.lists import PAGE, Page
from clubs.models import Club, Membership, Player, Role
from clubs.models.club import ClubQuerySet
from clubs.models.membership import MembershipQuerySet
from clubs.people.search import named

MEMBERS = Count("memberships", filter=Q(memberships__role__gte=Role.MEMBER))
"""Number of a club's members, without guests."""


def roles_of(people: MembershipQuerySet) -> dict[Role, int]:
    """Number of memberships per role, highest role first (one query)."""
    rows = people.order_by("-role").values_list("role").annotate(number=Count("pk"))
    return {Role(role): number for role, number in rows}


def called(people: MembershipQuerySet, text: str) -> MembershipQuerySet:
    """Memberships whose player's name contains the text, ignoring case and accents."""
    return people.filter(player__in=named(Player.objects.all(), text).values("pk"))


def members_page(people: MembershipQuerySet, *, after: str = "", size: int = PAGE) -> Page[Membership]:
    """A page of memberships by role, highest first, then name.

    The page begins after the player ``after``, or at the beginning if ``after`` is no longer in the list.
    Each membership has ``has_twin``: another name in the club looks the same. At most two queries.
    """
    alike = Membership.objects.filter(
        club=OuterRef("club"), player__person__skeleton=OuterRef("player__person__skeleton")
    )
    named = people.with_player().annotate(
        by_name=Coalesce("player__person__sort_key", Value("")),
        has_twin=Exists(alike.exclude(pk=OuterRef("pk"))),
    )
    place = named.filter(player__ref=after).values_list("role", "by_name", "pk").first() if after else None
    if place is not None:
        role, by_name, pk = place
        named = named.filter(
            Q(role__lt=role) | Q(role=role, by_name__gt=by_name) | Q(role=role, by_name=by_name, pk__gt=pk)
        )
    named = named.select_related("title_by__player__person")
    rows = list(named.order_by("-role", "by_name", "pk")[: size + 1])
    return Page(rows[:size], rows[size - 1].player.ref if len(rows) > size else "")


def clubs_page(clubs: ClubQuerySet, *, after: str = "", size: int = PAGE) -> Page[Club]:
    """A page of clubs by name, after the club ``after``, each with its ``members``."""
    place = clubs.filter(ref=after).values_list("name", "pk").first() if after else None
    if place is not None:
        clubs = clubs.filter(Q(name__gt=place[0]) | Q(name=place[0], pk__gt=place[1]))
    rows = list(clubs.annotate(members=MEMBERS).order_by("name", "pk")[: size + 1])
    return Page(rows[:size], rows[size - 1].ref if len(rows) > size else "")
