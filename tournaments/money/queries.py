"""Fees and prizes of an event, the balance sheet and planned prizes of a flight."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from clubs.models import Club
from tournaments.core.brackets.bracket import MAIN
from tournaments.core.prizes.balance import Balance, Paid, PrizeLine, balance
from tournaments.core.prizes.money import divide
from tournaments.core.prizes.payouts import PERCENTAGES, paid_places
from tournaments.core.prizes.pools import Fees, split_pool
from tournaments.events.eligibility import pools_of
from tournaments.events.queries.entrant_rows import every_entrant
from tournaments.log.refusals import DeskRefused
from tournaments.models import EntrantRow, Event, EventStatus, Flight, Prize
from tournaments.money.entry_fees import FeeState, fee_states, unpaid_among

MOST_TARGETS = 50


def way_paid(how: str, paid_at: datetime | None) -> str:
    """How a prize or payout was paid; empty until it is, "other" where the way was not recorded."""
    return (how or "other") if paid_at else ""


def entry_paid(entrant: EntrantRow) -> Paid:
    """How the fees of an entrant were paid. Load it ``with_draw()``."""
    return Paid(
        *(entrant.payment, entrant.refunded_at is not None, entrant.was_drawn, tuple(entrant.pools)),
        outstanding=entrant.outstanding,
        other_way=entrant.other_way,
        refunded_how=entrant.refunded_how,
    )


def balance_of(flight: Flight) -> Balance:
    """The balance of a flight (two queries)."""
    entrants = EntrantRow.objects.filter(flight=flight).with_draw()
    return balance_among(flight, entrants, Prize.objects.filter(flight=flight))


def balance_among(flight: Flight, entrants: Iterable[EntrantRow], prizes: Iterable[Prize]) -> Balance:
    """The balance of a flight whose entrants and prizes are loaded (no query)."""
    fees = Fees(flight.registration_fee, flight.entry_fee, flight.returned)
    told = [
        PrizeLine(prize.amount, prize.source, way_paid(prize.paid_how, prize.paid_at)) for prize in prizes
    ]
    return balance(
        fees,
        [entry_paid(entrant) for entrant in entrants],
        added=flight.added,
        side_pools=pools_of(flight.pools),
        prizes=told,
    )


@dataclass(frozen=True, slots=True)
class EventMoney:
    """Fees and prizes of an event, loaded once: flights by key, entrants ``with_draw()``.

    Prizes are in the order of their approval, each with its entrant.
    """

    flights: Mapping[int, Flight]
    entrants: Sequence[EntrantRow]
    prizes: Sequence[Prize]
    states: Mapping[int, FeeState]

    @classmethod
    def of(cls, event: Event, flights: Sequence[Flight]) -> "EventMoney":
        """The money of an event whose flights are loaded.

        Two queries, one more unless their stages are loaded.
        """
        entrants = every_entrant(event)
        by_key = {entrant.pk: entrant for entrant in entrants}
        prizes = list(Prize.objects.filter(flight__event=event).order_by("pk"))
        for prize in prizes:
            prize.entrant = by_key[prize.entrant_id]
        return cls({flight.pk: flight for flight in flights}, entrants, prizes, fee_states(event, flights))

    def entrants_of(self, flight: Flight) -> list[EntrantRow]:
        return [entrant for entrant in self.entrants if entrant.flight_id == flight.pk]

    def prizes_of(self, flight: Flight) -> list[Prize]:
        """The approved prizes of a flight, highest first."""
        found = [prize for prize in self.prizes if prize.flight_id == flight.pk]
        return sorted(found, key=lambda prize: (-prize.amount, prize.pk))

    def balance_of(self, flight: Flight) -> Balance:
        return balance_among(flight, self.entrants_of(flight), self.prizes_of(flight))

    def unpaid(self) -> dict[int, int]:
        """Unpaid fees by entrant's key, in all divisions together; only of those who owe any."""
        return unpaid_among(self.entrants, self.flights, self.states)


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
