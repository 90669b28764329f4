"""Rolls."""

import pytest

from scoring.rules.dice import ALL_ROLLS, ROLLS_BY_DICE, Roll
from scoring.rules.errors import InvalidNotation, InvalidValue


@pytest.mark.parametrize("die", [0, 7, -1, "6", 1.0, True, None])
@pytest.mark.parametrize("first", [True, False])
def test_die_that_does_not_exist_is_refused(die, first):
    with pytest.raises(InvalidValue) as caught:
        Roll(die, 3) if first else Roll(3, die)
    assert str(caught.value) == f"a die shows 1 to 6, not {die!r}"
    assert caught.value.parameters == {"die": die}


def test_the_21_rolls_weigh_36():
    assert len(set(ALL_ROLLS)) == 21
    assert sum(roll.weight for roll in ALL_ROLLS) == 36
    assert len(ROLLS_BY_DICE) == 36


def test_the_order_of_the_dice_does_not_matter():
    assert Roll(2, 5) == Roll(5, 2) == Roll.parse("25") == ROLLS_BY_DICE[2, 5]
    assert str(Roll(2, 5)) == "52"


def test_a_double_is_four_moves():
    assert Roll(4, 4).dice == (4, 4, 4, 4)
    assert Roll(4, 4).is_double
    assert Roll(4, 3).dice == (4, 3)
    assert not Roll(4, 3).is_double


@pytest.mark.parametrize(
    ("text", "at"), [("", 0), ("3", 1), ("311", 2), ("07", 0), ("37", 1), ("x1", 0), ("٣1", 0)]
)
def test_text_that_is_no_roll_is_told_by_its_offset(text, at):
    with pytest.raises(InvalidNotation) as caught:
        Roll.parse(text)
    assert caught.value.at == at
