"""Payment and refund of entry fees."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.entries.services.entries import lock_flight
from tournaments.events.services.events import require_as_seen
from tournaments.log.cash_box import require_open_box
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import (
    EntrantRow,
    FeePayment,
)


def record_payment(
    *,
    entrant: EntrantRow,
    user: User | None,
    payment: FeePayment | None = None,
    refunded: bool | None = None,
    seen: Mapping[str, Any] | None = None,
) -> None:
    """Record how the fees were paid, or that they were refunded or not.

    Works in every state of the entry; a payment is one of all its fees. Fees set to unpaid are no longer
    refunded. Raises DeskRefused for a refund of unpaid fees and while the cash box is closed,
    OvertakenRefused if ``payment`` or ``refunded`` differs from ``seen``.
    """
    with transaction.atomic():
        flight = lock_flight(entrant.flight)
        entrant = EntrantRow.objects.select_for_update(no_key=True).get(pk=entrant.pk)
        require_as_seen(seen, {"payment": entrant.payment, "refunded": entrant.refunded_at is not None})
        if payment is not None:
            entrant.payment, entrant.outstanding, entrant.other_way = payment, 0, 0
        if refunded and entrant.payment not in {FeePayment.CASH, FeePayment.TRANSFER}:
            raise DeskRefused(
                _("There is no payment to refund. The fees are %(payment)s.")
                % {"payment": entrant.get_payment_display()},
                code="nothing_paid",
            )
        if entrant.payment not in {FeePayment.CASH, FeePayment.TRANSFER}:
            entrant.refunded_at, entrant.refunded_how = None, ""
        elif refunded is not None:
            entrant.refunded_at = (entrant.refunded_at or now()) if refunded else None
            entrant.refunded_how = entrant.refunded_how if refunded else ""
        require_open_box(flight.event)
        entrant.save(update_fields=["payment", "refunded_at", "refunded_how", "outstanding", "other_way"])
        note(
            event=flight.event,
            kind="payment",
            user=user,
            entrant=entrant.ref,
            payment=entrant.payment,
            refunded=entrant.refunded_at is not None,
        )
