"""Every refused play is refused for the exact reason; every legal one is understood however it is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.dice import Roll
from scoring.rules.errors import IllegalPlay
from scoring.rules.explain import explain_play, resolve_play
from scoring.rules.plays import legal_plays, legal_results, legal_sequences
from scoring.rules.position import STARTING_POSITION, Position
from tests.scoring.rules.positions import positions, rolls
from tests.scoring.rules.test_legal_plays import worked

BAR = 25

REASONS = [
    (STARTING_POSITION, "65", [(24, 19)], "blocked", "24/19 is blocked: 5 checkers on the 19 point"),
    (STARTING_POSITION, "53", [(13, 8)], "unused_die", None),
    (STARTING_POSITION, "31", [(13, 8)], "wrong_dice", "13/8 cannot be made with 3 and 1"),
    (
        STARTING_POSITION,
        "31",
        [(13, 10), (6, 5), (6, 5)],
        "too_many_moves",
        "6/5 is one move too many for the roll 31",
    ),
    (STARTING_POSITION, "31", [(12, 9)], "no_checker", "12/9: there is no checker on the 12 point"),
    (STARTING_POSITION, "31", [(BAR, 22)], "no_checker", "bar/22: there is no checker on the bar"),
    (
        STARTING_POSITION,
        "31",
        [(8, 13)],
        "not_forward",
        "8/13 does not move forward: a move goes from a higher point to a lower one",
    ),
    (
        STARTING_POSITION,
        "31",
        [(6, 6)],
        "not_forward",
        "6/6 does not move forward: a move goes from a higher point to a lower one",
    ),
    (STARTING_POSITION, "31", [(26, 22)], "not_forward", None),
    (STARTING_POSITION, "31", [(6, -1)], "not_forward", None),
    (
        STARTING_POSITION,
        "31",
        [],
        "must_play",
        "no checker was moved, but 2 dice of the roll 31 can be played",
    ),
    (STARTING_POSITION, "66", [(6, 0)], "not_home", "6/off: a checker on the 24 point is not home yet"),
    (STARTING_POSITION, "66", [(24, 12)], "blocked", "18/12 is blocked: 5 checkers on the 12 point"),
    (STARTING_POSITION, "55", [(24, 14)], "blocked", "24/19 is blocked: 5 checkers on the 19 point"),
    (STARTING_POSITION, "33", [(24, 21)], "more_of_double", "4 3s can be played, not only one 3"),
    (worked("bar,6:3"), "53", [(6, 3)], "bar_first", "6/3: 1 checker on the bar must enter first"),
    (worked("bar:2,6:3"), "53", [(6, 3)], "bar_first", "6/3: 2 checkers on the bar must enter first"),
    (worked("13,1:2", "4:2"), "54", [(13, 9)], "higher_die", "the higher die, 5, must be played"),
    (
        worked("24", "18:2,16:2"),
        "62",
        [],
        "must_play",
        "no checker was moved, but 1 die of the roll 62 can be played",
    ),
    (worked("13,6", "8:2,1:2"), "52", [(6, 4)], "both_dice", "both dice can be played: 6/4 leaves no 5"),
    (
        worked("6,2", "1:2"),
        "54",
        [(2, 0)],
        "higher_checker",
        "2/off with a 5: there is a checker on the 6 point",
    ),
    (worked("24,6:3", "4:2"), "62", [(6, 4)], "blocked", "6/4 is blocked: 2 checkers on the 4 point"),
    (worked("24,6"), "51", [(6, 0)], "not_home", "6/off: a checker on the 24 point is not home yet"),
    (
        worked("24,6:14", "18,14:2,20:2"),
        "64",
        [(24, 14)],
        "blocked",
        "18/14 is blocked: 2 checkers on the 14 point",
    ),
    (worked("6,3", "1:2,2:2"), "21", [(3, 0)], "blocked", "3/1 is blocked: 2 checkers on the 1 point"),
    (worked("6:2,5,4", "2:2,1:2"), "44", [], "must_play", None),
    (worked("6,4"), "31", [(4, 3)], "unused_die", None),
    (worked("6,5:2"), "31", [(5, 0)], "wrong_dice", None),
    (worked("6", "5:2,1:2"), "51", [(6, 0)], "blocked", "6/1 is blocked: 2 checkers on the 1 point"),
    (worked("7,5"), "51", [(5, 0)], "not_home", "5/off: a checker on the 7 point is not home yet"),
    (worked("13"), "21", [(13, 0)], "wrong_dice", "13/off cannot be made with 2 and 1"),
]


@pytest.mark.parametrize(("position", "roll", "moves", "code", "text"), REASONS)
def test_refused_play_names_its_reason(position, roll, moves, code, text):
    answer = explain_play(position, Roll.parse(roll), moves)
    assert isinstance(answer, IllegalPlay)
    assert answer.code == code
    assert text in {None, str(answer)}
    with pytest.raises(IllegalPlay):
        resolve_play(position, Roll.parse(roll), moves)


def test_both_dice_of_a_longer_example_say_what_follows():
    answer = explain_play(STARTING_POSITION, Roll(5, 3), [(13, 8)])
    assert str(answer) == "both dice can be played: after 13/8 play the 3, for example 24/21"


@given(positions, rolls, st.randoms(use_true_random=False))
def test_every_legal_sequence_is_accepted_in_any_order(position, roll, random):
    sequences = legal_sequences(position, roll)
    if not sequences:
        assert resolve_play(position, roll, []).result == position
        return
    moves = list(random.choice(sequences))
    random.shuffle(moves)
    assert resolve_play(position, roll, moves).result.packed in legal_results(position, roll)


@given(positions, rolls)
def test_what_is_accepted_ends_in_a_legal_result(position, roll):
    for play in legal_plays(position, roll)[:20]:
        assert resolve_play(position, roll, play.moves).result == play.result


def test_joined_steps_take_the_way_without_a_hit():
    position = worked("24,6:14", "18")
    around = resolve_play(position, Roll(6, 5), [(24, 13)])
    assert around.moves == ((24, 19), (19, 13))
    assert around.result == worked("13,6:14", "18")
    assert resolve_play(position, Roll(6, 5), [(24, 18), (18, 13)]).result.opponent[BAR] == 1


def test_joined_steps_hit_when_there_is_no_other_way():
    position = worked("24,6:14", "18,19:2")
    assert resolve_play(position, Roll(6, 5), [(24, 13)]).result.opponent[BAR] == 1


def test_last_checker_may_be_written_off_with_either_die():
    assert resolve_play(worked("5"), Roll(6, 1), [(5, 0)]).result == worked("")


def test_four_joined_steps_of_two_checkers():
    play = resolve_play(STARTING_POSITION, Roll(2, 2), [(13, 9), (13, 9)])
    assert sorted(play.moves) == [(11, 9), (11, 9), (13, 11), (13, 11)]


def test_equal_moves_may_be_written_before_the_one_that_comes_first():
    play = resolve_play(worked("bar,6:5"), Roll(2, 2), [(6, 4), (6, 4), (BAR, 23), (6, 4)])
    assert play.moves[0] == (BAR, 23)
    assert play.result == worked("23,6:2,4:3")


def test_no_play_is_right_when_nothing_can_be_moved():
    position = worked("bar,6:3", "22:2,20:2")
    assert resolve_play(position, Roll(5, 3), ()).moves == ()
    with pytest.raises(IllegalPlay, match="bar/20 is blocked: 2 checkers on the 20 point"):
        resolve_play(position, Roll(5, 3), [(25, 20)])


def test_position_of_a_refused_play_is_not_touched():
    before = Position(STARTING_POSITION.own, STARTING_POSITION.opponent)
    explain_play(STARTING_POSITION, Roll(6, 5), [(24, 19)])
    assert before == STARTING_POSITION
