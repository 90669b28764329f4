"""Payouts: percentage tables, shared places, side pools and deals.

The sum equals the pool.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tournaments.core.prizes.money import PrizeRefused, divide
from tournaments.core.prizes.pools import SidePool
from tournaments.core.standings.places import Place

PERCENTAGES: dict[int, tuple[int, ...]] = {
    1: (100,),
    2: (65, 35),
    3: (50, 30, 20),
    4: (40, 25, 25, 10),
    5: (40, 25, 15, 10, 10),
    6: (35, 22, 14, 14, 8, 7),
    8: (32, 20, 13, 13, 6, 6, 5, 5),
}
"""Common percentages by number of paid places; those for 4 are from docs/reference/tournaments.md, "Prizes".

Directors can use any percentages that add up to 100.
"""


def paid_places(entrants: int) -> int:
    """Default number of paid places: about one in eight entrants, 1 to 8."""
    return max(n for n in PERCENTAGES if n <= max(1, entrants // 8))


@dataclass(frozen=True, slots=True)
class Award:
    """Prize of one entrant, in minor units, and its source."""

    entrant: int
    amount: int
    source: str


def require_percentages(percentages: Sequence[int]) -> None:
    """Check a payout table.

    Raises:
        PrizeRefused: ``percentages`` that increase or do not add up to 100.
    """
    if (
        sum(percentages) != 100
        or any(p < 1 for p in percentages)
        or sorted(percentages, reverse=True) != [*percentages]
    ):
        raise PrizeRefused(
            "percentages", f"prize percentages {list(percentages)} must not increase and must add up to 100"
        )


def pay_places(
    pool: int, percentages: Sequence[int], places: Sequence[Place], *, source: str = "main", unit: int = 1
) -> tuple[Award, ...]:
    """Pay a pool by places.

    Entrants who share places share the prizes of those places equally.

    With fewer entrants than prizes, the unclaimed prizes are spread over the others in proportion. Rounding
    as in ``money.divide``.

    Raises:
        PrizeRefused: ``percentages`` that increase or do not add up to 100, or ``nobody_placed``.

    >>> tied = [Place(1, 1, 1), Place(2, 2, 2), Place(3, 3, 4), Place(4, 3, 4)]
    >>> [a.amount for a in pay_places(100_00, (40, 25, 25, 10), tied)]
    [4000, 2500, 1750, 1750]
    """
    require_percentages(percentages)
    paid = sorted((p for p in places if p.first <= len(percentages)), key=lambda p: (p.first, p.entrant))
    if not paid:
        raise PrizeRefused("nobody_placed", "no places are decided yet")
    taken = percentages[: max(p.last for p in paid)]
    prizes = divide(pool, taken, unit=unit)
    awards: list[Award] = []
    for first in sorted({p.first for p in paid}):
        sharing = [p for p in paid if p.first == first]
        together = sum(prizes[first - 1 : sharing[0].last])
        amounts = divide(together, [1] * len(sharing), unit=1)
        awards.extend(Award(p.entrant, amount, source) for p, amount in zip(sharing, amounts, strict=True))
    return tuple(award for award in awards if award.amount)


def pay_side_pool(
    pool: SidePool, members: Collection[int], stages: Sequence[Sequence[Place]]
) -> tuple[Award, ...]:
    """Pay a side pool to the member who finishes highest.

    ``stages`` are the rankings in order: main, consolation, last chance. The first ranking with a member
    within the top ``pool.within`` decides; if there is none, the first ranking with any member decides.
    Members who share the best place share the pool.

    Raises:
        PrizeRefused: ``nobody_placed`` when no ranking has a member.
    """
    if not members:
        return ()
    held = [among for places in stages if (among := [p for p in places if p.entrant in members])]
    if not held:
        raise PrizeRefused("nobody_placed", f"no member of side pool {pool.key} has a place", pool=pool.key)
    far = [among for among in held if pool.within is None or min(p.first for p in among) <= pool.within]
    deciding = (far or held)[0]
    best = min(p.first for p in deciding)
    furthest = sorted(p.entrant for p in deciding if p.first == best)
    amounts = divide(pool.amount(len(members)), [1] * len(furthest))
    return tuple(Award(n, part, pool.key) for n, part in zip(furthest, amounts, strict=True))


def record_deal(
    awards: Sequence[Award], deal: Mapping[int, int], *, source: str = "main"
) -> tuple[Award, ...]:
    """Replace the prizes of one source by the players' deal; the sum stays the same.

    Records only: whether deals are allowed is a rule of the event (docs/reference/tournaments.md, "Prizes";
    off by default).

    Raises:
        PrizeRefused: ``deal_sum``, or ``deal_negative``.
    """
    touched = [a for a in awards if a.source == source and a.entrant in deal]
    before, after = sum(a.amount for a in touched), sum(deal.values())
    if any(amount < 0 for amount in deal.values()):
        raise PrizeRefused("deal_negative", f"a deal cannot have negative amounts: {dict(deal)}")
    if before != after:
        message = f"the deal adds up to {after}, but the prizes it replaces add up to {before}"
        raise PrizeRefused("deal_sum", message, before=before, after=after)
    kept = [a for a in awards if a not in touched]
    return (*kept, *(Award(n, amount, source) for n, amount in sorted(deal.items()) if amount))


def total(awards: Sequence[Award]) -> int:
    return sum(award.amount for award in awards)
