"""Balance sheet of a flight: income and payouts, equal to the cent."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.core.prizes.settlement import OPEN, OTHER_WAY


@dataclass(frozen=True, slots=True)
class Paid:
    """Fees of one entry.

    ``how`` is ``"cash"``, ``"transfer"``, ``"open"`` or ``"free"``; ``drawn`` is false for an entrant who
    was not drawn; ``pools`` are the keys of the side pools. ``outstanding`` is the part of fees in cash or by
    transfer that is not paid yet, ``other_way`` the part paid in the other of these two ways, in minor units;
    ``refunded_how`` is empty for a refund that took the way of the fees.
    """

    how: str
    refunded: bool = False
    drawn: bool = True
    pools: tuple[str, ...] = ()
    outstanding: int = 0
    other_way: int = 0
    refunded_how: str = ""

    def ways(self, owed: int) -> list[tuple[str, int]]:
        """How much of the fees that it ``owed`` was paid in which way; unpaid ones are "open".

        >>> Paid("cash", outstanding=5, other_way=20).ways(65)
        [('cash', 40), ('transfer', 20), ('open', 5)]
        """
        unpaid = min(self.outstanding, owed)
        other = min(self.other_way, owed - unpaid)
        parts = [(self.how, owed - unpaid - other), (OTHER_WAY.get(self.how, OPEN), other), (OPEN, unpaid)]
        return [(how, amount) for how, amount in parts if amount or how == self.how]

    def paid_ways(self, owed: int) -> list[tuple[str, int]]:
        """The :meth:`ways` without what is unpaid."""
        return [(how, amount) for how, amount in self.ways(owed) if how != OPEN]


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """An approved prize; ``how`` is empty until it is paid."""

    amount: int
    source: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class PoolLine:
    """A pool in minor units: fees, the part paid out, and the approved prizes."""

    key: str
    members: int
    fees: int
    pool: int
    approved: int

    @property
    def kept(self) -> int:
        return self.fees - self.pool


@dataclass(frozen=True, slots=True)
class Balance:
    """Balance of a flight, all amounts in minor units; ``difference`` must be 0.

    ``fees`` maps how fees were paid ("cash", "transfer", "open": unpaid) to their sum without refunds;
    ``waiting`` is the sum paid by entrants who were not drawn.
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
        """Fees of the drawn entrants, paid or unpaid."""
        return sum(self.fees.values())

    @property
    def pools(self) -> int:
        """All prize pools, including added money."""
        return self.main.pool + self.added + sum(pool.pool for pool in self.side)

    @property
    def kept(self) -> int:
        """The club share: registration fees and the part of the fees not paid out."""
        return self.registration + self.main.kept + sum(pool.kept for pool in self.side)

    @property
    def approved(self) -> int:
        return self.main.approved + sum(pool.approved for pool in self.side)

    @property
    def mismatched(self) -> tuple[PoolLine, ...]:
        """Pools whose approved prizes no longer add up to the pool.

        Happens when fees are paid or refunded, or an entry is added, after approval. Empty without approved
        prizes.
        """
        if not self.approved:
            return ()
        whole = replace(self.main, pool=self.main.pool + self.added)
        return tuple(pool for pool in (whole, *self.side) if pool.approved != pool.pool)

    @property
    def paid_out(self) -> int:
        return sum(self.paid.values())

    @property
    def unpaid(self) -> int:
        """Approved prizes not paid yet."""
        return self.approved - self.paid_out

    @property
    def expected_cash(self) -> int:
        """Cash fees, including those of entrants not drawn, less prizes and refunds paid in cash."""
        kept = self.counts.get("waiting cash", 0) + self.counts.get("refund cash", 0)
        return self.fees.get("cash", 0) + kept - self.paid.get("cash", 0)

    @property
    def difference(self) -> int:
        """Income minus payouts; anything but 0 is a bug."""
        return self.taken + self.added - self.pools - self.kept


def together(sheets: Sequence[Balance]) -> dict[str, int]:
    """Sum the balances of several flights, in minor units.

    >>> each = balance(Fees(5_00, 20_00, 90), [Paid("cash"), Paid("open")], added=10_00)
    >>> together([each, each])
    {'taken': 10000, 'added': 2000, 'pools': 9200, 'kept': 2800, 'expected_cash': 5000, 'difference': 0}
    """
    names = ("taken", "added", "pools", "kept", "expected_cash", "difference")
    return {name: sum(getattr(sheet, name) for sheet in sheets) for name in names}


def balance(
    fees: Fees,
    entries: Sequence[Paid],
    *,
    added: int = 0,
    side_pools: Sequence[SidePool] = (),
    prizes: Sequence[PrizeLine] = (),
) -> Balance:
    """Compute the balance of a flight.

    A free entry pays no fees, also none for side pools.

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
            _add(refunded, entry.paid_ways(owed))
            if entry.refunded_how:
                _add(counts, [(f"refund {how}", amount) for how, amount in entry.paid_ways(owed)])
                _add(counts, [(f"refund {entry.refunded_how}", -sum(dict(entry.paid_ways(owed)).values()))])
        elif entry.drawn:
            _add(came, entry.ways(owed))
            _add(counts, [(entry.how, 1)])
        elif entry.how != OPEN:
            paid_ways = entry.paid_ways(owed)
            waiting += sum(amount for _how, amount in paid_ways)
            _add(counts, [(f"waiting {how}", amount) for how, amount in paid_ways])
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


def _add(sums: dict[str, int], parts: Iterable[tuple[str, int]]) -> None:
    for key, amount in parts:
        sums[key] = sums.get(key, 0) + amount


def _line(
    pool: SidePool, members: int, prizes: Sequence[PrizeLine], *, others: set[str] | None = None
) -> PoolLine:
    """A pool with its prizes.

    With ``others`` (keys), every prize that is not from one of those.
    """
    own = [p for p in prizes if (p.source not in others if others is not None else p.source == pool.key)]
    return PoolLine(
        pool.key, members, pool.fee * members, pool.amount(members), sum(prize.amount for prize in own)
    )
