"""Open the matches of new pairings and void those of replaced ones."""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set

from clubs.models import Player
from scoring.models import MatchStatus
from scoring.sheets.services.decisions import void_match
from scoring.sheets.services.openings import Opponents, open_matches
from tournaments.models import Board, EntrantMember, PairingRow, StageRow


def open_boards(stage: StageRow, pairings: Sequence[PairingRow]) -> None:
    """Open a match for each board of each pairing, by the event's rules.

    The first entrant is in the left column (White).
    """
    event = stage.flight.event
    sides = [(row, row.a_id, row.b_id) for row in pairings if row.b_id is not None]
    if not sides:
        return
    players = _players_of({pk for _row, a, b in sides for pk in (a, b)})
    places = [
        (row, number, Opponents(white, black, row.length))
        for row, a, b in sides
        for number, (white, black) in enumerate(_boards(stage, players[a], players[b]), 1)
    ]
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


def _players_of(entrants: Set[int]) -> Mapping[int, list[Player]]:
    """The players of each entrant in order, without names (one query)."""
    found: dict[int, list[Player]] = defaultdict(list)
    members = EntrantMember.objects.filter(entrant__in=entrants).select_related("player")
    for member in members.order_by("entrant", "position"):
        found[member.entrant_id].append(member.player)
    return found


def _boards(stage: StageRow, a: list[Player], b: list[Player]) -> list[tuple[list[Player], list[Player]]]:
    """The players of each board: a whole pair at one, one per team otherwise."""
    if stage.boards == 1:
        return [(a, b)]
    return [([a[n]], [b[n]]) for n in range(stage.boards)]


def void_boards(pairings: Sequence[PairingRow]) -> None:
    """Void the matches of replaced pairings; their records stay."""
    boards = Board.objects.filter(pairing__in=[row.pk for row in pairings]).select_related("match__sheet")
    for board in boards.exclude(match__status=MatchStatus.VOID):
        void_match(match=board.match, user=None, reason="the draw changed")
