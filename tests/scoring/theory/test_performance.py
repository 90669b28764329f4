"""PR, pooling, thresholds and the list of errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.sides import Side
from scoring.theory.decisions import Decision, DecisionKind, EngineLabel
from scoring.theory.performance import (
    ErrorMark,
    MixedLabels,
    Performance,
    Thresholds,
    biggest_errors,
    by_game,
    by_side,
    performance,
    pool,
)

FAST = EngineLabel("gammonview", "3.1.0", "fast@2")
DEEP = EngineLabel("gammonview", "3.1.0", "deep@2")


def decision(error, *, counted=True, game=1, ply=1, side=Side.WHITE, kind=DecisionKind.CHECKER, luck=None):
    return Decision("r", game, ply, side, kind, "played", (), error, counted, luck)


decisions = st.lists(
    st.builds(
        decision,
        st.floats(0, 3),
        counted=st.booleans(),
        game=st.integers(1, 4),
        side=st.sampled_from(Side),
        kind=st.sampled_from(DecisionKind),
        luck=st.none() | st.floats(-2, 2),
    )
)


def test_pr_is_500_times_the_loss_per_counted_decision():
    found = performance(
        [decision(0.1), decision(0.0), decision(0.05, kind=DecisionKind.DOUBLE), decision(0.0)]
    )
    assert found.pr == pytest.approx(500 * 0.15 / 4)
    assert found.checker_pr == pytest.approx(500 * 0.1 / 3)
    assert found.cube_pr == pytest.approx(500 * 0.05)


def test_what_does_not_count_changes_no_pr():
    assert performance([decision(0.1), decision(0.9, counted=False), decision(None, counted=False)]).pr == 50


def test_no_counted_decision_is_no_pr():
    found = performance([decision(None, counted=False)])
    assert (found.pr, found.checker_pr, found.cube_pr) == (None, None, None)


def test_luck_sums_over_rolls_that_have_one():
    found = performance([decision(0.0, luck=0.5), decision(None, counted=False, luck=-0.2), decision(0.0)])
    assert found.luck == pytest.approx(0.3)
    assert found.luck_rolls == 2


@given(decisions)
def test_a_match_is_the_sum_of_its_games(rows):
    games = by_game(rows)
    for side, whole in by_side(rows).items():
        summed = sum((sides[side] for sides in games.values()), Performance())
        assert summed.counted == whole.counted
        assert summed.loss == pytest.approx(whole.loss)
        assert summed.luck == pytest.approx(whole.luck)


def test_both_sides_are_present_even_without_decisions():
    assert by_side([]) == {Side.WHITE: Performance(), Side.BLACK: Performance()}


def test_pooling_adds_losses_and_never_averages():
    whole = pool([(FAST, Performance(1.0, 90)), (FAST, Performance(0.5, 10))])
    assert whole.pr == pytest.approx(7.5)


def test_pooling_nothing_is_no_pr():
    assert pool([]).pr is None


def test_two_labels_do_not_pool():
    with pytest.raises(MixedLabels, match="deep@2"):
        pool([(FAST, Performance(1.0, 90)), (DEEP, Performance(0.5, 10))])


@pytest.mark.parametrize(
    ("error", "counted", "mark"),
    [
        (0.0199, True, ErrorMark.NONE),
        (0.02, True, ErrorMark.ERROR),
        (0.0799, True, ErrorMark.ERROR),
        (0.08, True, ErrorMark.BLUNDER),
        (0.5, False, ErrorMark.NONE),
        (None, False, ErrorMark.NONE),
    ],
)
def test_marks_follow_the_thresholds(error, counted, mark):
    assert Thresholds().mark(decision(error, counted=counted)) is mark


def test_biggest_errors_come_first_and_ties_in_the_order_of_play():
    rows = [decision(0.05, ply=1), decision(0.2, ply=2), decision(0.05, ply=3), decision(0.01, ply=4)]
    rows.append(decision(0.9, ply=5, counted=False))
    assert [d.ply for d in biggest_errors(rows)] == [2, 1, 3]
    assert [d.ply for d in biggest_errors(rows, limit=1)] == [2]
    assert [d.ply for d in biggest_errors(rows, at_least=0.0)] == [2, 1, 3, 4]
