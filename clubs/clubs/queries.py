"""What pages show about a club and its people."""

from django.db.models import Count, Exists, OuterRef, Q, Value
from django.db.models.functions import Coalesce

from clubs.http.lists import PAGE, Page
from clubs.models import Club, Membership, Player, Role
from clubs.models.club import ClubQuerySet
from clubs.models.membership import MembershipQuerySet
from clubs.people.search import named

MEMBERS = Count("memberships", filter=Q(memberships__role__gte=Role.MEMBER))
"""How many members a club has; guests are none."""


def roles_of(people: MembershipQuerySet) -> dict[Role, int]:
    """How many have each role, the highest role first (one query)."""
    rows = people.order_by("-role").values_list("role").annotate(number=Count("pk"))
    return {Role(role): number for role, number in rows}


def called(people: MembershipQuerySet, text: str) -> MembershipQuerySet:
    """Those in whose names the text is, whatever its capitals and accents."""
    return people.filter(player__in=named(Player.objects.all(), text).values("pk"))


def members_page(people: MembershipQuerySet, *, after: str = "", size: int = PAGE) -> Page[Membership]:
    """Memberships with their players, highest role first, then by name; from behind the player ``after``.

    Each says whether it ``has_twin``: somebody of the club whose name looks the same.

    Two queries at most. An ``after`` that is not (any more) in the list begins anew.
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
    """Clubs by name, with how many ``members`` each has, from behind the club ``after``."""
    place = clubs.filter(ref=after).values_list("name", "pk").first() if after else None
    if place is not None:
        clubs = clubs.filter(Q(name__gt=place[0]) | Q(name=place[0], pk__gt=place[1]))
    rows = list(clubs.annotate(members=MEMBERS).order_by("name", "pk")[: size + 1])
    return Page(rows[:size], rows[size - 1].ref if len(rows) > size else "")
