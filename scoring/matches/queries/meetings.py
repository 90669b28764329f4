"""The matches of two players, for the page of one of them."""

from clubs.access import Viewer
from scoring.log.queries.visible import seen_among
from scoring.matches.queries.matches import MatchLine, between, recent
from scoring.models import Match

SHOWN = 5


def meetings_of(match: Match, viewer: Viewer) -> list[MatchLine]:
    """The last finished matches of this one's players that the viewer may see; none of a pair's.

    The number of queries does not depend on how often they met. Load the match ``with_players()``.
    """
    players = [match.white.players, match.black.players]
    if any(len(side) != 1 for side in players):
        return []
    met = between(Match.objects.finished().in_club(match.club), *(side[0] for side in players))
    return recent(seen_among(met.exclude(pk=match.pk), viewer), viewer, size=SHOWN)
