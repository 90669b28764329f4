"""Positions: what a board can be, and the three ways to write one down exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.errors import InvalidNotation, InvalidValue
from scoring.rules.position import (
    STARTING_POSITION,
    Position,
)
from scoring.rules.sides import Side
from tests.scoring.rules.positions import positions


def slots(**changes):
    counts = [0] * 26
    counts[0] = 15
    for name, count in changes.items():
        counts[int(name[1:])] = count
    return tuple(counts)


ALL_OFF = slots()


@pytest.mark.parametrize(
    ("own", "opponent", "code", "text"),
    [
        (slots(p0=0, p6=17), ALL_OFF, "checkers", "own: 17 checkers instead of 15"),
        (ALL_OFF, slots(p0=0, p6=14), "checkers", "opponent: 14 checkers instead of 15"),
        (slots(p0=16, p6=-1), ALL_OFF, "count", "own: slot 6 cannot hold -1 checkers"),
        (slots(p0=14, p6=True), ALL_OFF, "count", "own: slot 6 cannot hold True checkers"),
        (slots(p0=14, p6=1.0), ALL_OFF, "count", "own: slot 6 cannot hold 1.0 checkers"),
        ((15,) * 25, ALL_OFF, "slots", None),
        ([15] + [0] * 25, ALL_OFF, "slots", None),
        (
            slots(p0=13, p6=2),
            slots(p0=12, p19=3),
            "shared_point",
            "both sides have checkers on the 6 point: 2 and 3",
        ),
    ],
)
def test_impossible_board_is_refused_by_its_value(own, opponent, code, text):
    with pytest.raises(InvalidValue) as caught:
        Position(own, opponent)
    assert caught.value.code == code
    assert text in {None, str(caught.value)}


def test_irregular_position_may_miss_a_checker_but_not_all_of_them():
    assert Position(slots(p0=14), ALL_OFF, irregular=True).flipped().irregular
    with pytest.raises(InvalidValue, match="own: 0 checkers"):
        Position((0,) * 26, ALL_OFF, irregular=True)
    with pytest.raises(InvalidValue, match="own: 31 checkers"):
        Position(slots(p0=31), ALL_OFF, irregular=True)


def test_from_points_puts_the_rest_off():
    position = Position.from_points({25: 1, 3: 2}, {24: 15})
    assert position.own == slots(p0=12, p25=1, p3=2)
    assert position.opponent == slots(p0=0, p24=15)
    assert Position.from_points({0: 5, 6: 10}).own == slots(p0=5, p6=10)


@pytest.mark.parametrize("slot", [-1, 26, "6", True])
def test_from_points_refuses_a_slot_that_does_not_exist(slot):
    with pytest.raises(InvalidValue, match="there is no slot"):
        Position.from_points({slot: 1})


@pytest.mark.parametrize("count", ["2", None, 2.0, 16, -1])
def test_from_points_refuses_a_count_that_cannot_be(count):
    with pytest.raises(InvalidValue):
        Position.from_points({6: count})


@given(positions)
def test_key_and_packed_number_give_the_position_back(position):
    assert Position.from_key(position.key) == position
    assert Position.from_packed(position.packed) == position
    assert position.flipped().flipped() == position
    assert str(position) == position.key


@given(positions)
def test_flipped_key_is_the_mirror_image(position):
    assert position.flipped().key == position.key[::-1].swapcase()


@given(st.text(max_size=30))
def test_any_text_is_a_key_or_a_typed_error(text):
    try:
        position = Position.from_key(text)
    except (InvalidNotation, InvalidValue):
        return
    assert position.key == text


@pytest.mark.parametrize(
    ("key", "at"),
    [
        ("-" * 25, 25),
        ("-" * 27, 26),
        ("A" + "-" * 25, 0),
        ("-" * 25 + "a", 25),
        ("-" * 7 + "P" + "-" * 18, 7),
    ],
)
def test_bad_key_is_told_by_its_offset(key, at):
    with pytest.raises(InvalidNotation) as caught:
        Position.from_key(key)
    assert caught.value.at == at


@pytest.mark.parametrize("packed", [-1, 0, 256**52, STARTING_POSITION.packed + 1])
def test_number_that_no_position_packs_to_is_refused(packed):
    with pytest.raises(InvalidValue):
        Position.from_packed(packed)


def test_sides_are_each_other_s_other():
    assert Side.WHITE.other is Side.BLACK
    assert Side.BLACK.other is Side.WHITE


def test_a_pip_count_counts_the_bar_as_25():
    assert STARTING_POSITION.pips == 167
    assert Position.from_points({25: 2, 1: 1}).pips == 51
