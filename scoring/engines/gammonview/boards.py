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


def position_of(board: Board) -> str:
    """The position's text; `position_of(board_of(p)) == p`."""
    points = "".join(_letter(count) for count in board[1:25])
    return f"{_letter(-board[0])}{points}{_letter(board[25])}"


def _letter(count: int) -> str:
    if count == 0:
        return "-"
    return chr(ord("A") + count - 1) if count > 0 else chr(ord("a") - count - 1)
