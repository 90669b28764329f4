"""Settlement: what is taken in is paid out, kept, or in the cash box, to the cent."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.prizes.balance import Paid, PrizeLine, balance
from tournaments.core.prizes.money import divide
from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.core.prizes.settlement import (
    Account,
    Item,
    ItemKind,
    Standing,
    cash_in_box,
    fee_items,
)

WAYS = ("cash", "transfer")
ENTRIES = st.lists(
    st.builds(
        Paid,
        st.sampled_from([*WAYS, "open", "free"]),
        st.booleans(),
        st.booleans(),
        st.sampled_from([(), ("a",), ("b",), ("a", "b")]),
        st.integers(0, 120_00),
        st.integers(0, 120_00),
        st.sampled_from(["", *WAYS]),
    ),
    max_size=20,
)
MONEY = st.integers(0, 99_99)
POOLS = (SidePool("a", 1_33, 80), SidePool("b", 7, 100))


def accounts(fees, entries, prizes):
    """An account for each entry; ``prizes`` are amount, way and entry each."""
    price = {pool.key: pool.fee for pool in POOLS}
    for number, entry in enumerate(entries):
        owed = [
            (ItemKind.REGISTRATION, "", fees.registration),
            (ItemKind.ENTRY, "", fees.entry),
            *((ItemKind.POOL, key, price[key]) for key in entry.pools),
        ]
        standing = Standing.DUE if entry.drawn else Standing.VOID
        # A refund is recorded only of fees that were paid.
        refunded = entry.refunded and entry.how in WAYS
        won = (Item(ItemKind.PRIZE, amount, how) for amount, how, to in prizes if to == number)
        parts = {name: getattr(entry, name) for name in ("outstanding", "other_way", "refunded_how")}
        yield Account(str(number), (*fee_items(owed, entry.how, standing, refunded=refunded, **parts), *won))


@given(
    st.builds(Fees, MONEY, MONEY, st.integers(0, 100)),
    ENTRIES,
    MONEY,
    st.lists(st.tuples(st.integers(0, 19), st.integers(1, 9)), max_size=8),
    st.sampled_from([*WAYS, ""]),
)
def test_accounts_and_balance_say_the_same_to_the_cent(fees, entries, added, shares, how):
    entries = [
        each if each.how in WAYS else replace(each, refunded=False, outstanding=0, other_way=0)
        for each in entries
    ]
    drawn = [number for number, each in enumerate(entries) if each.drawn]
    pool = balance(fees, entries, added=added, side_pools=POOLS).pools
    parts = divide(pool, [weight for _to, weight in shares]) if shares and drawn else ()
    prizes = [(part, how, drawn[to % len(drawn)]) for part, (to, _weight) in zip(parts, shares, strict=False)]
    lines = [PrizeLine(part, "main", way) for part, way, _to in prizes]
    sheet = balance(fees, entries, added=added, side_pools=POOLS, prizes=lines)
    found = list(accounts(fees, entries, prizes))
    assert cash_in_box(found) == sheet.expected_cash
    # Fees that are due less prizes and refunds: what is kept, less what was added, once all pools are paid.
    unpaid_pool = pool - sum(parts)
    void = sum(item.amount for each in found for item in each.items if item.kind is ItemKind.REFUND)
    owed = sum(each.due for each in found) - void - sum(each.won for each in found)
    assert owed == sheet.kept - added + unpaid_pool
    # Settling every account leaves nothing open, and the box holds what was settled in cash.
    settled = [
        Account(each.ref, tuple(Item(i.kind, i.amount, i.how or "cash") for i in each.items))
        for each in found
    ]
    assert all(each.settled and each.net == 0 for each in settled)
    assert cash_in_box(settled) == cash_in_box(found) - sum(each.net for each in found)


def test_fees_are_due_held_or_void():
    fee = [(ItemKind.ENTRY, "", 20_00), (ItemKind.POOL, "a", 0)]
    cases = {
        ("open", Standing.DUE): [(-20_00, "")],
        ("open", Standing.HELD): [],
        ("open", Standing.VOID): [],
        ("cash", Standing.DUE): [(-20_00, "cash")],
        ("cash", Standing.HELD): [(-20_00, "cash")],
        ("transfer", Standing.VOID): [(-20_00, "transfer"), (20_00, "")],
        ("free", Standing.DUE): [],
    }
    for (how, standing), expected in cases.items():
        assert [(item.amount, item.how) for item in fee_items(fee, how, standing)] == expected


def test_a_prize_is_paid_net_of_unpaid_fees():
    account = Account("a", (Item(ItemKind.ENTRY, -20_00), Item(ItemKind.PRIZE, 50_00)))
    assert (account.due, account.paid, account.unpaid, account.won) == (20_00, 0, 20_00, 50_00)
    assert (account.net, account.owed, account.unpaid_winner, account.settled) == (30_00, 0, True, False)
    poor = Account("b", (Item(ItemKind.ENTRY, -20_00), Item(ItemKind.PRIZE, 5_00)))
    assert (poor.net, poor.owed) == (-15_00, 15_00)
