"""Search for players by part of a name, and telling namesakes apart.

Case, accents and the order of words do not count: ``nunez ana`` finds Ana Núñez.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, F, Func, IntegerField, Q, Value, When

from clubs.models import Club, Membership, Player, Role
from clubs.models.person import sort_key
from clubs.models.player import PlayerQuerySet

SHOWN = 20
LONGEST_SEARCH = 100
# Letters with a stroke have no accent that could be taken off; the mark that sorts ñ behind n goes.
_STROKED, _PLAIN = "øłđðħıŧ~", "olddhit"
_PLAINLY = str.maketrans(_STROKED[: len(_PLAIN)], _PLAIN, _STROKED[len(_PLAIN) :])


@dataclass(frozen=True, slots=True)
class PersonLine:
    """A player found. ``joined_at`` is set if the club has look-alike names."""

    ref: str
    name: str
    joined_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class FoundPeople:
    """The first players found; ``more`` says whether there are others."""

    lines: list[PersonLine]
    more: bool


def search_key(text: str) -> str:
    """The key by which a name and a search text are compared.

    >>> search_key("Ana  Núñez"), search_key("Søren")
    ('ana nunez', 'soren')
    """
    return sort_key(text).translate(_PLAINLY)


class _SearchKey(Func):
    """``search_key`` of a stored sort key, in SQL."""

    function = "translate"

    def __init__(self, stored: str) -> None:
        super().__init__(F(stored), Value(_STROKED), Value(_PLAIN))


def members(club: Club, *, least: Role = Role.GUEST) -> PlayerQuerySet:
    """The club's players, from a role up."""
    return Player.objects.current().filter(memberships__club=club, memberships__role__gte=least)


def named(players: PlayerQuerySet, text: str) -> PlayerQuerySet:
    """Players whose name contains each word of the text.

    None for a text without letters.
    """
    words = search_key(text[:LONGEST_SEARCH]).split()
    keyed = players.alias(search_key=_SearchKey("person__sort_key"))
    return keyed.filter(*(Q(search_key__contains=word) for word in words)) if words else keyed.none()


def is_named(player: Player, text: str) -> bool:
    """Whether the text finds the player, loaded with its person."""
    key = search_key(player.name)
    return all(word in key for word in search_key(text[:LONGEST_SEARCH]).split())


def find_people(club: Club, players: PlayerQuerySet, text: str, *, size: int = SHOWN) -> FoundPeople:
    """Players that the text finds, names starting with it first (two queries)."""
    begins = When(search_key__startswith=search_key(text[:LONGEST_SEARCH]), then=0)
    rank = Case(begins, default=1, output_field=IntegerField())
    rows = list(named(players, text).with_person().order_by(rank, "person__sort_key", "pk")[: size + 1])
    return FoundPeople(told_apart(club, rows[:size]), len(rows) > size)


def told_apart(club: Club, players: list[Player]) -> list[PersonLine]:
    """Lines of loaded players; namesakes show when they joined (one query)."""
    looks = {player.person.skeleton for player in players}
    keys = {player.person.sort_key for player in players}
    alike = Q(player__person__skeleton__in=looks) | Q(player__person__sort_key__in=keys)
    rows = Membership.objects.in_club(club).filter(alike)
    joined = list(
        rows.values_list("player_id", "player__person__skeleton", "player__person__sort_key", "joined_at")
    )
    seen = Counter(skeleton for _pk, skeleton, _key, _at in joined)
    spelled = Counter(key for _pk, _skeleton, key, _at in joined)
    since = {pk: at for pk, skeleton, key, at in joined if seen[skeleton] > 1 or spelled[key] > 1}
    return [PersonLine(player.ref, player.name, since.get(player.pk)) for player in players]
