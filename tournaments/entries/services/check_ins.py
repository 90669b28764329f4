"""Check in entrants, at the desk or with the check-in code, and log it."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Player, User
from clubs.refs import new_ref
from tournaments.entries.services.entries import lock_flight
from tournaments.events.services.events import OvertakenRefused, require_not_over
from tournaments.log.cash_box import require_open_box
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import DeskEvent, EntrantRow, EntrantState, Event, FeePayment, Flight, StageRow
from tournaments.money.entry_fees import FEES_PAID, pay_fees

CHECKED_IN = ("state", *FEES_PAID)
"""What a check-in changes, and its undo restores."""


def check_in(
    *,
    entrant: EntrantRow,
    present: bool = True,
    user: User | None = None,
    seen: str | None = None,
    payment: FeePayment | None = None,
) -> DeskEvent:
    """Check an entrant in or out, and record the payment.

    ``seen`` is the entrant's state on the director's page. Raises OvertakenRefused if it has changed,
    DeskRefused without a place or when the event is over.
    """
    with transaction.atomic():
        flight = lock_flight(entrant.flight)
        require_not_over(flight.event)
        row = EntrantRow.objects.select_for_update(no_key=True).get(pk=entrant.pk)
        if seen is not None and seen != row.state:
            raise OvertakenRefused(
                _("Someone else changed this entrant. The status is now: %(state)s.")
                % {"state": row.get_state_display()},
                entrant=row.ref,
                state=row.state,
            )
        if row.state not in {EntrantState.REGISTERED, EntrantState.PRESENT}:
            raise DeskRefused(
                _("Only registered entrants can check in. The status is: %(state)s.")
                % {"state": row.get_state_display()},
                code="no_place",
            )
        before = {name: getattr(row, name) for name in CHECKED_IN}
        row.state = EntrantState.PRESENT if present else EntrantState.REGISTERED
        if payment is not None:
            pay_fees(row, payment)
        if row.payment not in {FeePayment.CASH, FeePayment.TRANSFER}:
            row.refunded_at = None
        row.save(update_fields=[*CHECKED_IN, "refunded_at"])
        after = {name: getattr(row, name) for name in CHECKED_IN}
        if any(after[name] != before[name] for name in FEES_PAID):
            require_open_box(flight.event)
        return note(
            event=flight.event, kind="check_in", user=user, entrant=row.ref, before=before, after=after
        )


def check_in_all(*, event: Event, user: User | None) -> DeskEvent:
    """Check in every entrant with a place in the flights that are not drawn, as one entry of the log.

    Raises DeskRefused when the event is over, and when nobody is left to check in.
    """
    with transaction.atomic():
        flights = Flight.objects.filter(event=event).order_by("pk")
        held = list(flights.select_for_update(no_key=True).values_list("pk", flat=True))
        require_not_over(Event.objects.select_related("club").get(pk=event.pk))
        undrawn = set(held) - set(
            StageRow.objects.filter(flight__in=held, drawn_at__isnull=False).values_list("flight", flat=True)
        )
        rows = EntrantRow.objects.filter(flight__in=undrawn, state=EntrantState.REGISTERED)
        refs = list(rows.select_for_update(no_key=True).order_by("pk").values_list("ref", flat=True))
        if not refs:
            raise DeskRefused(_("Everyone has been checked in."), code="nobody_left")
        EntrantRow.objects.filter(ref__in=refs).update(state=EntrantState.PRESENT)
        return note(event=event, kind="checked_in_all", user=user, entrants=refs)


def check_in_players(*, event: Event, player: Player) -> list[EntrantRow]:
    """Check a player in at the venue, with all their entries that have a place.

    Repeating it changes nothing. Raises DeskRefused without a place.
    """
    own = EntrantRow.objects.filter(
        flight__event=event, members__player=player, members__active=True, members__accepted=True
    )
    entrants = list(own.entered().select_related("flight").order_by("flight__position", "pk"))
    if not entrants:
        raise DeskRefused(_("You are not entered in this event. Ask at the desk."), code="no_place")
    with transaction.atomic():
        # Lock all before writing the log, in the common order. A second tap waits here and finds it done.
        flights = Flight.objects.filter(pk__in=[entrant.flight_id for entrant in entrants]).order_by("pk")
        list(flights.select_for_update(no_key=True).values_list("pk"))
        rows = EntrantRow.objects.filter(pk__in=[entrant.pk for entrant in entrants]).order_by("pk")
        states = dict(rows.select_for_update(no_key=True).values_list("pk", "state"))
        for entrant in entrants:
            if states[entrant.pk] != EntrantState.PRESENT:
                check_in(entrant=entrant, present=True, user=player.user)
            entrant.state = EntrantState.PRESENT
    return entrants


def open_door(*, event: Event) -> str:
    """The secret of the check-in code, created on first use.

    Empty for an event on another computer that has none.
    """
    with transaction.atomic():
        locked = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        if not locked.door and locked.moved_at is None:
            locked.door = new_ref()
            locked.save(update_fields=["door"])
    return locked.door
