"""Copies of frozen values."""

from dataclasses import replace

import pytest

from scoring.rules.evolve import evolve
from scoring.rules.sides import Side
from tests.scoring.rules.sheets import started


def test_a_copy_is_what_replace_makes_and_leaves_the_original():
    game = started().game
    assert evolve(game, number=2, on_roll=Side.BLACK) == replace(game, number=2, on_roll=Side.BLACK)
    assert game.number == 1


def test_a_field_that_does_not_exist_is_a_bug():
    with pytest.raises(TypeError, match="GameState has no field 'numbers'"):
        evolve(started().game, numbers=2)
