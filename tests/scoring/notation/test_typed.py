"""Turns as a transcriber types them."""

import pytest

from scoring.notation.plays import format_play
from scoring.notation.typed import AmbiguousPlay, read_line
from scoring.rules.dice import Roll
from scoring.rules.errors import IllegalAction, IllegalPlay, InvalidNotation
from scoring.rules.events import (
    Accepted,
    Doubled,
    MatchStarted,
    OpeningRolled,
    Passed,
    Played,
    PositionSet,
    Resigned,
    Rolled,
    Taken,
)
from scoring.rules.explain import resolve_play
from scoring.rules.match import Win
from scoring.rules.plays import Move, legal_plays
from scoring.rules.position import Position
from scoring.rules.sheet import apply, begin, replay
from scoring.rules.sides import Side


def start():
    return begin(MatchStarted(5))


def played(state, typed) -> Played:
    """The one play that is typed."""
    (event,) = read_line(state, typed)
    assert isinstance(event, Played)
    return event


def board(white, black, roll=None):
    state = begin(MatchStarted(5))
    position = Position.from_points(white, black)
    state = apply(state, PositionSet(position, "test", on_roll=Side.WHITE))
    return apply(state, Rolled(Roll.parse(roll))) if roll else state


def test_a_roll_and_its_play_are_told_apart():
    assert read_line(start(), "31 85 65") == (OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))))
    assert read_line(start(), "13 8/5 6/5")[0] == OpeningRolled(1, 3)


@pytest.mark.parametrize(
    "typed",
    [
        "31: 8/5 6/5",
        "3-1 8/5 6/5",
        "3/1: 8/5, 6/5",
        "31:8/5;6/5",
        "3 1 8-5 6-5",
        "3–1 8–5 6—5",
        "１) ３１：８／５ ６／５",
        "12. 31: 8∕5 6→5",
        "  31\t8/5*\u00a06/5  ",
    ],
)
def test_a_turn_is_read_in_every_spelling_that_people_use(typed):
    assert read_line(start(), typed) == (OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Doubles => 2  Takes", "d t"),
        ("double to 2, drop", "d p"),
        ("D/T", "d t"),
        ("redoubles/passes", "d p"),
        ("resigns y", "r1 y"),
        ("Resigns a gammon, accepts", "r2 y"),
        ("resign 3 reject", "r3 n"),
    ],
)
def test_the_cube_and_resignations_are_read_in_words(typed, meant):
    state = replay([MatchStarted(5), *read_line(start(), "31 85 65")])
    assert read_line(state, typed) == read_line(state, meant)


def test_a_row_of_a_match_file_is_read_as_two_turns():
    row = "1) 31: 8/5 6/5                  64: 24/14"
    assert read_line(start(), row) == (
        *read_line(start(), "31 85 65"),
        Rolled(Roll(6, 4)),
        Played((Move(24, 18), Move(18, 14))),
    )
    short = "31: 8/5 64: 24/14"
    with pytest.raises(AmbiguousPlay) as refused:
        read_line(start(), short)
    assert refused.value.parameters["lines"][0] == "31: 8/5 6/5 64: 24/14"


def test_a_double_to_another_value_is_refused():
    state = replay([MatchStarted(5), *read_line(start(), "31 85 65")])
    with pytest.raises(InvalidNotation, match=r"^“4”: the cube goes to 2\.$"):
        read_line(state, "doubles to 4")
    with pytest.raises(InvalidNotation, match=r"^“=>”: the cube goes to 2\.$"):
        read_line(state, "d =>")


@pytest.mark.parametrize("typed", ["-", "–", "cannot move", "No Move", "dances", "fan"])
def test_no_move_is_read_in_the_words_for_it(typed):
    dancing = board({25: 2, 6: 13}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 13: 3}, "31")
    assert played(dancing, typed) == Played()


def test_the_cube_comes_before_the_roll():
    state = replay([MatchStarted(5), *read_line(start(), "31 85 65")])
    assert read_line(state, "d p") == (Doubled(), Passed())
    events = read_line(state, "d t 64 2414")
    assert events[:3] == (Doubled(), Taken(), Rolled(Roll(6, 4)))


def test_a_resignation_by_either_side():
    state = replay([MatchStarted(5), *read_line(start(), "31 85 65")])
    assert read_line(state, "r2 y") == (Resigned(Side.BLACK, Win.GAMMON), Accepted())
    assert read_line(state, "o1 y") == (Resigned(Side.WHITE, Win.SINGLE), Accepted())


def test_a_roll_with_one_play_needs_no_more():
    forced = board({25: 1, 6: 14}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 13: 3})
    assert read_line(forced, "66") == (Rolled(Roll(6, 6)), Played())
    choice = read_line(start(), "31")
    assert choice == (OpeningRolled(3, 1),)


@pytest.mark.parametrize("typed", ["24/18/13", "241813", "2413", "24/13", "2418 1813"])
def test_points_of_two_digits(typed):
    state = replay([MatchStarted(5), OpeningRolled(6, 5)])
    position = state.game.seen_by(Side.WHITE)
    play = resolve_play(position, Roll(6, 5), played(state, typed).moves)
    assert format_play(position, play) == "24/13"


def test_bar_and_off_in_words_letters_and_numbers():
    state = board({25: 1, 6: 14}, {23: 15}, "31")
    for typed in ("bar/22 65", "b22 6/5", "2522 65", "25/22 65"):
        assert [tuple(move) for move in played(state, typed).moves] == [(25, 22), (6, 5)]
    state = board({6: 1, 5: 1, 0: 13}, {23: 15}, "65")
    for typed in ("6o 5o", "6/off 5/off", "60 50"):
        assert [tuple(move) for move in played(state, typed).moves] == [(6, 0), (5, 0)]


def test_what_is_typed_short_is_completed_where_one_play_has_it():
    state = board({13: 1, 6: 1, 0: 13}, {23: 15}, "61")
    assert len(legal_plays(state.game.seen_by(Side.WHITE), Roll(6, 1))) == 2
    assert {tuple(move) for move in played(state, "65").moves} == {(13, 7), (6, 5)}


def test_what_fits_several_plays_is_shown_with_its_readings():
    state = replay([MatchStarted(5), OpeningRolled(6, 5)])
    with pytest.raises(AmbiguousPlay) as refused:
        read_line(state, "24/18")
    assert "24/13" in refused.value.parameters["readings"]


def test_an_illegal_play_says_why():
    state = replay([MatchStarted(5), OpeningRolled(6, 5)])
    with pytest.raises(IllegalPlay, match="blocked"):
        read_line(state, "24/19 13/7")
    with pytest.raises(IllegalAction):
        read_line(begin(MatchStarted(5)), "d")


@pytest.mark.parametrize(
    "typed", ["", "hello", "71", "31 " + "1" * 150, "x" * 300, "31 8585", "31 //", "31 b"]
)
def test_what_cannot_be_read_names_its_place(typed):
    with pytest.raises((InvalidNotation, IllegalPlay, IllegalAction)):
        read_line(start(), typed)


def test_every_legal_play_can_be_typed_as_it_is_written():
    state = replay([MatchStarted(5), OpeningRolled(6, 4)])
    position = state.game.seen_by(Side.WHITE)
    for play in legal_plays(position, Roll(6, 4)):
        moves = played(state, format_play(position, play)).moves
        assert resolve_play(position, Roll(6, 4), moves).result == play.result


def test_no_play_can_be_typed_and_is_judged_as_any_other():
    with pytest.raises(IllegalPlay, match="no checker was moved"):
        read_line(apply(start(), OpeningRolled(3, 1)), "-")


def test_a_letter_that_names_no_slot_is_no_move():
    with pytest.raises(InvalidNotation, match=r"^“8/x5” is not a move\. Type it like 8/5\.$"):
        read_line(apply(start(), OpeningRolled(3, 1)), "8/x5")
