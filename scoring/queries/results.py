"""Whose yes a result has and whose it waits for."""

from clubs.models import User
from scoring.models import Colour, Confirmation, Match, Result, Seat


def missing_confirmations(match: Match, result: Result) -> set[str]:
    """The colours whose yes is still missing; empty once a director has confirmed."""
    said = set(
        Confirmation.objects.filter(match=match, revision=result.revision).values_list("side", flat=True)
    )
    if "" in said:
        return set()
    brought_it = Seat.objects.filter(match=match, player__user__in=match.sources.values("user"))
    said |= set(brought_it.values_list("side__colour", flat=True))
    return set(Colour.values) - said


def side_of(match: Match, user: User) -> str | None:
    """The colour of the side at which the user sits, or None. Load the match with ``with_players()``."""
    for side in match.sides.all():
        if any(player.user_id == user.pk for player in side.players):
            return side.colour
    return None
