"""Race counts: the published position on which the methods disagree, and what is true of all of them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.position import STARTING_POSITION, Position
from scoring.theory.races import METHODS, NotARace, all_advice, is_race, kleinman_chance, last_take, thorp

DISAGREEMENT = Position.from_points(
    own={2: 2, 3: 2, 5: 2, 6: 3, 7: 2, 8: 4},
    opponent={2: 2, 3: 2, 4: 1, 5: 2, 6: 3, 7: 1, 9: 1, 11: 2, 16: 1},
)


sides = st.lists(st.integers(1, 12), min_size=1, max_size=15).map(Counter)
races = st.builds(Position.from_points, sides, sides)


def test_the_counts_of_the_disagreement_vector():
    found = {a.method: (float(a.own), float(a.opponent), a.take) for a in all_advice(DISAGREEMENT)}
    assert found == {
        "Thorp": (121, 121, True),
        "Keith": (98, 97, False),
        "Ward": (92.95, 95, True),
        "iSight": (85, 96, True),
        "Kleinman": (84, 96, False),
        "Trice": (84, 96, False),
    }
    chances = {a.method: round(100 * a.win_chance, 1) for a in all_advice(DISAGREEMENT) if a.win_chance}
    assert chances == {"iSight": 73.7, "Kleinman": 80.3}


def test_thorp_counts_exactly_at_its_border():
    # 110 x 1.1 is 121 in exact arithmetic; in floats 121.00000000000001 would be no take at 119.
    assert thorp(DISAGREEMENT).own == 121
    assert 110 * 1.1 != 121


def test_a_short_thorp_count_is_not_stretched():
    short = Position.from_points(own={1: 2, 2: 2}, opponent={1: 2, 2: 2})
    assert thorp(short).own == thorp(short).opponent == 6 + 8 + 2 - 2


@pytest.mark.parametrize(
    ("pips", "trail"), [(63, 8), (62, 8), (61, 8), (60, 7), (100, 11), (101, 12), (110, 12), (20, 2), (5, 0)]
)
def test_trice_last_take(pips, trail):
    assert last_take(pips) == trail


@given(races)
def test_who_may_redouble_may_double(position):
    for advice in all_advice(position):
        assert advice.double or not advice.redouble


@given(st.integers(1, 200), st.integers(1, 200))
def test_kleinman_is_a_chance_that_grows_with_the_lead(own, opponent):
    assert 0 <= kleinman_chance(own, opponent) <= 1
    assert kleinman_chance(own, opponent + 1) >= kleinman_chance(own, opponent) or own + opponent < 20


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.__name__)
def test_contact_is_no_race(method):
    with pytest.raises(NotARace):
        method(STARTING_POSITION)


@pytest.mark.parametrize(
    ("own", "opponent", "race"),
    [
        ({12: 1}, {12: 1}, True),
        ({13: 1}, {11: 1}, True),
        ({13: 1}, {13: 1}, False),
        ({25: 1}, {1: 1}, False),
        ({1: 1}, {25: 1}, False),
        ({}, {1: 1}, False),
        ({1: 1}, {}, False),
    ],
)
def test_a_race_is_when_nobody_can_be_hit_any_more(own, opponent, race):
    assert is_race(Position.from_points(own, opponent)) is race
