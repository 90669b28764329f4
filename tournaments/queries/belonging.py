"""The event of a match, for the match's own page."""

from clubs.access import Viewer
from scoring.belonging import Belonging
from scoring.models import Match
from tournaments.models import Board
from tournaments.queries.visible import may_know


def event_of(match: Match, viewer: Viewer) -> Belonging | None:
    """The event and stage that the match was made for, as far as the viewer may know it."""
    board = Board.objects.filter(match=match).select_related("pairing__stage__flight__event__club").first()
    if board is None or not may_know(viewer, board.pairing.stage.flight.event):
        return None
    stage = board.pairing.stage
    event = stage.flight.event
    return Belonging(f"{event.name}, {stage.name}", event.get_absolute_url())
