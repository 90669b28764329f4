"""The board as small as a row: every checker that fits is there, and nothing that a row says in words."""

import re
from xml.etree import ElementTree

import pytest

from scoring.drawing.board_view import BoardView, DrawnCube
from scoring.drawing.thumbs import CHECKER, HEIGHT, HIGHEST, WIDTH, draw_thumb
from scoring.rules.position import STARTING_POSITION, Position
from scoring.rules.sides import Side


def stacks(drawing: str, side: str) -> dict[tuple[float, float], int]:
    """Where each stack begins, and how many checkers it has."""
    (way,) = re.findall(rf'class="disc {side}" d="([^"]*)"', drawing)
    found = re.findall(r"M([\d.]+) ([\d.]+)v(-?[\d.]+)", way)
    return {(float(x), float(y)): round(abs(float(v)) / CHECKER) + 1 for x, y, v in found}


def test_the_start_of_a_game() -> None:
    drawing = draw_thumb(BoardView(STARTING_POSITION))
    ElementTree.fromstring(drawing)
    assert stacks(drawing, "white") == {(100, 4): 2, (4, 4): 5, (36, 92): 3, (60, 92): 5}
    assert stacks(drawing, "black") == {(100, 92): 2, (4, 92): 5, (36, 4): 3, (60, 4): 5}
    assert "cube" not in drawing
    assert "die" not in drawing


def test_a_high_stack_keeps_inside_its_half() -> None:
    own, other = [0] * 26, [0] * 26
    own[6], other[25], other[0] = 15, 3, 12
    drawing = draw_thumb(BoardView(Position(tuple(own), tuple(other))))
    assert stacks(drawing, "white") == {(60, 92): HIGHEST}
    assert stacks(drawing, "black") == {(WIDTH / 2, HEIGHT / 2 + 16): 3}


@pytest.mark.parametrize("on_roll", list(Side))
@pytest.mark.parametrize(
    "cube",
    [None, DrawnCube(), DrawnCube(2, Side.WHITE), DrawnCube(4, Side.BLACK), DrawnCube(2, None, Side.BLACK)],
)
def test_dice_and_cube_lie_inside(on_roll: Side, cube: DrawnCube | None) -> None:
    drawing = draw_thumb(BoardView(STARTING_POSITION, on_roll=on_roll, cube=cube, roll=(5, 2)))
    ElementTree.fromstring(drawing)
    assert f'class="die {on_roll}"' in drawing
    assert ('class="cube"' in drawing) is (cube is not None and cube != DrawnCube())
    for x, y in re.findall(r"M([\d.]+) ([\d.]+)", drawing):
        assert 0 <= float(x) <= WIDTH
        assert 0 <= float(y) <= HEIGHT


def test_it_is_a_tenth_of_a_board() -> None:
    assert len(draw_thumb(BoardView(STARTING_POSITION, roll=(3, 1), cube=DrawnCube(2, Side.WHITE)))) < 900
