"""Calcutta auction: lots of entrants are sold, and buyers are paid by results.

Records only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.core.prizes.money import PrizeRefused, divide, percent
from tournaments.core.prizes.payouts import Award, pay_places
from tournaments.core.standings.places import Place


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot that was sold.

    ``entrants`` is one entrant or a field lot; ``buy_back`` is the percentage (0 to 100) that the entrants
    bought back from the buyer at the hammer price.
    """

    number: int
    entrants: tuple[int, ...]
    buyer: str
    price: int
    buy_back: int = 0


@dataclass(frozen=True, slots=True)
class LotPayout:
    """Payout of a lot: the buyer's part, and each entrant's part of the buy-back."""

    lot: int
    buyer: str
    to_buyer: int
    to_entrants: tuple[tuple[int, int], ...]


def calcutta_pool(lots: Sequence[Lot], *, rake: int = 0) -> int:
    """Sum of the hammer prices minus the rake (percent).

    Raises:
        PrizeRefused: ``lot`` for an invalid price, buy-back or rake, or an entrant sold twice.
    """
    sold: set[int] = set()
    for lot in lots:
        if lot.price < 0 or not 0 <= lot.buy_back <= 100 or not lot.entrants:
            raise PrizeRefused(
                "lot", f"lot {lot.number} has an invalid price, buy-back or entrant list", lot=lot.number
            )
        if sold & set(lot.entrants):
            raise PrizeRefused(
                "lot", f"lot {lot.number} has an entrant who is in another lot", lot=lot.number
            )
        sold |= set(lot.entrants)
    if not 0 <= rake <= 100:
        raise PrizeRefused("lot", f"a rake must be from 0 to 100%, not {rake}%", rake=rake)
    prices = sum(lot.price for lot in lots)
    return prices - percent(prices, rake)


def pay_calcutta(
    lots: Sequence[Lot], places: Sequence[Place], percentages: Sequence[int], *, rake: int = 0
) -> tuple[LotPayout, ...]:
    """Pay the pool to the lots by the places of their entrants.

    Unsold entrants are skipped.

    Raises:
        PrizeRefused: as ``calcutta_pool`` and ``payouts.pay_places``.
    """
    pool = calcutta_pool(lots, rake=rake)
    lot_of = {n: lot for lot in lots for n in lot.entrants}
    awards = pay_places(pool, percentages, _sold_places(places, lot_of), source="calcutta")
    return tuple(_lot_payout(lot, [a for a in awards if lot_of[a.entrant] is lot]) for lot in lots)


def _sold_places(places: Sequence[Place], lot_of: Mapping[int, Lot]) -> list[Place]:
    """The places among sold entrants only."""
    sold = sorted((p for p in places if p.entrant in lot_of), key=lambda p: p.first)
    ranked: list[Place] = []
    for first in sorted({p.first for p in sold}):
        group = [p for p in sold if p.first == first]
        start = len(ranked) + 1
        ranked.extend(Place(p.entrant, start, start + len(group) - 1) for p in group)
    return ranked


def _lot_payout(lot: Lot, awards: Sequence[Award]) -> LotPayout:
    won = sum(a.amount for a in awards)
    bought_back = percent(won, lot.buy_back)
    parts = divide(bought_back, [1] * len(lot.entrants))
    return LotPayout(lot.number, lot.buyer, won - bought_back, tuple(zip(lot.entrants, parts, strict=True)))
