"""The scoring state machine of one game.

Source: docs/reference/rules.md, "The course of a game".
"""

from dataclasses import replace

import pytest

from scoring.rules.cube import HIGHEST_CUBE, Cube
from scoring.rules.dice import Roll
from scoring.rules.endings import GameEnd
from scoring.rules.errors import IllegalAction, IllegalPlay, InvalidValue
from scoring.rules.events import (
    Accepted,
    Beavered,
    Doubled,
    DoubleStatus,
    GameRecorded,
    NotRolled,
    OpeningRolled,
    Passed,
    Played,
    PlayStatus,
    Raccooned,
    RefusedResignation,
    Resigned,
    Rolled,
    Taken,
    VoidRoll,
)
from scoring.rules.game import GameState, GameTerms, Phase, is_closed_out
from scoring.rules.guards import refusal
from scoring.rules.options import DieOnChecker, MovesPolicy, PrematureCube, PrematureRoll, RuleOptions
from scoring.rules.plays import Move
from scoring.rules.position import STARTING_POSITION, Position
from scoring.rules.sheet import apply, legal_actions, why_not
from scoring.rules.transitions import apply_to_game
from tests.scoring.rules.sheets import (
    BACKGAMMON,
    BLACK,
    GAMMON,
    SINGLE,
    WHITE,
    after,
    any_play,
    board,
    rolled,
    started,
    white_to_roll,
)  # fmt: skip

CLOSED = {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}


def refused(state, event):
    """The code of the refusal; the state must say the same when it is asked by kind."""
    with pytest.raises(IllegalAction) as caught:
        apply(state, event)
    return caught.value.code


def kinds(state):
    return {action.kind for action in legal_actions(state)}


# the opening


def test_the_higher_die_starts_with_both_dice_and_cannot_double():
    state = apply(started(), OpeningRolled(2, 6))
    assert (state.game.on_roll, state.game.roll, state.game.phase) == (BLACK, Roll(6, 2), Phase.MOVING)
    assert refused(state, Doubled()) == "after_roll"
    assert str(why_not(state, "double")) == "no double after rolling: the roll is 62"


def test_the_other_player_may_double_before_the_own_first_roll():
    state = after(white_to_roll(started()), Doubled())
    assert state.game.phase is Phase.OFFERED
    assert state.game.to_act is BLACK


def test_a_tie_is_rolled_again_and_changes_nothing_in_a_match():
    state = after(started(), OpeningRolled(4, 4))
    assert state.game == started().game


def test_ties_double_the_cube_of_a_money_game_up_to_the_cap():
    state = after(started(0, automatic_doubles=2), *[OpeningRolled(4, 4)] * 3)
    assert (state.game.cube, state.game.automatic_doubles) == (Cube(4), 2)
    assert after(started(0), *[OpeningRolled(1, 1)] * 3).game.cube == Cube(2)
    assert after(started(0, automatic_doubles=0), OpeningRolled(1, 1)).game.cube == Cube()
    assert after(started(0, max_cube=1), OpeningRolled(1, 1)).game.cube == Cube()
    assert after(started(0, cube=False), OpeningRolled(1, 1)).game.cube == Cube()


@pytest.mark.parametrize("dice", [(0, 3), (3, 7), (True, 3), ("3", 1)])
def test_an_opening_die_that_does_not_exist_is_refused(dice):
    with pytest.raises(InvalidValue, match="a die shows 1 to 6"):
        apply(started(), OpeningRolled(*dice))


def test_nothing_else_happens_before_the_opening_roll():
    for event in (
        Rolled(Roll(3, 1)),
        Played(),
        Doubled(),
        Taken(),
        Passed(),
        NotRolled(),
        Resigned(WHITE, SINGLE),
    ):
        assert refused(started(), event) == "not_now"
    assert refused(started(), Accepted()) == "not_now"
    assert started().game.to_act is None
    told = why_not(started(), "take")
    assert told is not None
    assert told.parameters == {"what": "a take", "side": ""}
    with pytest.raises(IllegalAction, match="before the opening roll"):
        _ = started().game.player


# cube


def test_a_take_gives_the_cube_to_the_taker_and_the_doubler_must_roll():
    state = after(white_to_roll(started()), Doubled(), Taken())
    assert (state.game.cube, state.game.phase, state.game.to_act) == (Cube(2, BLACK), Phase.ROLL, WHITE)
    assert refused(state, Doubled()) == "not_now"
    state = rolled(state, "61")
    assert (state.game.phase, state.game.on_roll) == (Phase.TURN, BLACK)
    assert after(state, Doubled(), Taken()).game.cube == Cube(4, WHITE)


def test_only_the_owner_redoubles():
    state = rolled(rolled(after(white_to_roll(started()), Doubled(), Taken()), "61"), "61")
    assert refused(state, Doubled()) == "not_owner"
    assert after(state, Doubled(DoubleStatus.VOID_NOT_OWNER)).game == state.game


def test_a_pass_loses_the_value_before_the_double():
    state = after(white_to_roll(started()), Doubled(), Passed())
    assert str(state.score) == "1-0"
    assert state.games[0].outcome.ended is GameEnd.PASS
    state = rolled(after(white_to_roll(started()), Doubled(), Taken()), "61")
    assert str(after(state, Doubled(), Passed()).score) == "0-2"


def test_nothing_but_an_answer_follows_a_double():
    state = after(white_to_roll(started()), Doubled())
    for event in (
        Rolled(Roll(3, 1)),
        Doubled(),
        Resigned(WHITE, SINGLE),
        NotRolled(),
        board({6: 15}, {6: 15}),
    ):
        assert refused(state, event) == "not_now"
    assert refused(state, Beavered()) == "no_beavers"
    assert {"take", "pass"} <= kinds(state)


def test_a_maximum_cube_ends_doubling_beavers_and_raccoons():
    assert refused(white_to_roll(started(max_cube=1)), Doubled()) == "max_cube"
    offered = after(white_to_roll(started(0, max_cube=2)), Doubled())
    assert refused(offered, Beavered()) == "max_cube"
    beavered = after(white_to_roll(started(0, max_cube=4)), Doubled(), Beavered())
    assert refused(beavered, Raccooned()) == "max_cube"


def test_a_game_without_the_cube_has_no_double():
    assert refused(white_to_roll(started(cube=False)), Doubled()) == "no_cube"


def test_a_beaver_and_a_raccoon_turn_the_cube_and_leave_it_with_the_beaverer():
    state = after(white_to_roll(started(0)), Doubled(), Beavered())
    assert (state.game.cube, state.game.phase, state.game.to_act) == (Cube(4, BLACK), Phase.BEAVERED, WHITE)
    assert after(state, Taken()).game.cube == Cube(4, BLACK)
    state = after(state, Raccooned())
    assert (state.game.cube, state.game.phase, state.game.to_act) == (Cube(8, BLACK), Phase.RACCOONED, BLACK)
    state = rolled(after(state, Taken()), "61")
    assert after(state, Doubled(), Taken()).game.cube == Cube(16, WHITE)


def test_passing_a_beaver_or_raccoon_pays_the_value_before_it():
    state = after(white_to_roll(started(0)), Doubled(), Beavered())
    assert str(after(state, Passed()).score) == "0-2"
    assert str(after(state, Raccooned(), Passed()).score) == "4-0"


def test_beavers_and_raccoons_can_be_off_and_have_their_moment():
    assert refused(after(white_to_roll(started(0, beavers=False)), Doubled()), Beavered()) == "no_beavers"
    state = after(white_to_roll(started(0, raccoons=False)), Doubled(), Beavered())
    assert refused(state, Raccooned()) == "no_raccoons"
    assert refused(white_to_roll(started(0)), Beavered()) == "not_now"
    assert refused(white_to_roll(started(0)), Raccooned()) == "not_now"


def test_a_double_in_the_crawford_game_is_refused_live_and_void_in_a_record():
    state = white_to_roll(started(3, white=2))
    assert state.game.terms.crawford
    assert refused(state, Doubled()) == "crawford"
    void = after(state, Doubled(DoubleStatus.VOID_CRAWFORD))
    assert void.game == state.game
    assert void.flags[-1].code == "void_crawford"
    assert refused(state, Doubled(DoubleStatus.VOID_HOLLAND)) == "not_void"
    assert refused(white_to_roll(started()), Doubled(DoubleStatus.VOID_CRAWFORD)) == "not_void"


def test_holland_waits_for_two_rolls_by_each_side_after_the_crawford_game():
    from tests.scoring.rules.sheets import game

    state = apply(started(3, white=2, holland=True), game(BLACK))
    state = white_to_roll(state)
    assert refused(state, Doubled()) == "holland"
    assert after(state, Doubled(DoubleStatus.VOID_HOLLAND)).flags[-1].code == "void_holland"
    state = rolled(rolled(state, "61"), "61")
    assert refused(state, Doubled()) == "holland"  # White has rolled once, Black twice
    state = rolled(state, "61")
    assert after(state, Doubled()).game.phase is Phase.OFFERED
    assert (
        after(white_to_roll(apply(started(3, white=2), game(BLACK))), Doubled()).game.phase is Phase.OFFERED
    )


def test_a_double_after_rolling_or_too_early_can_be_recorded_as_void():
    state = after(white_to_roll(started()), Rolled(Roll(6, 1)))
    assert after(state, Doubled(DoubleStatus.VOID_AFTER_ROLL)).game == state.game
    assert refused(state, Doubled(DoubleStatus.VOID_PREMATURE)) == "premature_stands"
    lenient = after(white_to_roll(started(premature_cube=PrematureCube.VOID)), Rolled(Roll(6, 1)))
    assert after(lenient, Doubled(DoubleStatus.VOID_PREMATURE)).game == lenient.game
    assert refused(started(), Doubled(DoubleStatus.VOID_PREMATURE)) == "not_now"


def test_a_dead_cube_is_flagged_or_forbidden():
    state = white_to_roll(started(3, white=2, crawford=False))
    assert after(state, Doubled()).flags[-1].code == "dead_cube"
    state = white_to_roll(started(3, white=2, crawford=False, forbid_dead_cube=True))
    assert refused(state, Doubled()) == "dead_cube"
    state = white_to_roll(started(3, black=2, crawford=False))
    assert after(state, Doubled()).flags == ()


# dice


@pytest.mark.parametrize("reason", list(VoidRoll))
def test_a_void_roll_is_recorded_and_changes_nothing(reason):
    state = white_to_roll(started(premature_roll=PrematureRoll.VOID))
    void = after(state, Rolled(Roll(6, 6), reason))
    assert void.game == state.game
    assert (void.flags[-1].code, void.flags[-1].detail) == (f"void_roll_{reason.value}", "66")


def test_a_premature_roll_may_be_left_to_the_opponent():
    state = white_to_roll(started(premature_roll=PrematureRoll.OPPONENT_CHOICE))
    assert after(state, Rolled(Roll(6, 6), VoidRoll.PREMATURE)).game == state.game
    assert after(state, Rolled(Roll(6, 6))).game.roll == Roll(6, 6)


def test_a_void_roll_follows_the_options():
    state = white_to_roll(started(die_on_checker=DieOnChecker.VALID))
    assert refused(state, Rolled(Roll(6, 6), VoidRoll.PREMATURE)) == "premature_stands"
    assert refused(state, Rolled(Roll(6, 6), VoidRoll.DIE_ON_CHECKER)) == "die_valid"
    assert refused(after(state, Doubled()), Rolled(Roll(6, 6), VoidRoll.COCKED)) == "not_now"


def test_a_closed_out_player_may_leave_the_dice_alone_or_roll_them():
    state = after(white_to_roll(started()), board({25: 1, 6: 14}, CLOSED | {13: 3}))
    assert "no_roll" in kinds(state)
    assert after(state, NotRolled()).game.to_act is BLACK
    state = after(state, Rolled(Roll(6, 6)))
    assert after(state, Played()).game.to_act is BLACK


def test_a_closed_out_player_may_double_first():
    state = after(white_to_roll(started()), board({25: 1, 6: 14}, CLOSED | {13: 3}), Doubled(), Taken())
    assert after(state, NotRolled()).game.phase is Phase.TURN


def test_a_player_who_is_not_closed_out_must_roll():
    assert refused(white_to_roll(started()), NotRolled()) == "not_closed_out"
    assert not is_closed_out(Position.from_points({25: 1}, {**CLOSED, 3: 1}))
    assert not is_closed_out(Position.from_points({24: 1}, CLOSED | {1: 0}))


# plays


def test_an_illegal_play_is_refused_with_its_reason():
    state = apply(started(), OpeningRolled(6, 5))
    with pytest.raises(IllegalPlay, match="24/19 is blocked"):
        apply(state, Played((Move(24, 19), Move(13, 7))))


def test_a_play_may_carry_its_result_which_must_agree():
    state = apply(started(), OpeningRolled(3, 1))
    play = any_play(state)
    result = apply(state, play).game.position
    assert apply(state, Played(play.moves, result=result)).game.position == result
    with pytest.raises(IllegalPlay, match="these moves lead to"):
        apply(state, Played(play.moves, result=STARTING_POSITION))


def test_a_corrected_play_leaves_the_dice_on_the_board():
    state = apply(started(), OpeningRolled(6, 5))
    wrong = after(state, Played((Move(24, 19),), PlayStatus.ILLEGAL_CORRECTED))
    assert wrong.game == state.game
    assert (wrong.flags[-1].code, wrong.flags[-1].detail) == ("illegal_corrected", "24/19")
    assert refused(state, Played((Move(24, 13),), PlayStatus.ILLEGAL_CORRECTED)) == "play_is_legal"


def test_an_accepted_illegal_play_goes_on_from_the_position():
    state = apply(started(), OpeningRolled(3, 1))
    accepted = after(state, Played((Move(13, 8),), PlayStatus.ILLEGAL_ACCEPTED))
    assert accepted.game.position.own[8] == 4
    assert accepted.game.to_act is BLACK
    there = Position.from_points({24: 1, 20: 1, 13: 5, 8: 3, 6: 5}, dict(enumerate(STARTING_POSITION.own)))
    state = apply(started(), OpeningRolled(6, 5))
    given = after(state, Played((Move(24, 20),), PlayStatus.ILLEGAL_ACCEPTED, there))
    assert given.game.position == there


def test_a_play_of_too_few_dice_is_incomplete():
    state = apply(started(), OpeningRolled(3, 1))
    assert after(state, Played((Move(8, 5),), PlayStatus.INCOMPLETE_ACCEPTED)).game.position.own[5] == 1
    wrong = Played((Move(13, 8),), PlayStatus.INCOMPLETE_ACCEPTED)
    assert refused(state, wrong) == "play_is_not_incomplete"
    right = Played((Move(8, 5), Move(6, 5)), PlayStatus.INCOMPLETE_ACCEPTED, STARTING_POSITION)
    assert refused(state, right) == "play_is_not_incomplete"


def test_an_illegal_play_that_no_board_can_show_needs_its_result():
    state = apply(started(), OpeningRolled(6, 5))
    for moves in ((Move(24, 19),), (Move(23, 12),), (Move(6, 6),)):
        with pytest.raises(IllegalPlay, match=r"holds the 19 point|no checker to move"):
            apply(state, Played(moves, PlayStatus.ILLEGAL_ACCEPTED))


def test_an_accepted_play_keeps_the_number_of_checkers():
    state = apply(started(), OpeningRolled(3, 1))
    fewer = Position((0,) * 6 + (14,) + (0,) * 19, STARTING_POSITION.opponent, irregular=True)
    with pytest.raises(IllegalPlay, match="lost or gained a checker"):
        apply(state, Played((Move(13, 8),), PlayStatus.ILLEGAL_ACCEPTED, fewer))


def test_who_may_accept_an_illegal_play_follows_the_policy():
    play = Played((Move(13, 8),), PlayStatus.ILLEGAL_ACCEPTED, accepted_by=BLACK)
    assert refused(apply(started(), OpeningRolled(3, 1)), play) == "must_be_corrected"
    for policy in (MovesPolicy.RESPONSIBLE, MovesPolicy.ACCEPT_OR_DEMAND):
        responsible = apply(started(moves_policy=policy), OpeningRolled(3, 1))
        assert apply(responsible, play).game.to_act is BLACK
    own = Played((Move(13, 8),), PlayStatus.ILLEGAL_ACCEPTED, accepted_by=WHITE)
    assert refused(responsible, own) == "accepted_by_mover"


@pytest.mark.parametrize(
    ("loser", "win"),
    [
        ({6: 14}, SINGLE),
        ({6: 15}, GAMMON),
        ({6: 14, 19: 1}, BACKGAMMON),
        ({6: 14, 25: 1}, BACKGAMMON),
        ({18: 15}, GAMMON),
    ],
)
def test_bearing_off_wins_what_the_loser_s_checkers_say(loser, win):
    state = after(
        white_to_roll(started()), board({2: 2}, loser), Rolled(Roll(6, 5)), Played((Move(2, 0),) * 2)
    )
    assert (state.games[0].outcome.winner, state.games[0].outcome.win) == (WHITE, win)
    assert state.games[0].outcome.ended is GameEnd.BORNE_OFF


def test_black_bears_off_too():
    state = rolled(white_to_roll(started()), "61")
    state = after(state, board({6: 15}, {1: 1}), Rolled(Roll(6, 5)), Played((Move(1, 0),)))
    assert str(state.score) == "0-2"


def test_jacoby_makes_gammons_count_only_once_the_cube_was_taken():
    ending = board({2: 2}, {6: 15}), Rolled(Roll(6, 5)), Played((Move(2, 0),) * 2)
    assert str(after(white_to_roll(started(0)), *ending).score) == "1-0"
    assert str(after(white_to_roll(started(0, jacoby=False)), *ending).score) == "2-0"
    assert (
        str(after(white_to_roll(started(0)), board({2: 2}, {6: 15}), Doubled(), Taken(), *ending[1:]).score)
        == "4-0"
    )
    tied = white_to_roll(apply(started(0), OpeningRolled(2, 2)))
    assert str(after(tied, *ending).score) == "2-0"  # an automatic double is no accepted double


def test_a_beaver_is_an_accepted_double_for_jacoby():
    state = after(white_to_roll(started(0)), Doubled(), Beavered())
    assert state.game.cube_turned
    ending = board({2: 2}, {6: 15}), Rolled(Roll(6, 5)), Played((Move(2, 0),) * 2)
    assert str(after(state, Taken(), *ending).score) == "8-0"


def test_each_roll_is_counted_for_the_side_that_rolled():
    state = rolled(rolled(rolled(white_to_roll(started()), "61"), "52"), "43")
    assert (state.game.white_rolls, state.game.black_rolls) == (2, 2)
    assert after(started(), OpeningRolled(6, 1)).game.white_rolls == 1


def test_black_s_play_moves_black_s_checkers():
    state = after(started(), OpeningRolled(1, 3), Played((Move(8, 5), Move(6, 5))))
    assert state.game.position.own == STARTING_POSITION.own
    assert [state.game.position.opponent[point] for point in (5, 6, 8)] == [2, 4, 2]
    assert (state.game.roll, state.game.on_roll) == (None, WHITE)


def test_a_game_that_is_over_shows_its_last_position_and_waits_for_nothing():
    state = after(white_to_roll(started(1)), board({2: 2}, {6: 15}), Rolled(Roll(6, 5)))
    over = after(state, Played((Move(2, 0),) * 2)).game
    assert (over.phase, over.roll, over.position.own[0]) == (Phase.OVER, None, 15)
    resigned = after(state, Resigned(BLACK, GAMMON), Accepted()).game
    assert (resigned.phase, resigned.roll, resigned.resignation) == (Phase.OVER, None, None)


def test_the_position_of_a_crawford_game_may_be_set():
    state = after(started(3, white=2), board({6: 15}, {6: 15}))
    assert state.game.position.own[6] == 15


def test_a_position_with_a_player_on_roll_needs_no_opening_roll():
    state = after(started(), board({6: 15}, {6: 15}, on_roll=BLACK))
    assert (state.game.phase, state.game.on_roll) == (Phase.TURN, BLACK)
    waiting = after(white_to_roll(started()), Doubled(), Taken(), board({6: 15}, {6: 15}, on_roll=BLACK))
    assert waiting.game.phase is Phase.TURN


@pytest.mark.parametrize(
    ("state", "event"),
    [
        (white_to_roll(started()), OpeningRolled(3, 1)),
        (started(), Rolled(Roll(3, 1))),
        (white_to_roll(started()), NotRolled()),
        (white_to_roll(started()), Played()),
        (started(), Doubled()),
        (started(), Taken()),
        (started(), Passed()),
        (started(), Beavered()),
        (started(), Raccooned()),
        (started(), Resigned(WHITE, SINGLE)),
        (started(), Accepted()),
        (started(), RefusedResignation()),
        (after(white_to_roll(started()), Doubled()), board({6: 15}, {6: 15})),
    ],
)
def test_a_game_by_itself_asks_its_guards(state, event):
    refusal_of_the_match = why_not(state, event.kind)
    with pytest.raises(IllegalAction) as caught:
        apply_to_game(state.game, event)
    assert caught.value == refusal_of_the_match


def test_a_game_by_itself_takes_no_result_once_it_is_over():
    over = after(white_to_roll(started(1)), Resigned(BLACK, SINGLE), Accepted()).game
    with pytest.raises(IllegalAction, match="a result is not possible now: the game is over"):
        apply_to_game(over, GameRecorded(WHITE, SINGLE, 1, GameEnd.BORNE_OFF))


# resignations


def test_a_resignation_is_offered_and_accepted_or_refused_by_the_other():
    state = after(white_to_roll(started()), Resigned(BLACK, GAMMON))
    assert state.game.to_act is WHITE
    assert {"accept", "refuse"} <= kinds(state)
    assert refused(state, Rolled(Roll(3, 1))) == "not_now"
    assert after(state, RefusedResignation()).game == white_to_roll(started()).game
    over = after(state, Accepted())
    assert str(over.score) == "2-0"
    assert over.games[0].outcome.ended is GameEnd.RESIGNATION


def test_a_refused_resignation_goes_back_to_the_dice():
    state = after(white_to_roll(started()), Rolled(Roll(6, 1)))
    assert after(state, Resigned(WHITE, SINGLE), RefusedResignation()).game == state.game


def test_the_level_of_a_resignation_follows_jacoby():
    state = white_to_roll(started(0))
    assert refused(state, Resigned(WHITE, GAMMON)) == "jacoby"
    levels = {action.levels for action in legal_actions(state) if action.kind == "resign"}
    assert levels == {(SINGLE,)}
    turned = after(state, Doubled(), Taken(), Resigned(WHITE, BACKGAMMON), Accepted())
    assert str(turned.score) == "0-6"


# positions


def test_a_position_is_set_for_a_reason_and_with_a_flag():
    state = white_to_roll(started())
    event = board({6: 15}, {6: 15}, on_roll=BLACK, cube=Cube(2, BLACK))
    state = after(state, event)
    assert (state.game.on_roll, state.game.phase, state.game.cube) == (BLACK, Phase.TURN, Cube(2, BLACK))
    assert state.flags[-1].code == "set_position"
    assert state.game.cube_turned


def test_setting_a_position_keeps_the_turn_unless_it_is_named():
    state = after(white_to_roll(started()), Rolled(Roll(6, 1)))
    assert after(state, board({6: 15}, {6: 15})).game.roll == Roll(6, 1)
    assert after(state, board({6: 15}, {6: 15}, on_roll=WHITE)).game.roll == Roll(6, 1)
    assert after(state, board({6: 15}, {6: 15}, on_roll=BLACK)).game.roll is None


def test_a_wrong_set_up_may_be_played_on_with_another_number_of_checkers():
    from scoring.rules.events import PositionSet

    short = Position((0,) * 6 + (14,) + (0,) * 19, STARTING_POSITION.opponent, irregular=True)
    state = apply(started(), PositionSet(short, "one checker was missing"))
    assert apply(state, OpeningRolled(3, 1)).game.position.irregular


@pytest.mark.parametrize(
    ("state", "event", "error"),
    [
        (started(), board({6: 15}, {}), IllegalAction),
        (started(), board({}, {6: 15}), IllegalAction),
        (started(3, white=2), board({6: 15}, {6: 15}, cube=Cube(2)), IllegalAction),
    ],
)
def test_a_position_that_no_game_can_go_on_from_is_refused(state, event, error):
    with pytest.raises(error):
        apply(state, event)


def test_a_position_without_a_reason_is_refused():
    from scoring.rules.events import PositionSet

    with pytest.raises(InvalidValue, match="needs a reason"):
        apply(started(), PositionSet(STARTING_POSITION, " "))


@pytest.mark.parametrize("value", [0, 3, -2, 2.0, True, 2**31])
def test_a_cube_shows_a_power_of_two(value):
    with pytest.raises(InvalidValue, match="power of two"):
        Cube(value)


def test_an_owned_cube_has_been_turned():
    with pytest.raises(InvalidValue, match="a cube owned by white cannot be at 1"):
        Cube(1, WHITE)


def test_the_points_of_a_finished_game_count_no_more():
    terms = GameTerms(RuleOptions(), money=False)
    over = GameState(terms, phase=Phase.OVER)
    assert over.to_act is None


CLOSED_OUT_TEXT = "white is not closed out and must roll"
REASONS = [
    (started(), "roll", "a roll is not possible now: the opening roll comes next"),
    (started(), "double", "a double is not possible now: the opening roll comes next"),
    (white_to_roll(started()), "play", "a play is not possible now: white must roll or double"),
    (white_to_roll(started()), "beaver", "a beaver is not possible now: white must roll or double"),
    (white_to_roll(started()), "raccoon", "a raccoon is not possible now: white must roll or double"),
    (white_to_roll(started()), "accept", "an acceptance is not possible now: white must roll or double"),
    (white_to_roll(started()), "no_roll", CLOSED_OUT_TEXT),
    (started(), "no_roll", "passing the dice is not possible now: the opening roll comes next"),
    (
        after(white_to_roll(started()), Doubled()),
        "roll",
        "a roll is not possible now: black must answer the double",
    ),
    (after(white_to_roll(started()), Doubled()), "beaver", "beavers are not allowed under these rules"),
    (white_to_roll(started(max_cube=1)), "double", "the cube limit is 1, not 2"),
    (white_to_roll(started(cube=False)), "double", "this game is played without the cube"),
    (
        after(white_to_roll(started(0, raccoons=False)), Doubled(), Beavered()),
        "raccoon",
        "raccoons are not allowed under these rules",
    ),
    (
        rolled(rolled(after(white_to_roll(started()), Doubled(), Taken()), "61"), "61"),
        "double",
        "black owns the cube",
    ),
]


@pytest.mark.parametrize(("state", "kind", "text"), REASONS)
def test_a_refusal_says_what_is_waited_for(state, kind, text):
    assert str(why_not(state, kind)) == text


def test_a_game_that_is_over_takes_no_result():
    over = replace(started().game, phase=Phase.OVER)
    assert str(refusal(over, "game_result")) == "a result is not possible now: the game is over"


def test_a_raccoon_may_reach_the_maximum_cube():
    state = after(white_to_roll(started(0, max_cube=8)), Doubled(), Beavered(), Raccooned())
    assert state.game.cube.value == 8


def test_the_highest_cube_is_one():
    assert Cube(HIGHEST_CUBE).value == 2**30
