"""The balance sheet of a flight: what came in, where it goes, and that both make the same to the cent."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tournaments.core.prizes.pools import Fees, SidePool


@dataclass(frozen=True, slots=True)
class Paid:
    """What one entry means for the money: how its fees came in, whether they went back, which side pools.

    ``how`` is ``"cash"``, ``"transfer"``, ``"open"`` or ``"free"``; ``drawn`` is false for somebody who never
    played.
    """

    how: str
    refunded: bool = False
    drawn: bool = True
    pools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Handed:
    """A prize that was written down; ``how`` is empty until it was handed over."""

    amount: int
    source: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class PoolLine:
    """A pool: what its members brought, what of it is returned, and what of that is given out as prizes."""

    key: str
    members: int
    fees: int
    pool: int
    written: int

    @property
    def kept(self) -> int:
        return self.fees - self.pool


@dataclass(frozen=True, slots=True)
class Balance:
    """All amounts in minor units. The equations that must hold are in ``difference``.

    ``fees`` maps how fees came in ("cash", "transfer", "open": still owed) to their sum, refunded ones left
    out; ``waiting`` is money of people who paid and were not drawn, to be refunded or kept by decision.
    """

    fees: dict[str, int]
    counts: dict[str, int]
    refunded: dict[str, int]
    waiting: int
    registration: int
    added: int
    main: PoolLine
    side: tuple[PoolLine, ...]
    paid: dict[str, int] = field(default_factory=dict)

    @property
    def taken(self) -> int:
        """Fees of those who were drawn, whether they have come in or are owed."""
        return sum(self.fees.values())

    @property
    def pools(self) -> int:
        """What is to be given out, added money included."""
        return self.main.pool + self.added + sum(pool.pool for pool in self.side)

    @property
    def kept(self) -> int:
        """The club's own: registration fees and what the pools do not return."""
        return self.registration + self.main.kept + sum(pool.kept for pool in self.side)

    @property
    def written(self) -> int:
        return self.main.written + sum(pool.written for pool in self.side)

    @property
    def astray(self) -> tuple[PoolLine, ...]:
        """The pools whose prizes were written down and make another sum by now.

        Fees came in or were refunded since, or an entry was added. Empty while nothing is written down; a
        pool without members has none.
        """
        if not self.written:
            return ()
        whole = replace(self.main, pool=self.main.pool + self.added)
        return tuple(pool for pool in (whole, *self.side) if pool.written != pool.pool)

    @property
    def handed(self) -> int:
        return sum(self.paid.values())

    @property
    def unpaid(self) -> int:
        """Prizes that were written down and not yet handed over."""
        return self.written - self.handed

    @property
    def cash_box(self) -> int:
        """What must lie in the box: cash fees and cash of people who were not drawn, less prizes in cash."""
        return self.fees.get("cash", 0) + self.counts.get("waiting cash", 0) - self.paid.get("cash", 0)

    @property
    def difference(self) -> int:
        """What came in less where it goes; anything but 0 is a fault of ours."""
        return self.taken + self.added - self.pools - self.kept


def together(sheets: Sequence[Balance]) -> dict[str, int]:
    """The balance of several flights in one: what came in and where it goes, in minor units.

    >>> each = balance(Fees(5_00, 20_00, 90), [Paid("cash"), Paid("open")], added=10_00)
    >>> together([each, each])
    {'taken': 10000, 'added': 2000, 'pools': 9200, 'kept': 2800, 'cash_box': 5000, 'difference': 0}
    """
    names = ("taken", "added", "pools", "kept", "cash_box", "difference")
    return {name: sum(getattr(sheet, name) for sheet in sheets) for name in names}


def balance(
    fees: Fees,
    entries: Sequence[Paid],
    *,
    added: int = 0,
    side_pools: Sequence[SidePool] = (),
    prizes: Sequence[Handed] = (),
) -> Balance:
    """The balance of a flight. Free entries bring nothing in, side pools neither.

    >>> entries = [Paid("cash"), Paid("transfer"), Paid("open"), Paid("free"), Paid("cash", refunded=True)]
    >>> found = balance(Fees(5_00, 20_00, 90), entries, added=10_00)
    >>> found.taken, found.pools, found.kept, found.difference
    (7500, 6400, 2100, 0)
    """
    price = {key: pool.fee for pool in side_pools for key in (pool.key,)}
    each = fees.registration + fees.entry
    came: dict[str, int] = {}
    counts: dict[str, int] = {}
    refunded: dict[str, int] = {}
    waiting = 0
    for entry in entries:
        owed = each + sum(price.get(key, 0) for key in entry.pools)
        if entry.how == "free":
            counts["free"] = counts.get("free", 0) + 1
        elif entry.refunded:
            refunded[entry.how] = refunded.get(entry.how, 0) + owed
        elif entry.drawn:
            came[entry.how] = came.get(entry.how, 0) + owed
            counts[entry.how] = counts.get(entry.how, 0) + 1
        elif entry.how != "open":
            waiting += owed
            counts[f"waiting {entry.how}"] = counts.get(f"waiting {entry.how}", 0) + owed
    paying = [entry for entry in entries if entry.how != "free" and entry.drawn and not entry.refunded]
    paid: dict[str, int] = {}
    for prize in prizes:
        if prize.how:
            paid[prize.how] = paid.get(prize.how, 0) + prize.amount
    main = SidePool("main", fees.entry, fees.returned)
    return Balance(
        fees=came,
        counts=counts,
        refunded=refunded,
        waiting=waiting,
        registration=fees.registration * len(paying),
        added=added,
        main=_line(main, len(paying), prizes, others={pool.key for pool in side_pools}),
        side=tuple(
            _line(pool, sum(pool.key in entry.pools for entry in paying), prizes) for pool in side_pools
        ),
        paid=paid,
    )


def _line(
    pool: SidePool, members: int, prizes: Sequence[Handed], *, others: set[str] | None = None
) -> PoolLine:
    """``others``: the keys of the other pools; every prize that is not theirs is this one's."""
    own = [p for p in prizes if (p.source not in others if others is not None else p.source == pool.key)]
    return PoolLine(
        pool.key, members, pool.fee * members, pool.amount(members), sum(prize.amount for prize in own)
    )
