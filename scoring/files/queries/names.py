"""Names in a club's match files, their players and claims."""

import re

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from clubs.models import Club, Membership, Merge, Player
from clubs.models.person import sort_key
from clubs.models.player import PlayerQuerySet
from clubs.people.search import named, search_key
from scoring.log.queries.keyset import Order, Stretch, ref_of, stretch
from scoring.models import Alias, Seat

BY_NAME = Order("key", "pk", cursor="ref")
PEOPLE_BY_NAME = Order("by_name", "pk", cursor="ref")
SHORTEST_WORD = 3
"""Fewest letters of a word used to suggest players."""


def name_stretch(
    club: Club, *, search: str = "", after: str = "", before: str = "", size: int = 50
) -> Stretch[Alias]:
    """A page of the club's names in order, with players and ``matches`` counts.

    Two queries at most.
    """
    aliases = Alias.objects.in_club(club).select_related("player__person", "player__user")
    if wanted := sort_key(search):
        aliases = aliases.filter(Q(key__contains=wanted) | Q(player__person__sort_key__contains=wanted))
    return stretch(_counted(aliases), BY_NAME, cursor_of=ref_of, after=after, before=before, size=size)


def claims_waiting(club: Club, *, size: int = 50) -> list[Alias]:
    """Claims waiting for a director, with their names (one query)."""
    claims = Alias.objects.in_club(club).waiting().filter(claimed_by__isnull=False)
    rows = claims.select_related("player__person", "claimed_by__person")
    return list(_counted(rows).order_by("key", "pk")[:size])


def claims_in(club: Club) -> int:
    """Number of claims waiting for a director (one query)."""
    return Alias.objects.in_club(club).waiting().filter(claimed_by__isnull=False).count()


def merges_in(club: Club, *, size: int = 50) -> list[Merge]:
    """The club's merges that can be undone, newest first (one query)."""
    merges = Merge.objects.in_club(club).open().select_related("guest", "into__person", "by__player__person")
    return list(merges.order_by("-at", "-pk")[:size])


def people_of(club: Club, alias: Alias | None = None) -> PlayerQuerySet:
    """The club's members and guests by name, plus the player of ``alias``."""
    members = Membership.objects.in_club(club)
    chosen = Q(pk__in=members.values("player"))
    if alias is not None:
        chosen |= Q(pk=alias.player_id)
    people = Player.objects.current().with_person().filter(chosen)
    return people.annotate(by_name=Coalesce("person__sort_key", Value(""))).order_by("by_name", "pk")


def people_stretch(
    club: Club,
    alias: Alias | None = None,
    *,
    search: str = "",
    after: str = "",
    before: str = "",
    size: int = 50,
) -> Stretch[Player]:
    """A page of ``people_of`` without the alias's own player, matching ``search``.

    Two queries at most.
    """
    people = people_of(club, alias)
    if alias is not None:
        people = people.exclude(pk=alias.player_id)
    if search_key(search):
        people = named(people, search)
    return stretch(people, PEOPLE_BY_NAME, cursor_of=ref_of, after=after, before=before, size=size)


def likely_people(club: Club, alias: Alias, *, size: int = 5) -> list[Player]:
    """Members whose name has the longest word of the alias; none for short words.

    One query.
    """
    word = max(re.findall(r"[^\W\d_]+", alias.name), key=len, default="")
    if len(word) < SHORTEST_WORD:
        return []
    return list(named(people_of(club).exclude(pk=alias.player_id), word)[:size])


def _counted(aliases: QuerySet[Alias]) -> QuerySet[Alias]:
    """Add ``matches`` by subquery, counted only for the rows shown.

    A join would count for all.
    """
    played = Seat.objects.filter(player=OuterRef("player"), match__club=OuterRef("club")).order_by()
    number = played.values("player").annotate(number=Count("pk")).values("number")
    return aliases.annotate(matches=Coalesce(Subquery(number), 0))
