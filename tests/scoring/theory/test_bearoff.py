"""The bear-off table: made by us, shipped with its digest, and right."""

from math import comb

import bgsage
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.errors import InvalidValue
from scoring.rules.position import Position
from scoring.theory import bearoff
from scoring.theory.bearoff import (
    POSITIONS,
    effective_pip_count,
    home_of,
    index,
    mean_rolls,
    table,
    waste,
)
from scoring.theory.bearoff_table import after_roll, chance_off_next_roll, positions, solve

homes = st.lists(st.integers(1, 6), max_size=15).map(
    lambda on: tuple(on.count(point) for point in range(1, 7))
)


def test_the_shipped_table_has_every_position_once():
    assert POSITIONS == comb(21, 6) == len(table())  # 15 checkers on 6 points and off
    assert sorted(index(home) for home in positions()) == list(range(POSITIONS))


def test_a_table_that_is_not_ours_is_refused(monkeypatch):
    monkeypatch.setattr(bearoff, "DIGEST", "0" * 64)
    table.cache_clear()
    with pytest.raises(InvalidValue, match="not the shipped table"):
        table()
    monkeypatch.undo()
    table.cache_clear()
    assert len(table()) == POSITIONS


def test_solving_again_gives_the_shipped_numbers():
    for home, mean in solve(5).items():
        assert mean_rolls(home) == pytest.approx(mean, abs=2e-8)


@pytest.mark.parametrize(
    ("checkers", "published"), [(2, 8.167), (4, 14.972), (6, 22.005), (8, 28.999), (10, 36.0)]
)
def test_ace_stacks_have_the_published_effective_pip_counts(checkers, published):
    assert round(effective_pip_count((checkers, 0, 0, 0, 0, 0)), 3) == published


@pytest.mark.parametrize(
    "home",
    [(7, 5, 3, 0, 0, 0), (2, 2, 2, 3, 3, 3), (0, 0, 0, 0, 0, 15), (3, 0, 0, 0, 0, 1), (15, 0, 0, 0, 0, 0)],
)
def test_an_engine_made_by_others_agrees(home):
    board = [0, *home, *[0] * 18, 0]
    board[24] = -1
    assert effective_pip_count(home) == pytest.approx(
        bgsage.BgBotAnalyzer(eval_level="1ply").epc(board), abs=2e-3
    )


@given(homes)
def test_a_roll_lowers_the_mean_by_one_on_average(home):
    if sum(home) == 0:
        return
    rest = sum(
        (1 if high == low else 2) * min(mean_rolls(end) for end in after_roll(home, high, low))
        for high in range(1, 7)
        for low in range(1, high + 1)
    )
    assert mean_rolls(home) == pytest.approx(1 + rest / 36, abs=1e-7)


@given(homes)
def test_nothing_is_borne_off_without_waste(home):
    assert waste(home) >= 0


def test_two_checkers_on_the_ace_point_are_off_for_sure():
    assert chance_off_next_roll((2, 0, 0, 0, 0, 0)) == 1.0
    assert chance_off_next_roll((0, 0, 0, 0, 0, 15)) == 0.0


@pytest.mark.parametrize(
    "home",
    [
        (),
        (0,) * 5,
        (0,) * 7,
        (16, 0, 0, 0, 0, 0),
        (-1, 0, 0, 0, 0, 1),
        (1.0, 0, 0, 0, 0, 0),
        (True, 0, 0, 0, 0, 0),
    ],
)
def test_what_is_no_home_board_is_refused(home):
    with pytest.raises(InvalidValue):
        mean_rolls(home)


def test_the_home_of_a_position():
    assert home_of(Position.from_points({1: 3, 6: 2}).own) == (3, 0, 0, 0, 0, 2)
    for slot in (7, 25):
        with pytest.raises(InvalidValue, match=str(slot)):
            home_of(Position.from_points({1: 3, slot: 1}).own)
