"""A club's players without an account: guests and unclaimed players."""

from django.db.models import Case, CharField, Count, Exists, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce, Concat

from clubs.models import Club, Membership, Player
from clubs.models.player import PlayerQuerySet
from clubs.people.search import named, search_key
from scoring.log.queries.keyset import Order, Stretch, ref_of, stretch
from scoring.models import Alias, ChouettePlayer, Seat

UNCLAIMED_FIRST = Order("listed", "pk", cursor="ref")


def guests_of(club: Club) -> PlayerQuerySet:
    """Players without an account known to the club; ``in_club`` marks its members.

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
    state = Case(When(Exists(membership), then=Value("1 ")), default=Value("0 "), output_field=CharField())
    by_name = Coalesce("person__sort_key", Value(""))
    return players.annotate(in_club=Exists(membership), by_name=by_name, listed=Concat(state, by_name))


def guest_stretch(
    club: Club, *, search: str = "", after: str = "", before: str = "", size: int = 50
) -> Stretch[Player]:
    """The club's guests, unclaimed first, with ``matches`` counted (two queries)."""
    guests = guests_of(club)
    if search_key(search):
        guests = named(guests, search)
    played = Seat.objects.filter(player=OuterRef("pk"), match__club=club).order_by()
    # Counted for the rows that are shown alone, behind the LIMIT: a join would count for all guests.
    number = Subquery(played.values("player").annotate(number=Count("pk")).values("number"))
    return stretch(
        guests.annotate(matches=Coalesce(number, 0)),
        UNCLAIMED_FIRST,
        cursor_of=ref_of,
        after=after,
        before=before,
        size=size,
    )
