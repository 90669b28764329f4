"""The names in a club's files and whom they mean."""

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
"""Letters of a word that says something about whom a name means."""


def name_stretch(
    club: Club, *, search: str = "", after: str = "", before: str = "", size: int = 50
) -> Stretch[Alias]:
    """The club's names in order, each with its player and its number of ``matches`` (two queries at most)."""
    aliases = Alias.objects.in_club(club).select_related("player__person", "player__user")
    if wanted := sort_key(search):
        aliases = aliases.filter(Q(key__contains=wanted) | Q(player__person__sort_key__contains=wanted))
    return stretch(_counted(aliases), BY_NAME, cursor_of=ref_of, after=after, before=before, size=size)


def claims_waiting(club: Club, *, size: int = 50) -> list[Alias]:
    """Names that somebody says are theirs, for a director to settle (one query)."""
    claims = Alias.objects.in_club(club).waiting().filter(claimed_by__isnull=False)
    rows = claims.select_related("player__person", "claimed_by__person")
    return list(_counted(rows).order_by("key", "pk")[:size])


def claims_in(club: Club) -> int:
    """How many claims of names wait for a director (one query)."""
    return Alias.objects.in_club(club).waiting().filter(claimed_by__isnull=False).count()


def merges_in(club: Club, *, size: int = 50) -> list[Merge]:
    """The club's merges that can still be undone, the newest first (one query)."""
    merges = Merge.objects.in_club(club).open().select_related("guest", "into__person", "by__player__person")
    return list(merges.order_by("-at", "-pk")[:size])


def people_of(club: Club, alias: Alias | None = None) -> PlayerQuerySet:
    """The club's people by name, whom a name in a file may mean, and the player behind the ``alias``."""
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
    """The people whom ``people_of`` finds but the alias's own, those whose name contains ``search``.

    Two queries at most.
    """
    people = people_of(club, alias)
    if alias is not None:
        people = people.exclude(pk=alias.player_id)
    if search_key(search):
        people = named(people, search)
    return stretch(people, PEOPLE_BY_NAME, cursor_of=ref_of, after=after, before=before, size=size)


def likely_people(club: Club, alias: Alias, *, size: int = 5) -> list[Player]:
    """Members with the longest word of the name in theirs; nobody for a name of short words (one query)."""
    word = max(re.findall(r"[^\W\d_]+", alias.name), key=len, default="")
    if len(word) < SHORTEST_WORD:
        return []
    return list(named(people_of(club).exclude(pk=alias.player_id), word)[:size])


def _counted(aliases: QuerySet[Alias]) -> QuerySet[Alias]:
    """Counted for the rows that are shown alone, behind the LIMIT: a join would count for all names."""
    played = Seat.objects.filter(player=OuterRef("player"), match__club=OuterRef("club")).order_by()
    number = played.values("player").annotate(number=Count("pk")).values("number")
    return aliases.annotate(matches=Coalesce(Subquery(number), 0))
