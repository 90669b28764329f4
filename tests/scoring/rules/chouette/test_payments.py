"""The fewest payments that settle a night."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.chouette.payments import MOST_EXACT, settling_payments
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
