"""Late entries into a bracket and withdrawals from it.

A *seating* stays the record of who sits where; the bracket is built from it again, so nothing can drift
apart.
"""

from collections.abc import Collection, Sequence

from tournaments.core.brackets.bracket import Bracket
from tournaments.core.brackets.resolve import Resolution
from tournaments.core.stages.errors import DrawRefused


def byes_open_to_late_entry(
    resolution: Resolution, seating: Sequence[int], started: Collection[int] = ()
) -> tuple[int, ...]:
    """First-round positions that a late entrant can still take.

    Those are byes whose opponent has not begun the next match. Rule: a late entry is possible until the bye
    is played, that is until the entrant who has it starts the match it leads to. Best seeds lose their bye
    last: positions are in the order in which they should be offered.
    """
    bracket = resolution.bracket
    begun = set(resolution.results) | set(started)
    open_positions = [
        position
        for position, number in enumerate(seating)
        if number == 0 and not _begun_after(bracket, position // 2 + 1, begun)
    ]
    # An opponent who left gives the late entrant a walkover; offer those places after the real matches.
    return tuple(
        sorted(open_positions, key=lambda p: (seating[p ^ 1] in resolution.gone, -seating[p ^ 1], p))
    )


def _begun_after(bracket: Bracket, match: int, begun: Collection[int]) -> bool:
    """Whether a match that the bye leads to has begun, in any section and through further byes."""
    reached, waiting = set(), [match]
    while waiting:
        here = waiting.pop()
        if here in begun:
            return True
        for following in (bracket.winner_goes_to(here), bracket.loser_goes_to(here)):
            if following is not None and following not in reached:
                reached.add(following)
                waiting.append(following)
    return False


def admit_late(
    resolution: Resolution, seating: Sequence[int], number: int, position: int, started: Collection[int] = ()
) -> tuple[int, ...]:
    """The seating with the late entrant ``number`` in place of the bye at ``position``.

    Raises:
        DrawRefused: ``entrant_twice``, or ``no_open_bye`` when the bye is taken or was already played.
    """
    if number in seating:
        raise DrawRefused("entrant_twice", f"entrant {number} is already seated", entrant=number)
    if position not in byes_open_to_late_entry(resolution, seating, started):
        raise DrawRefused("no_open_bye", f"position {position} is not an open bye", position=position)
    seats = list(seating)
    seats[position] = number
    return tuple(seats)
