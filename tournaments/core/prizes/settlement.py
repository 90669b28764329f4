"""Settlement: what each account of an event owes and is owed, in minor units.

An account is a list of items. What it owes is negative, what it is owed positive; an item is open until money
has changed hands. Cash in the box is what was paid in cash less what was paid out in cash, so closing the box
compares one sum with one count.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

CASH: Final = "cash"
TRANSFER: Final = "transfer"
FREE: Final = "free"
OPEN: Final = "open"
OTHER_WAY: Final = {CASH: TRANSFER, TRANSFER: CASH}
"""Of the two ways in which money comes, the one that is not this one."""


class ItemKind(StrEnum):
    """What an item is for."""

    REGISTRATION = "registration"
    ENTRY = "entry"
    POOL = "pool"
    REFUND = "refund"
    PRIZE = "prize"
    LOT = "lot"
    BUY_BACK = "buy_back"
    PAYOUT = "payout"


class Standing(StrEnum):
    """Whether an entry's fees are due.

    ``HELD`` fees are kept until the draw decides; ``VOID`` ones are not due any more and refunded if paid.
    """

    DUE = "due"
    HELD = "held"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Item:
    """One amount of an account: negative if owed by it, positive if owed to it.

    ``how`` is how it was paid, empty while open; ``ref`` is its row, ``flight`` the flight's ref, ``key`` a
    side pool, the source of a prize or the number of a lot.
    """

    kind: ItemKind
    amount: int
    how: str = ""
    ref: str = ""
    flight: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """Items of one player, pair or team in an event."""

    ref: str
    items: tuple[Item, ...]

    @property
    def due(self) -> int:
        """Fees and lots, paid or not."""
        return -sum(item.amount for item in self.items if item.amount < 0)

    @property
    def paid(self) -> int:
        return -sum(item.amount for item in self.items if item.amount < 0 and item.how)

    @property
    def unpaid(self) -> int:
        return self.due - self.paid

    @property
    def won(self) -> int:
        """Prizes and payouts, paid out or not."""
        return sum(item.amount for item in self.items if item.amount > 0 and item.kind is not ItemKind.REFUND)

    @property
    def refund(self) -> int:
        """Fees to refund."""
        return sum(item.amount for item in self.items if item.kind is ItemKind.REFUND)

    @property
    def net(self) -> int:
        """What is still to be paid out, less what is still owed; negative: to collect.

        >>> unpaid_winner = (Item(ItemKind.ENTRY, -20_00), Item(ItemKind.PRIZE, 50_00))
        >>> Account("a", unpaid_winner).net
        3000
        """
        return sum(item.amount for item in self.items if not item.how)

    @property
    def owed(self) -> int:
        """What is to be collected net, or 0."""
        return max(0, -self.net)

    @property
    def settled(self) -> bool:
        """Whether nothing is open."""
        return all(item.how for item in self.items)

    @property
    def unpaid_winner(self) -> bool:
        return self.unpaid > 0 and self.won > 0


def fee_items(
    fees: Sequence[tuple[ItemKind, str, int]],
    how: str,
    standing: Standing,
    *,
    refunded: bool = False,
    refunded_how: str = "",
    outstanding: int = 0,
    other_way: int = 0,
    ref: str = "",
    flight: str = "",
) -> tuple[Item, ...]:
    """Items of an entry's fees: kind, side pool and amount each.

    ``how`` is "cash", "transfer", "open" or "free"; ``outstanding`` is the part of cash or transferred fees
    that is not paid yet, from the last fee on; before it comes the part paid the ``other_way``. Paid fees
    that are void are followed by their refund. Refunded ones leave nothing, unless the refund took another
    way (``refunded_how``) than the fees.

    >>> [i.amount for i in fee_items([(ItemKind.ENTRY, "", 20_00)], "cash", Standing.VOID)]
    [-2000, 2000]
    >>> fee_items([(ItemKind.ENTRY, "", 20_00)], "cash", Standing.DUE, refunded=True)
    ()
    >>> fees = [(ItemKind.ENTRY, "", 45_00), (ItemKind.POOL, "jackpot", 20_00)]
    >>> [(i.amount, i.how) for i in fee_items(fees, "cash", Standing.DUE, outstanding=25_00)]
    [(-4000, 'cash'), (-500, ''), (-2000, '')]
    >>> [(i.amount, i.how) for i in fee_items(fees, "cash", Standing.DUE, other_way=20_00)]
    [(-4500, 'cash'), (-2000, 'transfer')]
    >>> back = fee_items(fees, "cash", Standing.VOID, refunded=True, refunded_how="transfer")
    >>> [(i.amount, i.how) for i in back]
    [(-4500, 'cash'), (-2000, 'cash'), (6500, 'transfer')]
    """
    if how == FREE or (how == OPEN and (refunded or standing is not Standing.DUE)):
        return ()
    if refunded:
        standing = Standing.VOID
    paid = "" if how == OPEN else how
    left, other = (0, 0) if how == OPEN else (outstanding, other_way)
    items: list[Item] = []
    for kind, key, amount in reversed(fees):
        unpaid = min(left, amount)
        otherwise = min(other, amount - unpaid)
        left, other = left - unpaid, other - otherwise
        if unpaid and standing is Standing.DUE:
            items.insert(0, Item(kind, -unpaid, "", ref, flight, key))
        if otherwise:
            items.insert(0, Item(kind, -otherwise, OTHER_WAY[how], ref, flight, key))
        if rest := amount - unpaid - otherwise:
            items.insert(0, Item(kind, -rest, paid, ref, flight, key))
    if refunded and all(refunded_how in {"", item.how} for item in items):
        return ()
    if standing is Standing.VOID and items:
        amount = -sum(item.amount for item in items)
        items.append(Item(ItemKind.REFUND, amount, refunded_how if refunded else "", ref, flight))
    return tuple(items)


def cash_in_box(accounts: Iterable[Account]) -> int:
    """Cash received less cash paid out.

    >>> paid = (Item(ItemKind.ENTRY, -20_00, "cash"), Item(ItemKind.PRIZE, 50_00, "transfer"))
    >>> cash_in_box([Account("a", paid)])
    2000
    """
    return -sum(item.amount for account in accounts for item in account.items if item.how == CASH)
