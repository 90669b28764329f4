"""Split of a flight's prize pool over its tables.

It can change until a prize is paid.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.events.plans import share_faults
from tournaments.events.services.events import flight_plan, require_as_seen
from tournaments.log.cash_box import require_open_box
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import Flight, Prize


def set_shares(
    *,
    flight: Flight,
    shares: Sequence[tuple[str, int]],
    user: User | None,
    seen: Mapping[str, int] | None = None,
) -> Flight:
    """Set the prize pool split: pairs of table and percentage.

    Tables are from ``tournaments.events.plans.prize_tables``; percentages add up to 100. Empty: all to the
    main pool. Approved prizes are removed. Raises DeskRefused for an unknown table, another sum, and after a
    prize was paid; OvertakenRefused if the shares differ from ``seen``.
    """
    with transaction.atomic():
        locked = Flight.objects.select_for_update(of=("self",), no_key=True).select_related("event__club")
        flight = locked.get(pk=flight.pk)
        require_as_seen(None if seen is None else {"shares": dict(seen)}, {"shares": flight.shares})
        for code, message in share_faults(shares, flight_plan(flight).stages):
            raise DeskRefused(message, code=code)
        # Prizes only change under the event's lock.
        require_open_box(flight.event)
        prizes = Prize.objects.filter(flight=flight)
        if prizes.exclude(paid_at=None).exists():
            raise DeskRefused(_("A prize has already been paid. Settle the difference by hand."), code="paid")
        flight.shares = dict(shares)
        flight.save(update_fields=["shares"])
        prizes.delete()
        note(event=flight.event, kind="shares", user=user, flight=flight.ref, shares=flight.shares)
    return flight
