"""The money of a flight as its balance sheet shows it."""

from django.db.models import Exists, OuterRef

from tournaments.core.prizes.balance import Balance, Handed, Paid, balance
from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.core.stages.encoding import decode
from tournaments.models import EntrantRow, Flight, Prize, StageEntrant


def side_pools_of(flight: Flight) -> tuple[SidePool, ...]:
    """The side pools of a flight. Raises InvalidArchive for plain data that is none."""
    found: tuple[SidePool, ...] = decode(tuple[SidePool, ...], list(flight.pools), "pools")
    return found


def balance_of(flight: Flight) -> Balance:
    """Two queries, whatever the size of the field."""
    drawn = Exists(StageEntrant.objects.filter(entrant=OuterRef("pk")))
    entrants = EntrantRow.objects.filter(flight=flight).annotate(drawn=drawn)
    entries = [
        Paid(how, refunded is not None, bool(was_drawn), tuple(pools))
        for how, refunded, was_drawn, pools in entrants.values_list(
            "payment", "refunded_at", "drawn", "pools"
        )
    ]
    prizes = [
        Handed(amount, source, (how or "other") if paid_at else "")
        for amount, source, how, paid_at in Prize.objects.filter(flight=flight).values_list(
            "amount", "source", "paid_how", "paid_at"
        )
    ]
    fees = Fees(flight.registration_fee, flight.entry_fee, flight.returned)
    return balance(fees, entries, added=flight.added, side_pools=side_pools_of(flight), prizes=prizes)
