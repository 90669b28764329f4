"""The doubling window at a score: what it says at its own points, and when there is none."""

import pytest

from scoring.rules.errors import InvalidValue
from scoring.theory.cube_window import CubeWindow, cube_window, seen_by_opponent, window_of
from scoring.theory.decisions import Candidate
from scoring.theory.met import MatchPhase, equity_after

BEFORE, AFTER = MatchPhase.BEFORE_CRAWFORD, MatchPhase.AFTER_CRAWFORD
GAMMONISH = (0.7, 0.35, 0.0, 0.06, 0.0)


def worth(win: float, cube: int, *, gammons: float, lost_gammons: float) -> float:
    """The doubler's match equity at 7-away each, with these shares of gammons among wins and losses."""

    def ended(points: int) -> float:
        return equity_after(7, 7, points, phase=BEFORE)

    won = (1 - gammons) * ended(cube) + gammons * ended(2 * cube)
    lost = (1 - lost_gammons) * ended(-cube) + lost_gammons * ended(-2 * cube)
    return win * won + (1 - win) * lost


def found(chances: tuple[float, float, float, float, float] = GAMMONISH) -> CubeWindow:
    window = cube_window(7, 7, chances, phase=BEFORE)
    assert window is not None
    return window


def test_at_each_point_the_two_actions_that_it_parts_are_worth_the_same() -> None:
    window = found()
    shares = {"gammons": 0.5, "lost_gammons": 0.2}
    cashed = equity_after(7, 7, 1, phase=BEFORE)
    assert worth(window.cash_point, 2, **shares) == pytest.approx(cashed)
    assert window.too_good_point is not None
    assert worth(window.too_good_point, 1, **shares) == pytest.approx(cashed)
    at_double = window.doubling_point
    assert worth(at_double, 1, **shares) == pytest.approx(worth(at_double, 2, **shares))
    assert window.take_point_with_gammons == pytest.approx(1 - window.cash_point)


def test_gammons_raise_the_take_point_and_a_gammonless_position_is_never_too_good() -> None:
    plain = found((0.7, 0.0, 0.0, 0.0, 0.0))
    assert plain.take_point == plain.take_point_with_gammons == found().take_point
    assert found().take_point_with_gammons > plain.take_point
    assert plain.too_good_point is None


def test_the_answer_to_a_double_has_the_window_of_the_doubler() -> None:
    own, taker = (Candidate("x", 0.0, each, "") for each in (GAMMONISH, seen_by_opponent(GAMMONISH)))
    doubled = window_of(own, 5, 3, doubles=True, cube=1, phase=BEFORE)
    answered = window_of(taker, 3, 5, doubles=False, cube=1, phase=BEFORE)
    assert doubled is not None
    assert answered is not None
    assert answered.cash_point == pytest.approx(doubled.cash_point)
    assert answered.take_point == doubled.take_point


def test_there_is_no_window_without_chances_or_in_a_game_that_is_over() -> None:
    assert window_of(Candidate("x", 0.0, None, ""), 5, 5, doubles=True, cube=1, phase=BEFORE) is None
    assert cube_window(5, 5, (1.0, 1.0, 0.0, 0.0, 0.0), phase=BEFORE) is None


@pytest.mark.parametrize(
    ("own", "other", "cube", "phase"), [(1, 3, 1, AFTER), (2, 4, 2, BEFORE), (2, 2, 2, BEFORE)]
)
def test_who_needs_no_more_than_the_cube_has_nothing_to_double_for(
    own: int, other: int, cube: int, phase: MatchPhase
) -> None:
    assert cube_window(own, other, GAMMONISH, cube=cube, phase=phase) is None


def test_nobody_doubles_in_the_crawford_game() -> None:
    with pytest.raises(InvalidValue):
        cube_window(1, 3, GAMMONISH, phase=MatchPhase.CRAWFORD)
