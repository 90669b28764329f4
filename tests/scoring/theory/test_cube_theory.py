"""Janowski, cubeless equity and match equity: published values and limits."""

import itertools

import pytest
from gvformat.met import mwc_anchors
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.errors import InvalidValue
from scoring.theory.janowski import CubeVerdict, cube_points, cubeless_equity, verdict
from scoring.theory.met import LONGEST, MatchPhase, equity_after, match_equity, take_point

sizes = st.floats(1, 3)
awayness = st.integers(2, LONGEST)


@given(sizes, sizes, st.floats(0, 1))
def test_the_doubling_window_is_in_order(wins, losses, life):
    points = cube_points(wins, losses, life)
    assert points.take_point <= points.beaver_point
    assert points.initial_double <= points.redouble + 1e-12
    assert points.redouble <= points.cash + 1e-12
    assert points.cash <= points.too_good


@given(sizes, sizes, st.floats(0, 1))
def test_the_takers_window_is_the_doublers_seen_from_the_other_side(wins, losses, life):
    assert cube_points(wins, losses, life).cash == pytest.approx(
        1 - cube_points(losses, wins, life).take_point
    )


@pytest.mark.parametrize("bad", [{"wins": 0.9}, {"losses": 3.1}, {"life": -0.1}, {"life": 1.1}])
def test_impossible_sizes_are_refused(bad):
    with pytest.raises(InvalidValue):
        cube_points(**bad)


def test_cubeless_equity_counts_gammons_once_more():
    assert cubeless_equity(1.0, 1.0, 1.0) == 3.0
    assert cubeless_equity(0.0, 0.0, 0.0, 1.0, 1.0) == -3.0
    with pytest.raises(InvalidValue):
        cubeless_equity(0.3, 0.4)
    with pytest.raises(InvalidValue):
        cubeless_equity(0.9, lost_gammon=0.2)


@pytest.mark.parametrize(
    ("equities", "expected"),
    [
        ((0.667, 0.684, 1.0), CubeVerdict(double=True, take=True, equity=0.684)),
        ((0.667, 1.2, 1.0), CubeVerdict(double=True, take=False, equity=1.0)),
        ((1.1, 1.2, 1.0), CubeVerdict(double=False, take=False, equity=1.1)),
        ((0.2, -0.1, 1.0), CubeVerdict(double=False, take=True, equity=0.2)),
    ],
)
def test_a_double_is_worth_what_the_better_answer_leaves(equities, expected):
    assert verdict(*equities) == expected


def test_kazaross_xg2_as_printed_in_the_rules_reference():
    printed = """
        50    67.74 75.08 81.44 84.18 88.73 90.72 93.25 94.40
        32.26 50    59.95 66.87 74.36 79.94 84.23 87.54 90.20
        24.92 40.05 50    57.15 64.80 71.12 76.21 80.47 84.02
        18.56 33.13 42.85 50    57.73 64.28 69.92 74.58 78.80
        15.82 25.64 35.20 42.27 50    56.64 62.64 67.79 72.54
    """
    rows = [[float(v) for v in line.split()] for line in printed.strip().splitlines()]
    for own, row in enumerate(rows, start=1):
        for opponent, value in enumerate(row, start=1):
            assert 100 * match_equity(own, opponent) == pytest.approx(value, abs=0.0051)
    trailer = [50, 48.80, 32.26, 31.00, 19.01, 18.07, 11.56, 10.91, 6.95]
    for own, value in enumerate(trailer, start=1):
        assert 100 * match_equity(own, 1, crawford_played=True) == pytest.approx(value, abs=0.0051)


@given(st.integers(1, LONGEST), st.integers(1, LONGEST), st.booleans())
def test_both_chances_sum_to_one(own, opponent, crawford_played):
    total = match_equity(own, opponent, crawford_played=crawford_played) + match_equity(
        opponent, own, crawford_played=crawford_played
    )
    assert total == pytest.approx(1, abs=2e-5)


@given(awayness, awayness, st.sampled_from([1, 2, 4, 8]))
def test_scores_after_a_game_agree_with_gvformat(own, opponent, cube):
    won, lost = mwc_anchors(own, opponent, cube)
    assert equity_after(own, opponent, cube, phase=MatchPhase.BEFORE_CRAWFORD) == won
    assert equity_after(own, opponent, -cube, phase=MatchPhase.BEFORE_CRAWFORD) == pytest.approx(
        lost, abs=2e-5
    )


@given(awayness, awayness, st.sampled_from([1, 2, 4]))
def test_a_take_point_is_a_chance(taker, doubler, cube):
    assert 0 <= take_point(taker, doubler, cube=cube) < 1


def test_after_the_crawford_game_the_post_crawford_row_counts():
    # The trailer at 2-away doubles: the leader who passes is at double match point, who takes plays for all.
    assert take_point(1, 2, phase=MatchPhase.AFTER_CRAWFORD) == pytest.approx(0.5)
    # The trailer at 3-away doubles: the leader who passes is at 1-away against 2-away.
    passed = 1 - match_equity(2, 1, crawford_played=True)
    lost = 1 - match_equity(1, 1)
    assert take_point(1, 3, phase=MatchPhase.AFTER_CRAWFORD) == pytest.approx((passed - lost) / (1 - lost))


@pytest.mark.parametrize(
    ("score", "options"),
    [
        ((0, 3), {}),
        ((3, 26), {}),
        ((2.0, 3), {}),
        ((3, 3), {"cube": 3}),
        ((3, 3), {"cube": 0}),
        ((1, 3), {}),
        ((1, 3), {"phase": MatchPhase.CRAWFORD}),
        ((3, 3), {"phase": MatchPhase.AFTER_CRAWFORD}),
    ],
)
def test_an_impossible_score_or_cube_is_refused(score, options):
    with pytest.raises(InvalidValue):
        take_point(*score, **options)


def test_points_beyond_the_match_count_for_nothing():
    for points, phase in itertools.product((3, 4, 64), MatchPhase):
        assert equity_after(3, 5, points, phase=phase) == 1.0
        assert equity_after(5, 3, -points, phase=phase) == 0.0
