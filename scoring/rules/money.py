"""Money play: the Jacoby rule and the settlement of a session.

Source: docs/reference/rules.md, "Money play".
"""

from collections.abc import Iterable

from scoring.rules.match import Win
from scoring.rules.sides import Side


def counted_win(win: Win, *, jacoby: bool, cube_turned: bool) -> Win:
    """The win that counts: under Jacoby a single unless a double was offered and accepted in that game.

    Automatic doubles are no such double.

    >>> counted_win(Win.GAMMON, jacoby=True, cube_turned=False)
    <Win.SINGLE: 1>
    """
    return Win.SINGLE if jacoby and not cube_turned else win


def settle(points_won: Iterable[tuple[Side, int]], stake: int) -> dict[Side, int]:
    """Each side's balance in minor currency units after games worth ``points_won``, at ``stake`` a point.

    The balances sum to zero.

    >>> settle([(Side.WHITE, 4), (Side.BLACK, 1)], stake=50)
    {<Side.WHITE: 'white'>: 150, <Side.BLACK: 'black'>: -150}
    """
    white = sum(points if side is Side.WHITE else -points for side, points in points_won)
    return {Side.WHITE: white * stake, Side.BLACK: -white * stake}
