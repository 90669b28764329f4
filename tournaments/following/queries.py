"""The players that a user follows."""

from collections.abc import Collection

from django.db.models import Q

from clubs.models import User
from tournaments.models import Follow, StageEntrant, StageRow

MOST_ASKED = 100  # players that a browser may ask for at once


def followed_in(stage: StageRow, user: User | None, players: Collection[str]) -> tuple[list[int], list[int]]:
    """Numbers of entrants with the user, a followed player or one of these refs; and the user's alone.

    One query.
    """
    member = "entrant__members__player"
    wanted = Q(**{f"{member}__ref__in": list(players)})
    if user is not None:
        wanted |= Q(**{f"{member}__in": Follow.objects.filter(user=user).values("player")})
        wanted |= Q(**{f"{member}__user": user})
    rows = StageEntrant.objects.filter(wanted, stage=stage).order_by("number")
    found = list(rows.values_list("number", f"{member}__user"))
    own = [number for number, account in found if user is not None and account == user.pk]
    return list(dict.fromkeys(number for number, _account in found)), list(dict.fromkeys(own))


def follows_of(user: User | None) -> set[str]:
    """Refs of the players that the user follows (one query)."""
    if user is None:
        return set()
    return set(Follow.objects.filter(user=user).values_list("player__ref", flat=True))
