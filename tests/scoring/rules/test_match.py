"""The one scoring function, and the value of a won game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.errors import InvalidValue
from scoring.rules.match import Crawford, MatchScore, Win
from scoring.rules.money import counted_win, settle
from scoring.rules.options import RuleOptions
from tests.scoring.rules.sheets import BACKGAMMON, BLACK, GAMMON, SINGLE, WHITE


def test_points_are_the_cube_times_the_win_raw_and_capped():
    score = MatchScore.start(5).after(WHITE, BACKGAMMON, 2)
    assert (score.points(WHITE), score.capped(WHITE), score.away(WHITE), score.away(BLACK)) == (6, 5, 0, 5)
    assert score.winner is WHITE
    assert str(score) == "6-0"


def test_the_crawford_game_is_the_first_to_start_one_away_and_comes_once():
    score = MatchScore.start(3)
    assert score.crawford is Crawford.AHEAD
    score = score.after(WHITE, GAMMON, 1)
    assert score.crawford is Crawford.NOW
    score = score.after(BLACK, SINGLE, 1)
    assert score.crawford is Crawford.BEHIND
    score = score.after(BLACK, SINGLE, 1)
    assert (score.crawford, score.is_dmp) == (Crawford.BEHIND, True)


def test_the_crawford_game_cannot_be_won_on_a_turned_cube():
    with pytest.raises(InvalidValue, match="the Crawford game has no cube: it cannot be at 2"):
        MatchScore.start(3, white=2).after(BLACK, SINGLE, 2)


@pytest.mark.parametrize(("length", "white", "black"), [(1, 0, 0), (5, 4, 4), (0, 0, 0)])
def test_no_crawford_game_at_one_point_or_when_both_are_one_away(length, white, black):
    assert MatchScore.start(length, white=white, black=black).crawford is not Crawford.NOW


def test_the_crawford_rule_needs_two_points_and_the_longest_match_is_one():
    assert MatchScore.start(1).crawford is Crawford.NONE
    assert MatchScore.start(2).crawford is Crawford.AHEAD
    assert MatchScore(32767).length == 32767


def test_a_head_start_one_away_makes_the_first_game_crawford():
    assert MatchScore.start(5, white=4).crawford is Crawford.NOW
    assert MatchScore.start(5, white=4, crawford=False).crawford is Crawford.NONE


def test_penalty_points_in_a_game_leave_its_cube_and_make_the_next_crawford():
    score = MatchScore.start(3).penalised(WHITE, 2, in_game=True)
    assert score.crawford is Crawford.AHEAD
    assert score.after(BLACK, SINGLE, 1).crawford is Crawford.NOW
    between = MatchScore.start(3).penalised(WHITE, 2, in_game=False)
    assert between.crawford is Crawford.NOW
    assert between.penalised(BLACK, 2, in_game=False).crawford is Crawford.AHEAD


def test_the_crawford_game_stays_crawford_when_a_penalty_is_given_in_it():
    score = MatchScore.start(3, white=2).penalised(BLACK, 2, in_game=True)
    assert score.crawford is Crawford.NOW
    assert score.after(WHITE, SINGLE, 1).winner is WHITE


@pytest.mark.parametrize("points", [0, -1, 1.0, True])
def test_penalty_points_are_a_positive_number(points):
    with pytest.raises(InvalidValue, match="penalty points"):
        MatchScore.start(3).penalised(WHITE, points, in_game=False)


def test_a_corrected_length_keeps_the_points_and_finds_the_crawford_game_anew():
    score = MatchScore.start(7, white=4, black=2)
    assert score.with_length(5, crawford=True, in_game=False).crawford is Crawford.NOW
    assert score.with_length(5, crawford=True, in_game=True).crawford is Crawford.AHEAD
    assert score.with_length(5, crawford=False, in_game=False).crawford is Crawford.NONE
    assert MatchScore.start(3).with_length(1, crawford=True, in_game=True).crawford is Crawford.NONE
    assert MatchScore.start(3).with_length(2, crawford=True, in_game=False).crawford is Crawford.AHEAD
    played = MatchScore(5, 4, 3, Crawford.BEHIND)
    assert played.with_length(7, crawford=True, in_game=False).crawford is Crawford.BEHIND
    now = MatchScore.start(5, white=4)
    assert now.with_length(7, crawford=True, in_game=True).crawford is Crawford.NOW
    assert now.with_length(7, crawford=True, in_game=False).crawford is Crawford.AHEAD


def test_nothing_is_scored_after_the_match():
    with pytest.raises(InvalidValue, match=r"^the match is over: black has won$"):
        MatchScore(3, 0, 3).after(WHITE, SINGLE, 1)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: MatchScore(-1), "a match cannot be to -1 points"),
        (lambda: MatchScore(32768), "a match cannot be to 32768 points"),
        (lambda: MatchScore(True), "a match cannot be to True points"),
        (lambda: MatchScore(5, -1), "white cannot have -1 points"),
        (lambda: MatchScore(5, 0, True), "black cannot have True points"),
        (lambda: MatchScore(5, 5, 6), "5-6 is not a score in a match to 5: both players would have won"),
        (lambda: MatchScore.start(5, white=5), "white cannot start a match to 5 with 5 points"),
        (lambda: MatchScore.start(0, black=1), "black cannot start a match to 0 with 1 points"),
        (lambda: MatchScore.start(5).after(WHITE, SINGLE, 3), "a cube cannot show 3"),
        (lambda: MatchScore(0).away(WHITE), "^a money session has no away score$"),
        (lambda: RuleOptions(max_cube=3), "cannot be 3"),
        (lambda: RuleOptions(max_cube=0), "cannot be 0"),
        (lambda: RuleOptions(max_cube=True), "cannot be True"),
        (lambda: RuleOptions(automatic_doubles=-1), "-1 is not a number"),
        (lambda: RuleOptions(automatic_doubles=True), "True is not a number"),
    ],
)
def test_a_score_or_option_that_cannot_be_is_refused_by_its_value(make, text):
    with pytest.raises(InvalidValue, match=text):
        make()


GAMES = st.lists(
    st.tuples(st.sampled_from([WHITE, BLACK]), st.sampled_from(Win), st.sampled_from([1, 2, 4, 8])),
    max_size=30,
)


@given(GAMES)
def test_money_balances_sum_to_zero(games):
    score = MatchScore.start(0)
    for side, win, cube in games:
        score = score.after(side, win, cube)
    assert score.winner is None
    assert score.is_money
    assert not score.is_dmp
    assert score.capped(WHITE) == score.white
    assert score.balance(WHITE) + score.balance(BLACK) == 0
    balances = settle([(side, win * cube) for side, win, cube in games], stake=25)
    assert balances == {WHITE: 25 * score.balance(WHITE), BLACK: 25 * score.balance(BLACK)}


@given(st.integers(1, 25), GAMES)
def test_a_match_has_at_most_one_crawford_game_and_one_score_rises_a_game(length, games):
    score, crawford_games = MatchScore.start(length), 0
    for side, win, cube in games:
        if score.winner is not None:
            break
        if score.crawford is Crawford.NOW:
            crawford_games += 1
            assert min(score.away(WHITE), score.away(BLACK)) == 1
        value = 1 if score.crawford is Crawford.NOW else cube
        following = score.after(side, win, value)
        assert following.points(side) == score.points(side) + win * value
        assert following.points(side.other) == score.points(side.other)
        score = following
    assert crawford_games <= 1


@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize("win", list(Win))
def test_jacoby_counts_a_single_before_the_cube_is_turned(win, turned):
    assert counted_win(win, jacoby=True, cube_turned=turned) is (win if turned else SINGLE)
    assert counted_win(win, jacoby=False, cube_turned=turned) is win
