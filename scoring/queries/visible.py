"""Which clubs, matches and players a viewer may know: the rules of ``clubs.access``, as querysets.

A match is as visible as its club. A player is visible through a match in a visible club, or through
membership in a club to which the viewer belongs: lists of people are for the club's own people.
"""

from django.db.models import Exists, OuterRef, Q

from clubs.access import Viewer
from clubs.models import Club, Membership, Player, Role, User, Visibility
from clubs.models.club import ClubQuerySet
from scoring.models import Match, Seat
from scoring.models.match import MatchQuerySet


def clubs_seen_by(viewer: Viewer) -> ClubQuerySet:
    """Public clubs and those in which the viewer has a role; all of them for a site administrator."""
    clubs = Club.objects.all()
    if isinstance(viewer, User) and viewer.is_superuser:
        return clubs
    return clubs.filter(Q(visibility=Visibility.PUBLIC) | Q(pk__in=clubs_of(viewer).values("pk")))


def clubs_of(viewer: Viewer, *, least: Role = Role.GUEST) -> ClubQuerySet:
    """The clubs in which the viewer has at least this role."""
    if not isinstance(viewer, User):
        return Club.objects.none()
    own = Membership.objects.filter(player__user=viewer, role__gte=least)
    return Club.objects.filter(pk__in=own.values("club"))


def matches_seen_by(viewer: Viewer) -> MatchQuerySet:
    """The matches of every club that the viewer may see."""
    return Match.objects.filter(club__in=clubs_seen_by(viewer))


def player_seen_by(viewer: Viewer, ref: str) -> Player | None:
    """The player of a ref (merged: with the one who stays); None where the viewer must not know of them."""
    players = Player.objects.with_person().select_related("merged_into").filter(ref=ref)
    if isinstance(viewer, User) and viewer.is_superuser:
        return players.first()
    played = Seat.objects.filter(player=OuterRef("pk"), match__club__in=clubs_seen_by(viewer).values("pk"))
    among = Membership.objects.filter(player=OuterRef("pk"), club__in=clubs_of(viewer).values("pk"))
    known = Q(Exists(played)) | Q(Exists(among)) | Q(merged_into__isnull=False)
    if isinstance(viewer, User):
        known |= Q(user=viewer)
    found = players.filter(known).first()
    if found is None or found.merged_into is None:
        return found
    # The ref of a guest that was merged says no more than the page that it leads to.
    return found if player_seen_by(viewer, found.merged_into.ref) else None
