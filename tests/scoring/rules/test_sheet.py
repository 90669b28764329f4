"""A whole match as a fold of its events: depths, ends, interruptions, penalties, corrected lengths."""

import pytest

from scoring.rules.dice import Roll
from scoring.rules.endings import Ending, GameEnd
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.rules.events import (
    Doubled,
    LengthSet,
    MatchEnded,
    MatchStarted,
    OpeningRolled,
    PenaltyGiven,
    Resumed,
    Rolled,
    Ruled,
    ScoreRecorded,
    Suspended,
    Taken,
    Voided,
)
from scoring.rules.match import Crawford, MatchScore
from scoring.rules.match_state import MatchOutcome, Status
from scoring.rules.sheet import apply, is_dead_double, legal_actions, replay, why_not
from tests.scoring.rules.sheets import (
    BACKGAMMON,
    BLACK,
    GAMMON,
    SINGLE,
    WHITE,
    after,
    game,
    rolled,
    started,
    white_to_roll,
)  # fmt: skip


def refused(state, event):
    with pytest.raises((IllegalAction, InvalidValue)) as caught:
        apply(state, event)
    return caught.value.code


def kinds(state):
    return [action.kind for action in legal_actions(state)]


def test_a_match_of_recorded_games_ends_by_its_score():
    state = after(started(5), game(WHITE, GAMMON, 2), game(BLACK), game(WHITE))
    assert state.outcome == MatchOutcome(Ending.PLAYED, WHITE)
    assert state.winner is WHITE
    assert state.rates
    assert [(line.number, line.crawford, line.white, line.black) for line in state.games] == [
        (1, False, 4, 0),
        (2, True, 4, 1),
        (3, False, 5, 1),
    ]
    assert kinds(state) == ["set_length", "ruling", "voided"]
    assert refused(state, game(WHITE)) == "match_over"
    assert refused(state, OpeningRolled(3, 1)) == "match_over"
    assert started().winner is None
    assert not started().rates


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (game(WHITE, SINGLE, 3), "cube"),
        (game(WHITE, GAMMON, 2, GameEnd.PASS), "pass_is_single"),
        (game(WHITE, SINGLE, 4), "max_cube"),
    ],
)
def test_a_recorded_game_must_be_possible(event, code):
    assert refused(started(max_cube=2), event) == code


def test_a_recorded_game_knows_crawford_jacoby_and_the_missing_cube():
    assert refused(started(3, white=2), game(BLACK, SINGLE, 2)) == "crawford"
    assert refused(started(cube=False), game(BLACK, SINGLE, 2)) == "no_cube"
    assert refused(started(0), game(BLACK, GAMMON, 1)) == "jacoby"
    assert str(after(started(0), game(BLACK, GAMMON, 2)).score) == "0-4"
    assert str(after(started(0, jacoby=False), game(BLACK, GAMMON, 1)).score) == "0-2"


def test_the_rest_of_a_game_may_be_recorded_by_its_result():
    state = after(white_to_roll(started()), Doubled(), Taken())
    assert refused(state, game(BLACK, SINGLE, 1)) == "cube_fell"
    state = after(state, game(BLACK, GAMMON, 2))
    assert str(state.score) == "0-4"
    assert state.flags[-1].code == "rest_not_recorded"


def test_depths_mix_between_games():
    state = after(started(5), game(WHITE), OpeningRolled(3, 1))
    assert state.game.number == 2
    state = after(state, game(BLACK), ScoreRecorded(5, 3))
    assert str(state.score) == "5-3"
    assert state.winner is WHITE
    assert len(state.games) == 2


@pytest.mark.parametrize(
    ("white", "black", "code"),
    [
        (0, 5, "final_points"),
        (6, 2, "beyond_length"),
        (4, 3, "no_winner"),
        (5, 5, "two_winners"),
        (5.0, 1, "final_points"),
        (5, -1, "final_points"),
    ],
)
def test_a_final_score_must_be_one(white, black, code):
    assert refused(after(started(5), game(WHITE)), ScoreRecorded(white, black)) == code


def test_a_final_score_waits_for_the_game_in_progress():
    assert refused(apply(started(5), OpeningRolled(3, 1)), ScoreRecorded(5, 0)) == "in_game"
    assert "final_score" in kinds(started())


@pytest.mark.parametrize("ended", list(GameEnd))
def test_the_crawford_game_comes_after_a_bear_off_a_pass_and_a_resignation_alike(ended):
    state = after(started(3), game(WHITE, SINGLE, 2, ended))
    assert state.game.terms.crawford
    state = after(state, game(BLACK, SINGLE, 1, GameEnd.BORNE_OFF if ended is GameEnd.PASS else ended))
    assert not state.game.terms.crawford
    assert state.score.crawford is Crawford.BEHIND


def test_a_final_score_is_the_last_of_the_scores():
    state = after(started(5), game(WHITE), ScoreRecorded(5, 0))
    assert (state.outcome, state.rates) == (MatchOutcome(Ending.PLAYED, WHITE), True)
    assert state.timeline == ((0, 0), (1, 0), (5, 0))
    assert after(started(0), ScoreRecorded(0, 0)).outcome == MatchOutcome(Ending.AGREED, None)


def test_a_money_session_is_closed_and_has_no_winner():
    state = after(started(0), game(WHITE, SINGLE, 4), game(BLACK), MatchEnded(Ending.AGREED))
    assert (state.outcome, state.rates) == (MatchOutcome(Ending.AGREED, None), False)
    assert state.score.balance(WHITE) == 3
    closed = after(started(0), ScoreRecorded(7, 3))
    assert (closed.status, closed.winner) == (Status.OVER, None)


@pytest.mark.parametrize("reason", [reason for reason in Ending if reason.needs_winner])
def test_an_end_with_a_winner_names_it(reason):
    if reason is Ending.PLAYED:
        assert refused(started(), MatchEnded(reason, WHITE)) == "score_follows"
        return
    state = after(started(), MatchEnded(reason, BLACK))
    assert state.winner is BLACK
    assert state.rates is (reason in {Ending.TIME, Ending.PENALTY})
    assert refused(started(), MatchEnded(reason)) == "end_winner"


@pytest.mark.parametrize("reason", [Ending.DOUBLE_NO_SHOW, Ending.VOID])
def test_an_end_without_a_winner_names_none(reason):
    state = after(started(), MatchEnded(reason))
    assert (state.winner, state.rates, state.status) == (None, False, Status.OVER)
    assert refused(started(), MatchEnded(reason, WHITE)) == "end_winner"


def test_the_end_fits_the_kind_of_play():
    assert refused(started(), MatchEnded(Ending.AGREED)) == "end_reason"
    assert refused(started(0), MatchEnded(Ending.TIME, WHITE)) == "end_reason"
    assert after(started(0), MatchEnded(Ending.VOID)).status is Status.OVER


def test_nobody_fails_to_show_up_once_the_match_has_begun():
    for state in (apply(started(), OpeningRolled(3, 1)), apply(started(), game(WHITE))):
        assert refused(state, MatchEnded(Ending.NO_SHOW, WHITE)) == "has_begun"
    assert after(started(), PenaltyGiven(WHITE, 1), MatchEnded(Ending.NO_SHOW, WHITE)).winner is WHITE


def test_a_suspended_match_resumes_where_it_was():
    state = after(white_to_roll(started()), Rolled(Roll(6, 1)))
    stopped = after(state, Suspended(500, 612))
    assert (stopped.status, stopped.clocks) == (Status.SUSPENDED, (500, 612))
    assert refused(stopped, Rolled(Roll(6, 1))) == "match_suspended"
    assert refused(stopped, Suspended()) == "match_suspended"
    assert kinds(stopped) == ["match_end", "resume", "set_length", "penalty", "ruling", "voided"]
    resumed = after(stopped, Resumed(500, 612))
    assert (resumed.status, resumed.game) == (Status.PLAYING, state.game)
    assert refused(resumed, Resumed()) == "not_suspended"
    assert after(stopped, MatchEnded(Ending.RETIRED, BLACK)).winner is BLACK


def test_a_clock_may_have_run_out():
    assert after(started(), Suspended(0, 1)).clocks == (0, 1)


@pytest.mark.parametrize("seconds", [-1, 1.5, True])
def test_a_clock_shows_whole_seconds(seconds):
    assert refused(started(), Suspended(seconds, 10)) == "clock"
    assert refused(after(started(), Suspended()), Resumed(10, seconds)) == "clock"


def test_penalty_points_count_at_once():
    state = after(started(5), PenaltyGiven(BLACK, 2, "late"))
    assert (str(state.score), state.penalties) == ("0-2", (0, 2))
    assert (state.flags[-1].code, state.flags[-1].detail) == ("penalty", "black +2")
    assert state.rates is False
    over = after(state, PenaltyGiven(BLACK, 3))
    assert over.outcome == MatchOutcome(Ending.PENALTY, BLACK)
    assert over.rates


def test_penalty_points_add_up_and_are_noted_with_their_event():
    state = after(started(9), PenaltyGiven(BLACK, 2), PenaltyGiven(BLACK, 1), PenaltyGiven(WHITE, 4))
    assert state.penalties == (4, 3)
    assert [flag.event for flag in state.flags] == [2, 3, 4]
    assert state.timeline == ((0, 0), (0, 2), (0, 3), (4, 3))


def test_penalty_points_in_a_game_do_not_take_its_cube_away():
    state = after(white_to_roll(started(3)), PenaltyGiven(WHITE, 2))
    assert not state.game.terms.crawford
    state = after(state, Doubled(), Taken(), game(BLACK, SINGLE, 2))
    assert state.score.crawford is Crawford.NOW or state.score.is_dmp
    between = after(started(3), PenaltyGiven(WHITE, 2))
    assert between.game.terms.crawford
    assert between.game.number == 1


def test_penalty_points_above_half_the_length_win_where_that_is_the_rule():
    state = after(started(5, penalty_majority=True), PenaltyGiven(WHITE, 2))
    assert state.winner is None
    assert after(state, PenaltyGiven(WHITE, 1)).outcome == MatchOutcome(Ending.PENALTY, WHITE)
    assert after(started(5), PenaltyGiven(WHITE, 3)).winner is None
    half = after(started(6, penalty_majority=True), PenaltyGiven(WHITE, 3))
    assert half.winner is None  # half the length is not above half of it


def test_there_are_no_penalties_in_money_play_or_after_the_end():
    assert refused(started(0), PenaltyGiven(WHITE, 1)) == "money"
    assert refused(after(started(1), game(WHITE)), PenaltyGiven(BLACK, 1)) == "match_over"
    assert refused(started(5), PenaltyGiven(WHITE, 0)) == "penalty"


def test_a_match_played_too_short_is_resumed():
    state = after(started(3), game(WHITE, GAMMON), game(BLACK), game(WHITE))
    assert state.status is Status.OVER
    state = after(state, LengthSet(5, "director", "the draw says 5"))
    assert (state.status, state.outcome, state.game.number) == (Status.PLAYING, None, 4)
    assert state.score == MatchScore(5, 3, 1, Crawford.BEHIND)
    assert after(state, game(WHITE, GAMMON)).winner is WHITE


def test_a_match_played_too_long_was_won_by_the_first_to_reach_its_length():
    state = after(started(7), game(WHITE, GAMMON), game(BLACK, GAMMON), game(BLACK), game(WHITE, GAMMON))
    state = after(state, LengthSet(3, "director", "the draw says 3"))
    assert (state.winner, str(state.score)) == (BLACK, "2-3")
    assert state.outcome == MatchOutcome(Ending.PLAYED, BLACK)
    assert state.score.crawford is Crawford.AHEAD


def test_a_corrected_length_leaves_the_game_in_progress_alone():
    state = after(
        started(7), game(WHITE, GAMMON, 2), OpeningRolled(3, 1), LengthSet(5, "director", "typing error")
    )
    assert not state.game.terms.crawford
    assert state.game.roll == Roll(3, 1)
    assert after(started(7), game(WHITE, GAMMON, 2), LengthSet(5, "d", "typo")).game.terms.crawford


def test_a_game_in_progress_keeps_the_crawford_state_it_was_started_with():
    state = after(started(7), game(WHITE, GAMMON, 2), OpeningRolled(3, 1), LengthSet(5, "d", "typo"))
    assert state.score.crawford is Crawford.AHEAD
    assert after(state, game(BLACK)).game.terms.crawford


def test_the_true_length_may_be_one_point():
    state = after(started(5), game(BLACK), game(WHITE), LengthSet(1, "d", "the draw says 1"))
    assert (state.winner, str(state.score)) == (BLACK, "0-1")
    assert after(started(5), LengthSet(1, "d", "x")).score == MatchScore(1)


def test_a_length_is_not_set_for_nothing():
    assert refused(started(0), LengthSet(5, "d", "x")) == "money"
    assert refused(started(5), LengthSet(0, "d", "x")) == "length"
    assert refused(started(5), LengthSet(True, "d", "x")) == "length"
    assert refused(started(5), LengthSet(7, "d", "")) == "reason"
    ended = after(started(5), MatchEnded(Ending.RETIRED, WHITE))
    assert refused(ended, LengthSet(7, "d", "x")) == "ended_otherwise"
    suspended = after(started(5), Suspended(), LengthSet(7, "d", "x"))
    assert suspended.status is Status.SUSPENDED


def test_rulings_and_voided_events_are_noted_in_any_state():
    over = after(started(1), game(WHITE), Ruled("committee", "the result stands"), Voided())
    assert [flag.code for flag in over.flags] == ["ruling", "voided"]
    assert [flag.event for flag in over.flags] == [3, 4]


def test_a_dead_cube_is_none_in_money_play_or_before_the_opening():
    assert not is_dead_double(started())
    assert not is_dead_double(white_to_roll(started(0)))


def test_a_sheet_begins_with_the_match_and_only_once():
    for events in ([], [OpeningRolled(3, 1)]):
        with pytest.raises(IllegalAction, match="begins with the start of the match"):
            replay(events)
    assert refused(started(), MatchStarted(5)) == "started"
    assert replay([MatchStarted(5), game(WHITE)]) == after(started(5), game(WHITE))


def test_a_kind_that_does_not_exist_is_refused():
    with pytest.raises(InvalidValue, match="no event of the kind 'shout'"):
        why_not(started(), "shout")


def test_a_state_never_changes():
    state = white_to_roll(started())
    before = repr(state)
    rolled(state, "61")
    assert repr(state) == before


def test_the_levels_and_sides_of_what_may_happen():
    actions = legal_actions(after(white_to_roll(started()), Doubled(), Taken()))
    assert [(action.kind, action.by) for action in actions][:1] == [("roll", WHITE)]
    assert {(action.by, action.levels) for action in actions if action.kind == "resign"} == {
        (side, (SINGLE, GAMMON, BACKGAMMON)) for side in (WHITE, BLACK)
    }
