"""Satellites: events whose prize is an entry to a larger one."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.core.prizes.money import PrizeRefused, divide
from tournaments.core.standings.places import Place


@dataclass(frozen=True, slots=True)
class SatellitePrizes:
    """``entries`` are the entrants who win an entry; ``cash`` what is left, by entrant.

    Values sum to the pool.
    """

    entries: tuple[int, ...]
    cash: tuple[tuple[int, int], ...]


def satellite_prizes(pool: int, entry_price: int, places: Sequence[Place]) -> SatellitePrizes:
    """As many entries as the pool pays go to the best places; the rest is cash for the next.

    When a shared place is cut by the last entry, those who share it get the value of the entries left and the
    rest in equal cash instead: nobody wins an entry by lot.

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
