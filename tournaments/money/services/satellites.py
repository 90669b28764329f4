"""Make a flight a satellite: its best win entries to another flight of the club."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.events.services.events import require_as_seen
from tournaments.log.cash_box import require_open_box
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import Flight, Prize
from tournaments.money.services.awards import entry_price


def set_satellite(
    *, flight: Flight, target: Flight | None, user: User | None, seen: str | None = None
) -> Flight:
    """Set the flight to which the best of this one win entries; None for cash prizes.

    Approved prizes are removed. Raises DeskRefused for a flight of another club, one without fees, one that
    is a satellite itself, the flight itself, and after a prize was paid; OvertakenRefused if the ref of the
    target ("" for none) differs from ``seen``.
    """
    with transaction.atomic():
        locked = Flight.objects.select_for_update(of=("self",), no_key=True)
        flight = locked.select_related("event__club", "satellite_for").get(pk=flight.pk)
        present = flight.satellite_for.ref if flight.satellite_for else ""
        require_as_seen(None if seen is None else {"target": seen}, {"target": present})
        if target is not None:
            _require_target(flight, target)
        require_open_box(flight.event)
        prizes = Prize.objects.filter(flight=flight)
        if prizes.exclude(paid_at=None).exists():
            raise DeskRefused(_("A prize has already been paid. Settle the difference by hand."), code="paid")
        flight.satellite_for = target
        flight.save(update_fields=["satellite_for"])
        prizes.delete()
        note(
            event=flight.event,
            kind="satellite",
            user=user,
            flight=flight.ref,
            target=target.ref if target else None,
        )
        return flight


def _require_target(flight: Flight, target: Flight) -> None:
    if target.event.club_id != flight.event.club_id or target.pk == flight.pk:
        raise DeskRefused(_("Choose a division of another event of the club."), code="satellite_target")
    if target.satellite_for_id is not None or flight.satellites.exists():
        raise DeskRefused(_("A satellite cannot lead to another satellite."), code="satellite_chain")
    if not entry_price(target):
        raise DeskRefused(_("Entry to that division is free, so it cannot be won."), code="satellite_free")
