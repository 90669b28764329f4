"""The analysed matches of an event that a viewer can see."""

from clubs.access import Viewer
from scoring.log.queries.visible import seen_among
from scoring.models import Match
from scoring.models.match import MatchQuerySet
from tournaments.models import Board, Event


def matches_seen_in(event: Event, viewer: Viewer) -> MatchQuerySet:
    """The matches of the event's boards that the viewer can see."""
    boards = Board.objects.filter(pairing__stage__flight__event=event).values("match")
    return seen_among(Match.objects.filter(pk__in=boards), viewer)
