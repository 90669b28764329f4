"""The published formulas: published examples and properties of the family.

Source: docs/reference/ratings.md, "The FIBS formula".
"""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.formulas.elo import (
    BELGIUM,
    BRASS_CITY,
    FIBS,
    FIBS_AFTER,
    FORMULAS,
    formula_named,
    rinta_nikkola,
)
from scoring.formulas.errors import InvalidResult, UnknownFormula
from tests.scoring.formulas.folding import RatedResult, Standing, rate

ratings = st.floats(min_value=-5000, max_value=5000, allow_nan=False)
lengths = st.integers(min_value=1, max_value=64)
formulas = st.sampled_from([*FORMULAS.values(), rinta_nikkola(1.2)])


def changes(winner, loser, length, *, formula=FIBS):
    result = RatedResult("m", datetime(2026, 1, 1, tzinfo=UTC), length, "w", "l")
    change = rate(result, Standing(*winner), Standing(*loser), formula=formula)
    return round(change.winner.change, 4), round(change.loser.change, 4)


@pytest.mark.parametrize(
    ("winner", "loser", "length", "expected"),
    [
        ((1500.0, 0), (1500.0, 0), 7, (26.4575, -26.4575)),
        ((1800.0, 1000), (1500.0, 1000), 7, (3.0291, -3.0291)),
        ((1500.0, 1000), (1800.0, 1000), 7, (7.5539, -7.5539)),
        ((1500.0, 0), (1800.0, 500), 11, (50.3259, -10.0652)),
        ((1800.0, 500), (1500.0, 0), 11, (3.2013, -16.0066)),
    ],
)
def test_changes_of_the_published_examples(winner, loser, length, expected):
    assert changes(winner, loser, length) == expected


@pytest.mark.parametrize(
    ("a", "b", "length", "expected"),
    [(1500, 1500, 7, 0.5), (1800, 1500, 7, 0.713779), (1500, 1800, 11, 0.241308)],
)
def test_probabilities_of_the_published_examples(a, b, length, expected):
    assert round(FIBS.probability(a, b, length), 6) == expected


def test_experience_after_the_match_is_the_macfibs_reading():
    assert FIBS.k(90, 11) == pytest.approx(4.1)
    assert FIBS_AFTER.k(90, 11) == pytest.approx(3.99)


def test_each_player_moves_by_his_own_k():
    winner, loser = changes((1500.0, 0), (1500.0, 400), 7)
    assert winner == pytest.approx(5 * -loser, abs=0.001)


def test_belgium_has_no_ramp_up_and_brass_city_starts_at_two():
    assert [BELGIUM.k(e, 7) for e in (0, 1000)] == [1.0, 1.0]
    assert [BRASS_CITY.k(e, 7) for e in (0, 200, 400, 1000)] == [2.0, 1.5, 1.0, 1.0]


def test_rinta_nikkola_shortens_long_matches():
    assert [rinta_nikkola(1.0).weight(n) for n in (1, 3, 11)] == [1.0, 2.0, 6.0]


@given(formula=formulas)
def test_a_key_gives_its_formula_back(formula):
    assert formula_named(formula.key) == formula


@pytest.mark.parametrize(
    "key",
    ["", "elo", "FIBS", "rinta-nikkola", "rinta-nikkola:c=x", "rinta-nikkola:c=2", "rinta-nikkola:c=nan"],
)
def test_an_unknown_key_is_a_typed_error(key):
    with pytest.raises(UnknownFormula):
        formula_named(key)


@pytest.mark.parametrize("length", [0, -1])
def test_money_sessions_have_no_weight(length):
    with pytest.raises(InvalidResult):
        FIBS.weight(length)


@given(formula=formulas, a=ratings, b=ratings, n=lengths)
def test_probabilities_of_both_players_sum_to_one(formula, a, b, n):
    assert formula.probability(a, b, n) + formula.probability(b, a, n) == pytest.approx(1.0)


@given(formula=formulas, a=ratings, b=ratings, n=lengths)
def test_the_better_rated_player_is_the_favourite(formula, a, b, n):
    assert (formula.probability(a, b, n) >= 0.5) == (a >= b) or a == pytest.approx(b)


@given(a=ratings, b=ratings, n=lengths, experience=st.integers(0, 2000))
def test_equal_experience_moves_both_by_the_same_amount(a, b, n, experience):
    winner, loser = changes((a, experience), (b, experience), n)
    assert winner == -loser
    assert winner >= 0


def test_an_absurd_difference_does_not_overflow():
    assert FIBS.probability(1e9, -1e9, 25) == 1.0
    assert FIBS.probability(-1e9, 1e9, 25) == pytest.approx(0.0)
