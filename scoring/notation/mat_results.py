"""What the end of a game in a file says: its stated points, the next heading, and the board, held together.

Programs state the points of the game that decides a match in three ways: as it was worth, as the points that
the winner still needed, or as the match length.  Anywhere else a total that differs from the game's worth is
wrong: of board, statement and next heading the two that agree are believed, the board where none do.
"""

from typing import NamedTuple

from scoring.rules.match import MatchScore, Win
from scoring.rules.sides import Side

MONEY_CUBE = 512
"""The highest cube that is taken to have been turned once more without being recorded."""
HIGHEST_CUBE = 2**15
"""No match goes further: it is beyond the points of the longest match."""


class StatedResult(NamedTuple):
    """A winner and points."""

    winner: Side
    points: int


def stated_totals(score: MatchScore, winner: Side, worth: int) -> frozenset[int]:
    """The points that a file may state for a game of ``worth`` points, won at ``score``.

    >>> sorted(stated_totals(MatchScore.start(5, white=3), Side.WHITE, 8))
    [2, 5, 8]
    >>> sorted(stated_totals(MatchScore.start(5, white=3), Side.WHITE, 1))
    [1]
    """
    if score.is_money or worth < score.away(winner):
        return frozenset({worth})
    return frozenset({worth, score.away(winner), min(worth, score.length)})


def level_of(score: MatchScore, told: StatedResult, cube: int) -> Win | None:
    """The level at which a game with the cube at ``cube`` is worth what is told; None if none is."""
    level, rest = divmod(told.points, cube)
    if not rest and 1 <= level <= max(Win):
        return Win(level)
    return next((win for win in Win if told.points in stated_totals(score, told.winner, cube * win)), None)


def deciding_level(score: MatchScore, winner: Side, cube: int) -> Win | None:
    """The least level that wins a match (not a money session); None if none does."""
    return next((win for win in Win if cube * win >= score.away(winner)), None)


def worth_of(score: MatchScore, told: StatedResult, cubes: list[int]) -> tuple[Win, int] | None:
    """The level and the cube that make the points told.

    With the first cube if it can be, else at the least level, else capped.

    >>> score = MatchScore.start(7)
    >>> [worth_of(score, StatedResult(Side.WHITE, points), [1, 2, 4]) for points in (2, 4)]
    [(<Win.GAMMON: 2>, 1), (<Win.SINGLE: 1>, 4)]
    """
    level, rest = divmod(told.points, cubes[0])
    if not rest and 1 <= level <= max(Win):
        return Win(level), cubes[0]
    pairs = [(win, cube) for win in Win for cube in cubes]
    exact = (pair for pair in pairs if pair[0] * pair[1] == told.points)
    capped = (pair for pair in pairs if told.points in stated_totals(score, told.winner, pair[0] * pair[1]))
    return next(exact, None) or next(capped, None)


def cubes_from(score: MatchScore, value: int, *, fixed: bool) -> list[int]:
    """The cube as it is and every turn of it that may have been left out; it alone where there is none.

    Nobody turns a cube that already wins the match for both; in money play :data:`MONEY_CUBE` is the end.

    >>> cubes_from(MatchScore.start(7), 2, fixed=False), cubes_from(MatchScore.start(1), 1, fixed=False)
    ([2, 4, 8], [1])
    """
    most = MONEY_CUBE if score.is_money else max(map(score.away, Side)) - 1
    turned = () if fixed else (value << turns for turns in range(HIGHEST_CUBE.bit_length()))
    return [value, *(cube for cube in turned if value < cube <= 2 * most and cube <= HIGHEST_CUBE)]
