"""The fewest payments that settle a night."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.chouette.payments import MOST_EXACT, Transfer, payments_with, settling_payments
from scoring.rules.errors import InvalidValue


def fewest(amounts):
    """The fewest payments by trying every split into groups that sum to zero."""
    amounts = [amount for amount in amounts if amount]

    def groups(left):
        if not left:
            return 0
        first, rest = left[0], left[1:]
        best = -1
        for mask in range(1 << len(rest)):
            group = [first] + [a for i, a in enumerate(rest) if mask >> i & 1]
            if sum(group) == 0:
                best = max(best, 1 + groups([a for i, a in enumerate(rest) if not mask >> i & 1]))
        return best

    return len(amounts) - groups(amounts) if amounts else 0


def settled(balances, payments):
    left = dict(balances)
    for each in payments:
        assert each.minor > 0
        left[each.payer] += each.minor
        left[each.receiver] -= each.minor
    return not any(left.values())


def test_nobody_owes_anything():
    assert settling_payments({"ana": 0, "jon": 0}) == ()


@pytest.mark.parametrize(
    ("balances", "payments"),
    [
        # One winner: each loser pays, the largest debt first.
        (
            {"ana": 6, "jon": -1, "eva": -2, "leo": -3},
            [("leo", "ana", 3), ("eva", "ana", 2), ("jon", "ana", 1)],
        ),
        # Two pairs that are even among themselves need one payment each, not three.
        ({"ana": 10, "eva": 5, "jon": -10, "leo": -5}, [("jon", "ana", 10), ("leo", "eva", 5)]),
        # No two are even: 5 and -6 leave 1, which goes to the other winner.
        (
            {"ana": 5, "eva": 4, "jon": -6, "leo": -3},
            [("jon", "ana", 5), ("leo", "eva", 3), ("jon", "eva", 1)],
        ),
    ],
)
def test_payments_of_a_night(balances, payments):
    found = [(each.payer, each.receiver, each.minor) for each in settling_payments(balances)]
    assert sorted(found) == sorted(payments)


def test_balances_that_do_not_add_up_are_refused():
    with pytest.raises(InvalidValue, match="sum to 3, not 0"):
        settling_payments({"ana": 5, "jon": -2})


def test_a_large_table_is_settled_too():
    balances = {f"p{n}": n + 1 for n in range(MOST_EXACT)}
    balances["bank"] = -sum(balances.values())
    payments = settling_payments(balances)
    assert settled(balances, payments)
    assert len(payments) == MOST_EXACT


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=6))
def test_no_fewer_payments_settle_it(amounts):
    amounts = [*amounts, -sum(amounts)]
    balances = {f"p{n}": amount for n, amount in enumerate(amounts)}
    payments = settling_payments(balances)
    assert settled(balances, payments)
    assert len(payments) == fewest(amounts)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_a_payment_that_is_made_leaves_the_others_as_they_are(amounts, rng):
    amounts = [*amounts, -sum(amounts)]
    balances = {f"p{n}": amount for n, amount in enumerate(amounts)}
    plan = settling_payments(balances)
    made = rng.sample(plan, rng.randint(0, len(plan)))
    found = payments_with(balances, made)
    assert tuple(each for each, _made in found) == plan
    assert [each for each, index in found if index is not None] == [each for each in plan if each in made]
    assert all(made[index] == each for each, index in found if index is not None)


@given(
    st.lists(st.integers(-4, 4), min_size=2, max_size=5),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 5)), max_size=8),
)
def test_what_was_paid_before_a_correction_counts_in_what_is_left(amounts, paid):
    amounts = [*amounts, -sum(amounts)]
    balances = {f"p{n}": amount for n, amount in enumerate(amounts)}
    made = [Transfer(f"p{one}", f"p{other}", minor) for one, other, minor in paid if one != other]
    found = payments_with(balances, made)
    left = {f"p{n}": 0 for n in range(6)} | balances
    for each, _made in found:
        left[each.payer] += each.minor
        left[each.receiver] -= each.minor
    assert not any(left.values())
    assert sorted(index for _each, index in found if index is not None) == list(range(len(made)))
