"""Calcutta auction: entrants are sold in lots, and the owners are paid by the places of their entrants.

The entrants of a lot can buy back parts of it from the buyer at the hammer price. Buyer and entrants owe
and win in proportion to their parts. Records only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.core.prizes.money import PrizeRefused, divide, percent
from tournaments.core.prizes.payouts import Award, pay_places
from tournaments.core.standings.places import Place


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot that was sold: one entrant, or several as a field lot.

    ``bought_back`` are the percentages that entrants of the lot bought back.
    """

    number: int
    entrants: tuple[int, ...]
    price: int
    bought_back: tuple[tuple[int, int], ...] = ()

    @property
    def percent_back(self) -> int:
        return sum(part for _entrant, part in self.bought_back)

    def divided(self, amount: int) -> "LotParts":
        """Divide an amount over the owners of the lot; the parts add up to it.

        >>> Lot(1, (7,), 100_00, ((7, 50),)).divided(33_33)
        LotParts(lot=1, buyer=1667, entrants=((7, 1666),))
        """
        parts = divide(amount, [100 - self.percent_back, *(part for _entrant, part in self.bought_back)])
        entrants = tuple(
            (entrant, part) for (entrant, _), part in zip(self.bought_back, parts[1:], strict=True)
        )
        return LotParts(self.number, parts[0], entrants)


@dataclass(frozen=True, slots=True)
class LotParts:
    """An amount of a lot: the buyer's part, and that of each entrant who bought back, in minor units."""

    lot: int
    buyer: int
    entrants: tuple[tuple[int, int], ...]

    @property
    def amount(self) -> int:
        return self.buyer + sum(part for _entrant, part in self.entrants)


def require_lot(lot: Lot, *, most_back: int = 100) -> None:
    """Check a sale.

    Raises:
        PrizeRefused: ``lot_price``, ``lot_empty``, ``buy_back_entrant`` or ``buy_back``.
    """
    if lot.price < 1:
        raise PrizeRefused("lot_price", f"lot {lot.number} must cost at least 1, not {lot.price}")
    if not lot.entrants:
        raise PrizeRefused("lot_empty", f"lot {lot.number} has no entrants", lot=lot.number)
    if any(entrant not in lot.entrants or part < 0 for entrant, part in lot.bought_back):
        raise PrizeRefused("buy_back_entrant", f"only entrants of lot {lot.number} can buy it back")
    if lot.percent_back > most_back:
        raise PrizeRefused(
            "buy_back",
            f"at most {most_back}% of lot {lot.number} can be bought back, not {lot.percent_back}%",
            lot=lot.number,
            most=most_back,
            percent=lot.percent_back,
        )


def calcutta_pool(lots: Sequence[Lot], *, rake: int = 0) -> int:
    """Sum of the hammer prices minus the rake (percent).

    Raises:
        PrizeRefused: ``rake``, ``lot_twice`` for an entrant in two lots, and as ``require_lot``.
    """
    sold: set[int] = set()
    for lot in lots:
        require_lot(lot)
        if sold & set(lot.entrants) or len(set(lot.entrants)) < len(lot.entrants):
            raise PrizeRefused("lot_twice", f"an entrant of lot {lot.number} is sold twice", lot=lot.number)
        sold |= set(lot.entrants)
    if not 0 <= rake <= 100:
        raise PrizeRefused("rake", f"a rake must be from 0 to 100%, not {rake}%", rake=rake)
    return after_rake(sum(lot.price for lot in lots), rake)


def after_rake(prices: int, rake: int) -> int:
    """What is left of the hammer prices for the owners."""
    return prices - percent(prices, rake)


def pay_calcutta(
    lots: Sequence[Lot], places: Sequence[Place], percentages: Sequence[int], *, rake: int = 0
) -> tuple[LotParts, ...]:
    """Pay the pool to the lots by the places of their entrants.

    Unsold entrants are skipped; lots without a prize are left out. Where no sold entrant has a place the
    pool is returned: each lot gets its share of the prices. The parts add up to the pool.

    Raises:
        PrizeRefused: as ``calcutta_pool`` and ``payouts.pay_places``.

    >>> pay_calcutta([Lot(1, (7,), 30_00), Lot(2, (8,), 10_00)], [], (100,), rake=10)
    (LotParts(lot=1, buyer=2700, entrants=()), LotParts(lot=2, buyer=900, entrants=()))
    """
    pool = calcutta_pool(lots, rake=rake)
    if not pool:
        return ()
    if is_returned(lots, places):
        prices = divide(pool, [lot.price for lot in lots])
        returned = (lot.divided(amount) for lot, amount in zip(lots, prices, strict=True))
        return tuple(parts for parts in returned if parts.amount)
    lot_of = {entrant: lot for lot in lots for entrant in lot.entrants}
    awards = pay_places(pool, percentages, _sold_places(places, lot_of), source="calcutta")
    found = (lot.divided(_won(lot, awards, lot_of)) for lot in lots)
    return tuple(parts for parts in found if parts.amount)


def is_returned(lots: Sequence[Lot], places: Sequence[Place]) -> bool:
    """Whether no entrant of these lots has a place, so that the pool goes back to their owners."""
    sold = {entrant for lot in lots for entrant in lot.entrants}
    return sold.isdisjoint(place.entrant for place in places)


def _won(lot: Lot, awards: Sequence[Award], lot_of: Mapping[int, Lot]) -> int:
    return sum(award.amount for award in awards if lot_of[award.entrant] is lot)


def _sold_places(places: Sequence[Place], lot_of: Mapping[int, Lot]) -> list[Place]:
    """The places among sold entrants only."""
    sold = sorted((p for p in places if p.entrant in lot_of), key=lambda p: p.first)
    ranked: list[Place] = []
    for first in sorted({p.first for p in sold}):
        group = [p for p in sold if p.first == first]
        start = len(ranked) + 1
        ranked.extend(Place(p.entrant, start, start + len(group) - 1) for p in group)
    return ranked
