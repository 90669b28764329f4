"""Our positions and bgsage's boards.

A bgsage board is a list of 26 numbers seen from the player on roll: points 1-24 positive for own checkers and
negative for the opponent's, 25 the player's own bar and 0 the opponent's bar, both as plain counts.
"""

from scoring.engines.checks import counts

Board = list[int]


def board_of(position: str) -> Board:
    """The board of a position's text (see `scoring.engines.requests`)."""
    own, opponent = counts(position)
    points = [own[p] - opponent[p] for p in range(1, 25)]
    return [opponent[0], *points, own[25]]
