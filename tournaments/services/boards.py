"""The matches of pairings: opened when both entrants are known, voided when the draw changes under them."""

from collections.abc import Sequence

from scoring.models import MatchStatus
from scoring.services.opening import open_match
from scoring.services.overruling import void_match
from tournaments.models import Board, Entrant, Pairing, Stage


def open_boards(stage: Stage, pairings: Sequence[Pairing]) -> None:
    """A match for each pairing by the event's rules, the first entrant in the left column (White)."""
    event = stage.flight.event
    profile = event.rules
    sides = [(row, row.a_id, row.b_id) for row in pairings if row.b_id is not None]
    both = Entrant.objects.filter(pk__in={pk for _row, a, b in sides for pk in (a, b)}).with_players()
    entrants = {entrant.pk: entrant for entrant in both}
    boards = []
    for row, a, b in sides:
        white, black = entrants[a], entrants[b]
        match = open_match(
            club=event.club,
            white=white.players,
            black=black.players,
            length=row.length,
            profile=profile,
            user=None,
            friendly=not event.rated,
        )
        boards.append(Board(pairing=row, match=match))
    Board.objects.bulk_create(boards)


def void_boards(pairings: Sequence[Pairing]) -> None:
    """The matches of pairings that no longer hold never counted; what was recorded of them stays."""
    boards = Board.objects.filter(pairing__in=[row.pk for row in pairings]).select_related("match__sheet")
    for board in boards.exclude(match__status=MatchStatus.VOID):
        void_match(match=board.match, user=None, reason="the draw changed")
