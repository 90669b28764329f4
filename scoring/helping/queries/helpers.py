"""Lists of helpers."""

from typing import Any

from clubs.models import Club, Membership, Player, Role, User
from scoring.models import Helper
from scoring.models.helper import HelperQuerySet


def own_helpers(user: User) -> HelperQuerySet:
    """A member's helpers that have not ended, with their clubs and what they did."""
    return Helper.objects.current().filter(user=user).select_related("club").with_counts()


def club_helpers(club: Club) -> HelperQuerySet:
    """A club's helpers that have not ended, with their owners and what they did."""
    found = Helper.objects.current().filter(club=club)
    return found.select_related("club", "user__player__person").with_counts()


def clubs_to_help(user: User) -> list[Club]:
    """The clubs for which a user can have a helper, by name (one query)."""
    ranks = Membership.objects.filter(player__user=user, role__gte=Role.MEMBER)
    return list(Club.objects.filter(memberships__in=ranks).order_by("name", "pk"))


def matches_done(helper: Helper) -> int:
    """Matches of which the helper's answers were accepted; load it ``with_counts()``."""
    return int(getattr(helper, "matches_done", 0))


def exported_helpers(player: Player) -> list[dict[str, Any]]:
    """A player's helpers, ended ones too, for the export of their data."""
    rows = Helper.objects.filter(user__player=player).select_related("club").with_counts().order_by("pk")
    return [
        {
            "name": helper.name,
            "club": helper.club.name,
            "status": helper.status,
            "asked": helper.asked_at.isoformat(),
            "seen": helper.seen_at and helper.seen_at.isoformat(),
            "matches": matches_done(helper),
        }
        for helper in rows
    ]
