"""Balance sheet and planned prizes of a flight."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from clubs.models import Club
from tournaments.core.brackets.bracket import MAIN
from tournaments.core.prizes.balance import Balance, Paid, PrizeLine, balance
from tournaments.core.prizes.money import divide
from tournaments.core.prizes.payouts import PERCENTAGES, paid_places
from tournaments.core.prizes.pools import Fees, split_pool
from tournaments.events.eligibility import pools_of
from tournaments.log.refusals import DeskRefused
from tournaments.models import EntrantRow, EventStatus, Flight, Prize, StageEntrant

MOST_TARGETS = 50


def way_paid(how: str, paid_at: datetime | None) -> str:
    """How a prize or payout was paid; empty until it is, "other" where the way was not recorded."""
    return (how or "other") if paid_at else ""


def balance_of(flight: Flight) -> Balance:
    """The balance of a flight (two queries)."""
    drawn = Exists(StageEntrant.objects.filter(entrant=OuterRef("pk")))
    entrants = EntrantRow.objects.filter(flight=flight).annotate(drawn=drawn)
    entries = [
        Paid(how, refunded is not None, bool(was_drawn), tuple(pools), *parts)
        for how, refunded, was_drawn, pools, *parts in entrants.values_list(
            *("payment", "refunded_at", "drawn", "pools", "outstanding", "other_way", "refunded_how")
        )
    ]
    prizes = [
        PrizeLine(amount, source, way_paid(how, paid_at))
        for amount, source, how, paid_at in Prize.objects.filter(flight=flight).values_list(
            "amount", "source", "paid_how", "paid_at"
        )
    ]
    return balanced(flight, entries, prizes)


def balanced(flight: Flight, entries: Sequence[Paid], prizes: Sequence[PrizeLine]) -> Balance:
    """The balance of a flight whose entries and prizes are loaded (no query)."""
    fees = Fees(flight.registration_fee, flight.entry_fee, flight.returned)
    return balance(fees, entries, added=flight.added, side_pools=pools_of(flight.pools), prizes=prizes)


@dataclass(frozen=True, slots=True)
class PlannedPrizes:
    """Planned payout of a pool, in minor units: by place if known, else the total.

    ``key`` is "main" or the name of a table with a share of its own.
    """

    key: str
    amount: int
    places: tuple[int, ...] = ()


def satellite_targets(club: Club) -> list[Flight]:
    """Flights of the club's coming and running events that an entry can be won to (one query)."""
    events = [EventStatus.ANNOUNCED, EventStatus.RUNNING]
    rows = Flight.objects.filter(event__club=club, event__status__in=events, satellite_for=None)
    rows = rows.exclude(registration_fee=0, entry_fee=0).select_related("event")
    return list(rows.order_by("event__starts_at", "position")[:MOST_TARGETS])


def satellite_target(flight: Flight, ref: str) -> Flight:
    """The flight of the club with this ref. Raises DeskRefused if there is none."""
    found = Flight.objects.filter(ref=ref, event__club=flight.event.club_id).select_related("event").first()
    if found is None:
        raise DeskRefused(
            _("There is no division %(ref)s in the club.") % {"ref": ref}, code="satellite_target"
        )
    return found


def planned_prizes(flight: Flight, pool: int, entrants: int) -> list[PlannedPrizes]:
    """Planned prizes of a pool, without shared places (no query).

    Only the main table is paid by place: the size of the others is not known before their draw.
    """
    if pool <= 0 or entrants < 1:
        return []
    shares = {name: share for name, share in flight.shares.items() if name != MAIN}
    parts = split_pool(pool, {MAIN: 100 - sum(shares.values()), **shares})
    table = (tuple(flight.percentages) or PERCENTAGES[paid_places(entrants)])[:entrants]
    by_place = () if flight.satellite_for_id is not None else tuple(divide(parts[MAIN], table))
    main = PlannedPrizes(MAIN, parts[MAIN], by_place)
    others = [PlannedPrizes(name, parts[name]) for name in shares]
    return [each for each in (main, *others) if each.amount]
