"""Legal plays against the rule book, four other generators, and a brute-force second implementation."""

import gzip
import json
import re
from random import Random

import pytest
from hypothesis import given

from scoring.rules.dice import ALL_ROLLS, Roll
from scoring.rules.errors import IllegalPlay
from scoring.rules.plays import (
    ScratchBoard,
    dice_to_play,
    legal_plays,
    legal_positions,
    legal_results,
    legal_sequences,
    mechanical_result,
)
from scoring.rules.position import STARTING_POSITION, Position
from tests.scoring.rules.brute_force import brute_force
from tests.scoring.rules.positions import positions, random_placement, random_roll, random_walk, rolls
from tests.tiers import sized


def place(text):
    """``"13,1:2"`` to counts by slot."""
    counts = {}
    for part in filter(None, re.split(r"[ ,]+", text)):
        slot, _, count = part.partition(":")
        counts[25 if slot == "bar" else int(slot)] = int(count or 1)
    return counts


def worked(mover, opponent=""):
    """A position as docs/reference/rules.md, "Worked positions", writes it.

    Both sides are in the mover's numbering, either bar is ``bar``.
    """
    theirs = {25 if slot == 25 else 25 - slot: count for slot, count in place(opponent).items()}
    return Position.from_points(place(mover), theirs)


# number in docs/reference/rules.md, "Worked positions", mover, opponent, dice, the mover's checkers after
# each legal result
WORKED = [
    (1, "6:5", "", 66, ["6"]),
    (2, "6,3", "", 41, ["3,1", "2:2"]),
    (3, "4,3", "", 54, [""]),
    (4, "4:2,3:2", "", 64, ["3:2"]),
    (5, "5,2:2", "1,bar", 63, ["2:2", "2"]),
    (6, "5:2,3", "", 65, ["3"]),
    (7, "6,4:2", "1", 61, ["4:2", "4,3"]),
    (8, "13,1:2", "4:2", 54, ["8,1:2"]),
    (9, "24", "18:2,16:2", 62, ["22"]),
    (10, "13,1:2", "7:2", 62, ["5,1:2"]),
    (11, "6,2", "1:2", 54, ["2"]),
    (12, "13,6", "8:2,1:2", 52, ["6:2"]),
    (13, "bar,6", "17:2,1:2", 53, ["20,3"]),
    (14, "bar", "15:2", 64, ["19"]),
    (15, "bar:2,6:3", "22:2", 53, ["bar,20,6:3"]),
    (16, "bar,6:3", "22:2,20:2", 53, []),
    (17, "bar:3,6:2", "", 22, ["23:3,6,4", "23:2,21,6:2"]),
    (19, "24", "12:2", 44, ["16"]),
    (20, "7,2:2", "", 61, ["2:2", "2,1:2"]),
    (21, "5,2", "", 55, [""]),
    (22, "6:2,5,4", "2:2,1:2", 44, ["6:2,5"]),
]


@pytest.mark.parametrize(("number", "mover", "opponent", "dice", "after"), WORKED)
def test_worked_vector_has_exactly_the_listed_results(number, mover, opponent, dice, after):
    results = legal_results(worked(mover, opponent), Roll.parse(str(dice)))
    own = {Position.from_packed(packed).own for packed in results}
    assert own == {Position.from_points(place(text)).own for text in after}


def test_worked_vector_1_takes_four_of_five_off():
    assert dice_to_play(worked("6:5"), Roll(6, 6)) == 4


def test_worked_vector_18_two_ways_to_the_same_point_differ_by_the_hit():
    results = legal_results(worked("bar", "22"), Roll(3, 2))
    assert results == {worked("20", "bar").packed, worked("20", "22").packed}


def test_two_lone_checkers_move_one_each_or_one_of_them_twice():
    results = legal_results(worked("24,13"), Roll(2, 1))
    assert results == {worked(text).packed for text in ("22,12", "23,11", "21,13", "24,10")}


@pytest.mark.parametrize(
    ("mover", "opponent", "dice", "after"),
    [
        ("24,23", "17:2,18:2,13:2", "65", ["23,19"]),  # the 5 alone
        ("24,20", "14:2,15:2,13:2,19:2", "65", ["20,18"]),  # the 6 alone
        ("24,20", "14:2,15:2,13:2", "65", ["20,18"]),  # either, so the higher
        ("24,20", "14:2,15:2,18:2,19:2", "65", []),
    ],
)
def test_two_checkers_outside_may_have_one_die_to_play_or_none(mover, opponent, dice, after):
    position, roll = worked(mover, opponent), Roll.parse(dice)
    assert {Position.from_packed(packed).own for packed in legal_results(position, roll)} == {
        Position.from_points(place(text)).own for text in after
    }
    assert dice_to_play(position, roll) == len(after)


# Few checkers, so that every rule about the last ones is asked by some roll.
AWKWARD = [
    ("bar:5", ""),
    ("bar:5,6:2", "23:1"),
    ("1:3", ""),
    ("2:2", "bar:2"),
    ("1:2,2", "bar:3"),
    ("8,2", ""),
    ("8,4:2", "3:1"),
    ("7,6:2,1", "5:1"),
    ("7:2,3:3", "bar:2"),
    ("10,9,2:2", "4:2"),
    ("13,5,4,3", "1:1"),
    ("24,1:2", "20:2"),
    ("6:3,4,2", "5:2,3:1"),
    ("12,7,6,1", "6:0,5:2"),
    ("bar,1:2", "22:1,20:2"),
    ("7,2,1", "3:2"),
]


@pytest.mark.parametrize(("mover", "opponent"), AWKWARD)
def test_brute_force_agrees_on_every_roll_of_an_awkward_position(mover, opponent):
    position = worked(mover, opponent)
    for roll in ALL_ROLLS:
        results = {Position.from_packed(packed).key for packed in legal_results(position, roll)}
        assert (dice_to_play(position, roll), results) == brute_force(position, roll), str(roll)
        assert {play.result.key for play in legal_plays(position, roll)} == results


@pytest.mark.parametrize(("number", "mover", "opponent", "dice", "after"), WORKED)
def test_worked_vector_has_a_play_for_each_result(number, mover, opponent, dice, after):
    plays = legal_plays(worked(mover, opponent), Roll.parse(str(dice)))
    assert {play.result.own for play in plays} == {Position.from_points(place(text)).own for text in after}
    assert len(plays) == len(after)


def test_plays_come_from_the_rearmost_checkers_on():
    played = [play.moves for play in legal_plays(STARTING_POSITION, Roll(6, 4))]
    assert [moves[0].source for moves in played[:2]] == [24, 24]
    assert played == sorted(played, reverse=True)


def test_a_double_is_listed_in_every_order():
    sequences = legal_sequences(worked("13,6"), Roll(1, 1))
    assert ((6, 5), (13, 12), (5, 4), (12, 11)) in sequences
    assert ((13, 12), (12, 11), (6, 5), (5, 4)) in sequences
    assert len(sequences) == 16  # each of the four moves is by either checker


@pytest.mark.parametrize(
    ("moves", "own", "opponent"),
    [
        ([(6, 0)], "bar,24,6", "18,20"),
        ([(25, 21)], "24,21,6:2", "18,20"),
        ([(24, 18)], "bar,18,6:2", "bar,20"),
        ([(24, 18), (18, 12)], "bar,12,6:2", "bar,20"),
    ],
)
def test_moves_that_nobody_asked_about_still_have_a_result(moves, own, opponent):
    assert mechanical_result(worked("bar,24,6:2", "18,20"), moves) == worked(own, opponent)


def test_two_checkers_hold_a_point_against_anybody():
    with pytest.raises(IllegalPlay, match="holds the 20 point"):
        mechanical_result(worked("24", "20:2"), [(24, 20)])


def test_opening_rolls_have_the_known_number_of_results():
    known = "21:15 31:16 32:17 41:14 42:18 43:17 51:8 52:8 53:9 54:9 61:10 62:14 63:14 64:14 65:7 "
    known += "11:42 22:75 33:73 44:52 55:4 66:11"
    expected = dict(pair.split(":") for pair in known.split())
    assert {str(roll): str(len(legal_results(STARTING_POSITION, roll))) for roll in ALL_ROLLS} == expected


def test_every_case_of_four_other_generators_matches(shared_data):
    cases = 0
    with gzip.open(shared_data / "legal_plays.jsonl.gz", "rt") as lines:
        for case in map(json.loads, lines):
            position, roll = Position.from_key(case["pos"]), Roll(*case["dice"])
            keys = sorted(Position.from_packed(packed).key for packed in legal_results(position, roll))
            assert (dice_to_play(position, roll), keys) == (case["n_dice"], sorted(case["results"])), case[
                "id"
            ]
            cases += 1
    assert cases == 2346


def test_brute_force_agrees_on_random_positions():
    random = Random(20260907)
    for number in range(sized(800, 5000)):
        position = random_placement(random) if number % 2 else random_walk(random, 1 + number % 30)
        roll = random_roll(random)
        results = {Position.from_packed(packed).key for packed in legal_results(position, roll)}
        assert (dice_to_play(position, roll), results) == brute_force(position, roll), (
            position.key,
            str(roll),
        )


@given(positions, rolls)
def test_plays_and_sequences_lead_to_exactly_the_results(position, roll):
    results = legal_results(position, roll)
    plays = legal_plays(position, roll)
    assert [play.result.packed for play in plays] == list({play.result.packed: None for play in plays})
    assert {play.result.packed for play in plays} == results
    reached = {_made(position, moves, roll).packed for moves in legal_sequences(position, roll)[:200]}
    assert reached <= results
    assert {play.moves for play in plays} <= set(legal_sequences(position, roll))


@given(positions, rolls)
def test_results_keep_every_checker_and_share_no_point(position, roll):
    for packed in legal_results(position, roll):
        result = Position.from_packed(packed)  # validates
        assert sum(result.opponent) == sum(result.own) == 15
        assert result.own[0] >= position.own[0]


@given(positions, rolls)
def test_results_as_positions_are_the_results(position, roll):
    found = legal_positions(position, roll)
    assert sorted(one.packed for one in found) == sorted(legal_results(position, roll))
    assert all(Position(one.own, one.opponent) == one for one in found)


def test_nothing_to_move_is_no_play_at_all():
    closed_out = worked("bar,6:3", "22:2,20:2")
    assert legal_plays(closed_out, Roll(5, 3)) == ()
    assert legal_sequences(closed_out, Roll(5, 3)) == ()
    assert dice_to_play(closed_out, Roll(5, 3)) == 0


def test_sequences_list_both_orders():
    assert legal_sequences(worked("6,3"), Roll(2, 1)) == (
        ((3, 1), (1, 0)),
        ((3, 1), (6, 5)),
        ((3, 2), (2, 0)),
        ((3, 2), (6, 4)),
        ((6, 4), (3, 2)),
        ((6, 4), (4, 3)),
        ((6, 5), (3, 1)),
        ((6, 5), (5, 3)),
    )


def test_an_irregular_position_stays_irregular():
    position = Position((0, 14) + (0,) * 24, (15,) + (0,) * 25, irregular=True)
    (play,) = legal_plays(position, Roll(1, 2))
    assert legal_positions(position, Roll(1, 2)) == [play.result]
    assert play.result.irregular
    assert sum(play.result.own) == 14


def _made(position, moves, roll):
    board = ScratchBoard.of(position)
    for move in moves:
        die = next(
            die
            for die in sorted(roll.dice)
            if max(move.source - die, 0) == move.target and board.can_move(move.source, die)
        )
        board.move(move.source, die)
    return board.position()
