"""From fees to prize pools.

The club keeps registration fees; a percentage of the entry fees plus added money is the main pool; side
pools have their own fees.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.core.prizes.money import PrizeRefused, divide, percent


@dataclass(frozen=True, slots=True)
class Fees:
    """Fees of one entry, in minor units.

    ``returned`` is the percentage of the entry fee paid out.
    """

    registration: int = 0
    entry: int = 0
    returned: int = 100

    def __post_init__(self) -> None:
        if self.registration < 0 or self.entry < 0 or not 0 <= self.returned <= 100:
            raise PrizeRefused(
                "fees",
                f"invalid fees: {self.registration} + {self.entry}, {self.returned}% returned",
            )


@dataclass(frozen=True, slots=True)
class Takings:
    """Fees by use: ``registration + entry_fees + added == kept + pool``."""

    registration: int
    entry_fees: int
    added: int
    kept: int
    pool: int


def takings(fees: Fees, entries: int, *, added: int = 0, refunded: int = 0) -> Takings:
    """Takings of ``entries`` paid entries, ``refunded`` of them refunded.

    Re-entries count as entries.

    Raises:
        PrizeRefused: ``entries`` or ``negative``.
    """
    if entries < 0 or not 0 <= refunded <= entries:
        raise PrizeRefused("entries", f"cannot refund {refunded} of {entries} entries")
    if added < 0:
        raise PrizeRefused("negative", f"added money cannot be negative: {added}", added=added)
    paid = entries - refunded
    registration, entry_fees = paid * fees.registration, paid * fees.entry
    pool = percent(entry_fees, fees.returned)
    return Takings(registration, entry_fees, added, registration + entry_fees - pool, pool + added)


def split_pool(pool: int, shares: Mapping[str, int], *, unit: int = 1) -> dict[str, int]:
    """Split the pool over main, consolation and last chance by percentages.

    Raises:
        PrizeRefused: ``shares`` that do not add up to 100.

    >>> split_pool(1_000_01, {"main": 70, "consolation": 20, "last chance": 10})
    {'main': 70001, 'consolation': 20000, 'last chance': 10000}
    """
    if sum(shares.values()) != 100:
        raise PrizeRefused("shares", f"shares {dict(shares)} add up to {sum(shares.values())}%, not 100%")
    return dict(zip(shares, divide(pool, list(shares.values()), unit=unit), strict=True))


@dataclass(frozen=True, slots=True)
class SidePool:
    """An optional pool with its own fee and percentage paid out.

    ``needs`` is the key of a pool that members must also enter; ``rating_below`` is the rating limit.
    ``within`` is the place a member must reach in a stage to win the pool there (8: quarter-finals);
    otherwise the next stage decides.
    """

    key: str
    fee: int
    returned: int = 100
    needs: str | None = None
    rating_below: float | None = None
    within: int | None = None

    def __post_init__(self) -> None:
        if self.fee < 0 or not 0 <= self.returned <= 100:
            raise PrizeRefused(
                "fees", f"side pool {self.key}: invalid fee {self.fee} with {self.returned}% returned"
            )

    def amount(self, members: int) -> int:
        """The pool with this many members, in minor units."""
        return percent(self.fee * members, self.returned)


def require_eligible(pool: SidePool, *, rating: float | None, pools_entered: Sequence[str]) -> None:
    """Check that an entrant meets the rules of a side pool.

    Raises:
        PrizeRefused: ``needs_pool`` or ``rating``; unrated entrants cannot enter a pool with a rating limit.
    """
    if pool.needs is not None and pool.needs not in pools_entered:
        raise PrizeRefused(
            "needs_pool",
            f"side pool {pool.key} requires side pool {pool.needs}",
            pool=pool.key,
            needs=pool.needs,
        )
    if pool.rating_below is not None and (rating is None or rating >= pool.rating_below):
        shown = "an unrated player" if rating is None else f"a rating of {rating:g}"
        raise PrizeRefused(
            "rating",
            f"side pool {pool.key} is for ratings under {pool.rating_below:g}, not for {shown}",
            pool=pool.key,
            limit=pool.rating_below,
            rating=rating,
        )
