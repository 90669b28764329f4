"""Janowski's cube formulas for money play, and cubeless equity.

Source: docs/reference/theory.md, "The doubling window". `wins` (W) and `losses` (L) are the mean size of a
win and a loss in points per cube, 1 to 3; `life` (x) is the cube's life from 0 (dead) to 1 (fully live),
usually about 2/3. Results are chances (0..1) of the player on roll to win the game, and they are **advice**:
a model, not a verdict.
"""

from dataclasses import dataclass

from scoring.rules.errors import InvalidValue

_EVEN = 0.5


@dataclass(frozen=True, slots=True)
class CubePoints:
    """Where the doubling window lies.

    `take_point` and `beaver_point` are the **taker's** chances from which to take and to beaver; the others
    are the doubler's: `initial_double`, `redouble`, `cash` (from there on the taker passes) and `too_good`
    (from there on it is better to play on for the gammon; above 1 it never is).
    """

    take_point: float
    beaver_point: float
    initial_double: float
    redouble: float
    cash: float
    too_good: float


def cube_points(wins: float = 1.0, losses: float = 1.0, life: float = 2 / 3) -> CubePoints:
    """The window for these gammon rates and this cube life. Raises InvalidValue out of range.

    `losses` and `wins` are the deciding player's own, so for the taker's points they are seen from him.

    >>> [round(100 * p, 1) for p in (cube_points(life=0).take_point, cube_points(life=0).cash)]
    [25.0, 75.0]
    >>> points = cube_points(life=1)
    >>> [round(100 * p, 1) for p in (points.take_point, points.initial_double, points.cash)]
    [20.0, 80.0, 80.0]
    >>> points = cube_points()
    >>> [round(100 * p, 1) for p in (points.take_point, points.initial_double, points.cash)]
    [21.4, 67.9, 78.6]
    """
    _within("wins", wins, 1, 3)
    _within("losses", losses, 1, 3)
    _within("life", life, 0, 1)
    k = wins + losses + life / 2
    return CubePoints(
        take_point=(losses - _EVEN) / k,
        beaver_point=losses / k,
        initial_double=(losses + life * (3 - life) / (2 * (2 - life))) / k,
        redouble=(losses + life) / k,
        cash=(losses + _EVEN + life / 2) / k,
        too_good=(losses + 1) / k,
    )


def cubeless_equity(
    win: float,
    gammon: float = 0.0,
    backgammon: float = 0.0,
    lost_gammon: float = 0.0,
    lost_backgammon: float = 0.0,
) -> float:
    """Points per game without a cube, from chances (0..1) that include each other.

    `gammon` counts wins of a gammon or more, `backgammon` those of a backgammon. Raises InvalidValue.

    The example in docs/reference/theory.md, "The doubling window":

    >>> round(cubeless_equity(0.721, 0.020, 0.001, 0.020), 3)
    0.443
    """
    for name, inner, outer in (
        ("win", win, 1.0),
        ("gammon", gammon, win),
        ("backgammon", backgammon, gammon),
        ("lost_gammon", lost_gammon, 1.0 - win),
        ("lost_backgammon", lost_backgammon, lost_gammon),
    ):
        _within(name, inner, 0, outer)
    return 2 * win - 1 + gammon + backgammon - lost_gammon - lost_backgammon


@dataclass(frozen=True, slots=True)
class CubeVerdict:
    """What three equities say: whether to double, whether to take, and what the better action is worth."""

    double: bool
    take: bool
    equity: float


def verdict(no_double: float, double_take: float, double_pass: float = 1.0) -> CubeVerdict:
    """Compare the doubler's equities, all per cube before the double.

    Doubling is worth what the taker's better answer leaves of it. The example in docs/reference/theory.md,
    "The doubling window", doubled and taken because .667 < .684 < 1:

    >>> verdict(0.667, 0.684)
    CubeVerdict(double=True, take=True, equity=0.684)
    """
    doubled = min(double_take, double_pass)
    return CubeVerdict(doubled > no_double, double_take <= double_pass, max(no_double, doubled))


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise InvalidValue(
            "out_of_range",
            "{name} must be from {low} to {high}, not {value}",
            name=name,
            low=low,
            high=high,
            value=value,
        )
