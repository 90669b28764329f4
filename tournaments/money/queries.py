"""Balance sheet and planned prizes of a flight."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from scoring.codec import from_plain
from tournaments.core.brackets.bracket import MAIN
from tournaments.core.prizes.balance import Balance, Paid, PrizeLine, balance
from tournaments.core.prizes.money import divide
from tournaments.core.prizes.payouts import PERCENTAGES, paid_places
from tournaments.core.prizes.pools import Fees, SidePool, split_pool
from tournaments.models import EntrantRow, Flight, Prize, StageEntrant


def side_pools_of(flight: Flight) -> tuple[SidePool, ...]:
    """The side pools of a flight. Raises InvalidValue for invalid stored data."""
    found: tuple[SidePool, ...] = from_plain(tuple[SidePool, ...], list(flight.pools), "pools")
    return found


def balance_of(flight: Flight) -> Balance:
    """The balance of a flight (two queries)."""
    drawn = Exists(StageEntrant.objects.filter(entrant=OuterRef("pk")))
    entrants = EntrantRow.objects.filter(flight=flight).annotate(drawn=drawn)
    entries = [
        Paid(how, refunded is not None, bool(was_drawn), tuple(pools), outstanding)
        for how, refunded, was_drawn, pools, outstanding in entrants.values_list(
            "payment", "refunded_at", "drawn", "pools", "outstanding"
        )
    ]
    prizes = [
        PrizeLine(amount, source, (how or "other") if paid_at else "")
        for amount, source, how, paid_at in Prize.objects.filter(flight=flight).values_list(
            "amount", "source", "paid_how", "paid_at"
        )
    ]
    fees = Fees(flight.registration_fee, flight.entry_fee, flight.returned)
    return balance(fees, entries, added=flight.added, side_pools=side_pools_of(flight), prizes=prizes)


@dataclass(frozen=True, slots=True)
class PlannedPrizes:
    """Planned payout of a pool, in minor units: by place if known, else the total.

    ``key`` is "main" or the name of a table with a share of its own.
    """

    key: str
    amount: int
    places: tuple[int, ...] = ()


def planned_prizes(flight: Flight, pool: int, entrants: int) -> list[PlannedPrizes]:
    """Planned prizes of a pool, without shared places (no query).

    Only the main table is paid by place: the size of the others is not known before their draw.
    """
    if pool <= 0 or entrants < 1:
        return []
    shares = {name: share for name, share in flight.shares.items() if name != MAIN}
    parts = split_pool(pool, {MAIN: 100 - sum(shares.values()), **shares})
    table = (tuple(flight.percentages) or PERCENTAGES[paid_places(entrants)])[:entrants]
    main = PlannedPrizes(MAIN, parts[MAIN], tuple(divide(parts[MAIN], table)))
    others = [PlannedPrizes(name, parts[name]) for name in shares]
    return [each for each in (main, *others) if each.amount]
