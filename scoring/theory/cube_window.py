"""The doubling window at a match score, for a cube that is dead once it is turned.

Source: docs/reference/theory.md, "The window at a score". Chances are those of winning the game, 0..1; they
are advice beside a verdict: a live cube lowers the take point and raises the doubling point.
"""

from dataclasses import dataclass

from scoring.theory.decisions import Candidate
from scoring.theory.met import MatchPhase, equity_after, take_point

Five = tuple[float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class CubeWindow:
    """Where the window lies: the take points are the **taker's** chances, the others the doubler's.

    ``take_point`` is without gammons, ``take_point_with_gammons`` at the rates of the position, as all that
    follow are: the doubler doubles from ``doubling_point``, cashes from ``cash_point``, and plays on from
    ``too_good_point``, which is None where the gammons are not worth playing on for.
    """

    take_point: float
    take_point_with_gammons: float
    doubling_point: float
    cash_point: float
    too_good_point: float | None


def seen_by_opponent(chances: Five) -> Five:
    """The opponent's chances.

    >>> seen_by_opponent((0.75, 0.25, 0.0, 0.125, 0.0))
    (0.25, 0.125, 0.0, 0.25, 0.0)
    """
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    return (1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon)


def cube_window(
    doubler_away: int, taker_away: int, chances: Five, *, cube: int = 1, phase: MatchPhase
) -> CubeWindow | None:
    """The window of a double from ``cube`` to twice that, at the doubler's ``chances`` of this position.

    None for a game that is as good as over, and where the doubler gains nothing by a double. Raises what
    ``take_point`` raises.

    Without gammons the cash point is where the taker's take point ends, at 5-away each 76.1%:

    >>> window = cube_window(5, 5, (0.7, 0.0, 0.0, 0.0, 0.0), phase=MatchPhase.BEFORE_CRAWFORD)
    >>> [round(100 * p, 1) for p in (window.take_point, window.doubling_point, window.cash_point)]
    [23.9, 50.0, 76.1]
    >>> window.too_good_point is None
    True
    """
    plain = take_point(taker_away, doubler_away, cube=cube, phase=phase)
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    if not 0.0 < win < 1.0:
        return None

    def mean(value: int, sign: int) -> float:
        """The doubler's chance to win the match after a won (1) or lost (-1) game at this cube."""
        share = win if sign > 0 else 1.0 - win
        double, triple = (gammon, backgammon) if sign > 0 else (lost_gammon, lost_backgammon)
        shares = (1.0 - double / share, (double - triple) / share, triple / share)
        return sum(
            each * equity_after(doubler_away, taker_away, sign * size * value, phase=phase)
            for size, each in enumerate(shares, 1)
        )

    won, lost, won_double, lost_double = mean(cube, 1), mean(cube, -1), mean(2 * cube, 1), mean(2 * cube, -1)
    cashed = equity_after(doubler_away, taker_away, cube, phase=phase)
    gain, risk = won_double - won, lost - lost_double
    if gain <= 0.0 or gain + risk <= 0.0:
        return None
    cash = min(1.0, max(0.0, (cashed - lost_double) / (won_double - lost_double)))
    return CubeWindow(
        take_point=plain,
        take_point_with_gammons=1.0 - cash,
        doubling_point=min(1.0, max(0.0, risk / (gain + risk))),
        cash_point=cash,
        too_good_point=(cashed - lost) / (won - lost) if won > cashed else None,
    )


def window_of(
    candidate: Candidate, own_away: int, opponent_away: int, *, doubles: bool, cube: int, phase: MatchPhase
) -> CubeWindow | None:
    """The window at a candidate's chances, the deciding player's, who ``doubles`` or answers a double."""
    if candidate.probabilities is None:
        return None
    if doubles:
        return cube_window(own_away, opponent_away, candidate.probabilities, cube=cube, phase=phase)
    seen = seen_by_opponent(candidate.probabilities)
    return cube_window(opponent_away, own_away, seen, cube=cube, phase=phase)
