"""The matches of pairings: opened when both entrants are known, voided when the draw changes under them."""

from collections.abc import Sequence

from django.db.models import Prefetch

from clubs.models import Player
from scoring.models import MatchStatus
from scoring.services.opening import open_match
from scoring.services.overruling import void_match
from tournaments.models import Board, Entrant, EntrantMember, Pairing, Stage


def open_boards(stage: Stage, pairings: Sequence[Pairing]) -> None:
    """A match for each board of each pairing by the event's rules, the first entrant in the left column
    (White).
    """
    event = stage.flight.event
    profile = event.rules
    sides = [(row, row.a_id, row.b_id) for row in pairings if row.b_id is not None]
    # Without their names: none is written on a match.
    both = Entrant.objects.filter(pk__in={pk for _row, a, b in sides for pk in (a, b)})
    both = both.prefetch_related(Prefetch("members", EntrantMember.objects.select_related("player")))
    entrants = {entrant.pk: entrant for entrant in both}
    boards = []
    for row, a, b in sides:
        for number, (white, black) in enumerate(_boards(stage, entrants[a], entrants[b]), 1):
            match = open_match(
                club=event.club,
                white=white,
                black=black,
                length=row.length,
                profile=profile,
                user=None,
                friendly=not event.rated,
                directed=True,
            )
            boards.append(Board(pairing=row, number=number, match=match))
    Board.objects.bulk_create(boards)


def _boards(stage: Stage, a: Entrant, b: Entrant) -> list[tuple[list[Player], list[Player]]]:
    """Who sits at each board: all of a pair at one, one of each team at each of a tie's, in board order."""
    if stage.boards == 1:
        return [(a.players, b.players)]
    return [([a.players[n]], [b.players[n]]) for n in range(stage.boards)]


def void_boards(pairings: Sequence[Pairing]) -> None:
    """The matches of pairings that no longer hold never counted; what was recorded of them stays."""
    boards = Board.objects.filter(pairing__in=[row.pk for row in pairings]).select_related("match__sheet")
    for board in boards.exclude(match__status=MatchStatus.VOID):
        void_match(match=board.match, user=None, reason="the draw changed")
