"""The events that matches belong to, for match pages and lists."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from clubs.access import Viewer
from scoring.matches.occasions import Occasion
from scoring.models import Match
from tournaments.events.queries.visible import events_seen_by
from tournaments.models import Board, Event, PairingState

EVENT = "pairing__stage__flight__event"


def events_of(matches: Iterable[Match], viewer: Viewer) -> dict[int, Occasion]:
    """The event and stage of each match, if visible to the viewer (one query)."""
    known = events_seen_by(viewer).values("pk")
    boards = Board.objects.filter(match__in=[match.pk for match in matches], **{f"{EVENT}__in": known})
    return {board.match_id: _occasion(board) for board in boards.select_related(EVENT)}


def at_events_named(text: str, viewer: Viewer) -> QuerySet[Any, Any]:
    """Keys of matches at visible events with the text in their name."""
    events = events_seen_by(viewer).filter(name__icontains=text).values("pk")
    return Board.objects.filter(**{f"{EVENT}__in": events}).values("match")


def called_to_tables() -> QuerySet[Any, Any]:
    """Keys of matches with an open, called pairing."""
    called = Board.objects.filter(pairing__state=PairingState.OPEN, pairing__called_at__isnull=False)
    return called.values("match")


def event_of_open(match: Match) -> Event | None:
    """The event with the match in an open pairing, else None (one query)."""
    found = Event.objects.filter(
        flights__stages__pairings__boards__match=match, flights__stages__pairings__state=PairingState.OPEN
    )
    return found.first()


def _occasion(board: Board) -> Occasion:
    stage = board.pairing.stage
    event = stage.flight.event
    table = board.pairing.table if board.pairing.called_at else None
    return Occasion(f"{event.name}, {stage.name}", event.get_absolute_url(), table)
