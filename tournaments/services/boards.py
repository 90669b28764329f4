"""The matches of pairings: opened when both entrants are known, voided when the draw changes under them."""

from collections.abc import Sequence

from django.db.models import Prefetch

from clubs.models import Player
from scoring.models import MatchStatus
from scoring.services.opening import Seating, open_matches
from scoring.services.overruling import void_match
from tournaments.models import Board, Entrant, EntrantMember, Pairing, Stage


def open_boards(stage: Stage, pairings: Sequence[Pairing]) -> None:
    """A match for each board of each pairing by the event's rules, the first entrant in the left column
    (White).
    """
    event = stage.flight.event
    sides = [(row, row.a_id, row.b_id) for row in pairings if row.b_id is not None]
    # Without their names: none is written on a match.
    both = Entrant.objects.filter(pk__in={pk for _row, a, b in sides for pk in (a, b)})
    both = both.prefetch_related(Prefetch("members", EntrantMember.objects.select_related("player")))
    entrants = {entrant.pk: entrant for entrant in both}
    places = [
        (row, number, Seating(white, black, row.length))
        for row, a, b in sides
        for number, (white, black) in enumerate(_boards(stage, entrants[a], entrants[b]), 1)
    ]
    if not places:
        return
    matches = open_matches(
        club=event.club,
        seatings=[seating for _row, _number, seating in places],
        profile=event.rules,
        friendly=not event.rated,
        directed=True,
    )
    Board.objects.bulk_create(
        Board(pairing=row, number=number, match=match)
        for (row, number, _seating), match in zip(places, matches, strict=True)
    )


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
