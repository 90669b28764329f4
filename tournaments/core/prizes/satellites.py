"""Satellites: events with entries to a larger event as prizes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.core.prizes.money import PrizeRefused, divide
from tournaments.core.standings.places import Place

ENTRY: Final = "entry"
"""The source of a prize that is an entry."""


@dataclass(frozen=True, slots=True)
class SatellitePrizes:
    """Entrants who win an entry, and the remaining cash by entrant.

    Values add up to the pool.
    """

    entries: tuple[int, ...]
    cash: tuple[tuple[int, int], ...]


def satellite_prizes(pool: int, entry_price: int, places: Sequence[Place]) -> SatellitePrizes:
    """Award entries to the best places while the pool lasts, then the rest in cash.

    If there are not enough entries for all who share a place, they share the rest of the pool as cash: no
    entry is decided by lot.

    Raises:
        PrizeRefused: ``entry_price`` below 1, or ``nobody_placed``.
    """
    if entry_price < 1:
        raise PrizeRefused(
            "entry_price", f"an entry must cost at least 1, not {entry_price}", price=entry_price
        )
    if not places:
        raise PrizeRefused("nobody_placed", "no places are decided yet")
    left = pool
    entries: list[int] = []
    for first in sorted({p.first for p in places}):
        group = sorted(p.entrant for p in places if p.first == first)
        if left >= entry_price * len(group):
            entries.extend(group)
            left -= entry_price * len(group)
            continue
        return SatellitePrizes(tuple(entries), _cash(group, left))
    return SatellitePrizes(tuple(entries), _cash(sorted(p.entrant for p in places if p.first == 1), left))


def _cash(group: Sequence[int], amount: int) -> tuple[tuple[int, int], ...]:
    parts = divide(amount, [1] * len(group))
    return tuple((n, part) for n, part in zip(group, parts, strict=True) if part)
