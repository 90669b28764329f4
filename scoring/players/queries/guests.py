"""A club's guests: players without a login, whom its people added or its matches brought."""

from django.db.models import Count, Exists, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce

from clubs.models import Club, Membership, Player
from clubs.models.player import PlayerQuerySet
from clubs.people.search import named, search_key
from scoring.log.queries.keyset import Order, Stretch, ref_of, stretch
from scoring.models import Alias, ChouettePlayer, Seat

GUESTS_BY_NAME = Order("by_name", "pk", cursor="ref")


def guests_of(club: Club) -> PlayerQuerySet:
    """Players without a login of whom the club knows; ``in_club`` says who is its guest or member.

    The others are unclaimed: names of files, of matches and of chouettes.
    """
    membership = Membership.objects.filter(player=OuterRef("pk"), club=club)
    known = (
        Q(Exists(membership))
        | Q(Exists(Alias.objects.filter(player=OuterRef("pk"), club=club)))
        | Q(Exists(Seat.objects.filter(player=OuterRef("pk"), match__club=club)))
        | Q(Exists(ChouettePlayer.objects.filter(player=OuterRef("pk"), chouette__club=club)))
    )
    players = Player.objects.current().with_person().filter(known, user=None)
    return players.annotate(in_club=Exists(membership), by_name=Coalesce("person__sort_key", Value("")))


def guest_stretch(
    club: Club, *, search: str = "", after: str = "", before: str = "", size: int = 50
) -> Stretch[Player]:
    """The club's guests by name, each with its number of ``matches`` there (two queries at most)."""
    guests = guests_of(club)
    if search_key(search):
        guests = named(guests, search)
    played = Seat.objects.filter(player=OuterRef("pk"), match__club=club).order_by()
    # Counted for the rows that are shown alone, behind the LIMIT: a join would count for all guests.
    number = Subquery(played.values("player").annotate(number=Count("pk")).values("number"))
    return stretch(
        guests.annotate(matches=Coalesce(number, 0)),
        GUESTS_BY_NAME,
        cursor_of=ref_of,
        after=after,
        before=before,
        size=size,
    )
