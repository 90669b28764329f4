"""The event of a match, for the match's own page."""

from clubs.access import Viewer
from scoring.matches.occasions import Occasion
from scoring.models import Match
from tournaments.events.queries.visible import may_know
from tournaments.models import Board, Event, PairingState


def event_of(match: Match, viewer: Viewer) -> Occasion | None:
    """The event and stage that the match was made for, as far as the viewer may know it."""
    board = Board.objects.filter(match=match).select_related("pairing__stage__flight__event__club").first()
    if board is None or not may_know(viewer, board.pairing.stage.flight.event):
        return None
    stage = board.pairing.stage
    event = stage.flight.event
    return Occasion(f"{event.name}, {stage.name}", event.get_absolute_url())


def event_of_open(match: Match) -> Event | None:
    """The event in whose draw the match is open (one query); None for any other match."""
    found = Event.objects.filter(
        flights__stages__pairings__boards__match=match, flights__stages__pairings__state=PairingState.OPEN
    )
    return found.first()
