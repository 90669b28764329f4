"""Querysets of clubs, matches and players a viewer can see.

A match of an event, and one whose result is final, is as visible as its club. Others are for the club's own
people and for who plays in them, unless the club opens them to everyone (``Club.lists_open_to``). A player is
visible through a visible match, or through membership in a club whose lists of people the viewer may see.
"""

from django.db.models import Exists, OuterRef, Q, Subquery

from clubs.access import Viewer, sees_lists
from clubs.models import Club, Membership, Openness, Player, Role, User, Visibility
from clubs.models.club import ClubQuerySet
from scoring.log.queries.results import side_of
from scoring.models import ChouettePlayer, Match, Seat, Sheet
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


def clubs_with_lists_for(viewer: Viewer) -> ClubQuerySet:
    """The clubs whose lists of people and unconfirmed matches the viewer may see."""
    clubs = clubs_seen_by(viewer)
    if isinstance(viewer, User) and viewer.is_superuser:
        return clubs
    return clubs.filter(Q(lists_open_to=Openness.EVERYONE) | Q(pk__in=clubs_of(viewer).values("pk")))


def matches_seen_by(viewer: Viewer) -> MatchQuerySet:
    """The matches that the viewer may see, of every club."""
    return seen_among(Match.objects.filter(club__in=clubs_seen_by(viewer)), viewer)


def seen_among(matches: MatchQuerySet, viewer: Viewer) -> MatchQuerySet:
    """Those of the matches of visible clubs that the viewer may see."""
    return matches.filter(open_to(viewer))


def open_to(viewer: Viewer, match: str = "") -> Q:
    """The condition on a match of a visible club, at this path ("" for the match itself), that it is seen."""
    if isinstance(viewer, User) and viewer.is_superuser:
        return Q()
    path, key = (f"{match}__", match) if match else ("", "pk")
    # Looked up for matches without a final result alone: a join would read the sheet of every match.
    directed = Sheet.objects.filter(pk=OuterRef(f"{path}sheet")).values("directed")
    shown = Q(**{f"{path}result__final_at__isnull": False}) | Q(Subquery(directed))
    shown |= Q(**{f"{path}club__in": clubs_with_lists_for(viewer).values("pk")})
    if isinstance(viewer, User):
        shown |= Q(Exists(Seat.objects.filter(match=OuterRef(key), player__user=viewer)))
    return shown


def seat_open_to(viewer: Viewer) -> Q:
    """The condition ``open_to`` on the seat of a finished match, from the seats' own columns."""
    if isinstance(viewer, User) and viewer.is_superuser:
        return Q()
    shown = Q(finished_open=True) | Q(finished_club__in=clubs_with_lists_for(viewer).values("pk"))
    if isinstance(viewer, User):
        shown |= Q(match__in=Seat.objects.filter(player__user=viewer).values("match"))
    return shown


def sees_match(viewer: Viewer, match: Match, role: Role | None) -> bool:
    """Whether the viewer, with this role in its club, sees the match (no query).

    Load it ``with_players()``, and with club, result and sheet.
    """
    if role is None and match.club.visibility != Visibility.PUBLIC:
        return False
    result = getattr(match, "result", None)
    if sees_lists(role, match.club) or match.sheet.directed or (result is not None and result.final_at):
        return True
    return isinstance(viewer, User) and side_of(match, viewer) is not None


def player_seen_by(viewer: Viewer, ref: str) -> Player | None:
    """The player of a ref (merged: with the one who stays); None where the viewer must not know of them."""
    players = Player.objects.with_person().select_related("merged_into").filter(ref=ref)
    if isinstance(viewer, User) and viewer.is_superuser:
        return players.first()
    # A value, not EXISTS: among other conditions that one would first list the seats of every visible match.
    seats = Seat.objects.filter(match__in=matches_seen_by(viewer), player=OuterRef("pk"))
    played = Q(pk=Subquery(seats.values("player")[:1]))
    among = Membership.objects.filter(
        player=OuterRef("pk"), club__in=clubs_with_lists_for(viewer).values("pk")
    )
    at_table = ChouettePlayer.objects.filter(
        player=OuterRef("pk"), chouette__club__in=clubs_of(viewer).values("pk")
    )
    known = Q(merged_into__isnull=False) | Q(Exists(among)) | Q(Exists(at_table))
    if isinstance(viewer, User):
        known |= Q(user=viewer)
    known |= played  # last: the others are asked for less
    found = players.filter(known).first()
    if found is None or found.merged_into is None:
        return found
    # The ref of a guest that was merged says no more than the page that it leads to.
    return found if player_seen_by(viewer, found.merged_into.ref) else None
