"""What an entry costs and what has been paid, for the treasurer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.core.prizes.settlement import CASH, Item, ItemKind


@dataclass(frozen=True, slots=True)
class Dues:
    """Fees of entries in minor units: ``due``, the part of it that is ``paid``, and of that in ``cash``."""

    due: int = 0
    paid: int = 0
    cash: int = 0

    @property
    def outstanding(self) -> int:
        return self.due - self.paid

    @property
    def transferred(self) -> int:
        return self.paid - self.cash


def price(fees: Fees, side_pools: Sequence[SidePool], pools: Sequence[str]) -> int:
    """The fees of an entry with these side pools, in minor units.

    >>> price(Fees(5_00, 40_00), [SidePool("jackpot", 20_00)], ["jackpot"])
    6500
    """
    return fees.registration + fees.entry + sum(pool.fee for pool in side_pools if pool.key in pools)


def dues_of(items: Iterable[Item]) -> Dues:
    """What the items of an entry's fees make due and paid; nothing once they are refunded.

    >>> dues_of([Item(ItemKind.ENTRY, -40_00, "cash"), Item(ItemKind.POOL, -20_00)])
    Dues(due=6000, paid=4000, cash=4000)
    """
    known = list(items)
    if any(item.kind is ItemKind.REFUND and item.how for item in known):
        return Dues()
    fees = [item for item in known if item.amount < 0]
    return Dues(
        -sum(item.amount for item in fees),
        -sum(item.amount for item in fees if item.how),
        -sum(item.amount for item in fees if item.how == CASH),
    )


def total(dues: Iterable[Dues]) -> Dues:
    """The sum of dues.

    >>> total([Dues(40, 40, 30), Dues(60)])
    Dues(due=100, paid=40, cash=30)
    """
    rows = list(dues)
    return Dues(
        sum(each.due for each in rows), sum(each.paid for each in rows), sum(each.cash for each in rows)
    )
