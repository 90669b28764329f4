"""Settle accounts, send receipts, and close and reopen the cash box."""

from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.core.prizes.settlement import ItemKind
from tournaments.events.services.events import OvertakenRefused, require_as_seen
from tournaments.log.cash_box import require_open_box
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import lock_event, note
from tournaments.models import (
    AuctionLot,
    CashClosing,
    EntrantRow,
    Event,
    FeePayment,
    Flight,
    LotEntrant,
    LotPrize,
    PaidHow,
    Prize,
)
from tournaments.money.entry_fees import FEES_PAID, pay_rest
from tournaments.settlement.queries import AccountLine, Settlement, receipt_rows, settlement_of

HOW = {PaidHow.CASH: FeePayment.CASH, PaidHow.TRANSFER: FeePayment.TRANSFER}
LOTS = frozenset({ItemKind.LOT, ItemKind.BUY_BACK, ItemKind.PAYOUT})
FEES = frozenset({ItemKind.REGISTRATION, ItemKind.ENTRY, ItemKind.POOL})


def settle(
    *, event: Event, account: str, how: PaidHow, user: User | None, seen: int | None = None
) -> AccountLine:
    """Record everything open of an account as paid: fees, lots, refunds and prizes, net in one go.

    Repeating it changes nothing. Raises DeskRefused for another way than cash or transfer, for an unknown
    account and a closed cash box; OvertakenRefused if the net amount differs from ``seen``.
    """
    with transaction.atomic():
        line = _line(_locked(event, how), account)
        if line.account.settled:
            return line
        require_as_seen(None if seen is None else {"net": seen}, {"net": line.account.net})
        _settle_line(event, line, how, user)
        return _line(settlement_of(event), account)


def pay_out_all(*, event: Event, how: PaidHow, user: User | None, seen: int | None = None) -> int:
    """Settle every open account that owes nothing net; returns how many.

    Accounts that owe stay open. Raises DeskRefused for another way than cash or transfer and a closed cash
    box; OvertakenRefused if what is to be paid out differs from ``seen``.
    """
    with transaction.atomic():
        found = _locked(event, how)
        require_as_seen(None if seen is None else {"net": seen}, {"net": found.to_pay_out})
        for line in found.payable:
            _settle_line(event, line, how, user)
        return len(found.payable)


def _locked(event: Event, how: PaidHow) -> Settlement:
    """The settlement, with flights, entrants and the event locked, in the order of locks."""
    if how not in HOW:
        raise DeskRefused(_("An account is settled in cash or by transfer."), code="how")
    list(Flight.objects.select_for_update(no_key=True).filter(event=event).order_by("pk"))
    entrants = EntrantRow.objects.select_for_update(of=("self",), no_key=True)
    list(entrants.filter(flight__event=event).order_by("pk"))
    require_open_box(event)
    return settlement_of(event)


def _settle_line(event: Event, line: AccountLine, how: PaidHow, user: User | None) -> None:
    """Record everything open of an account as paid."""
    opened = [item for item in line.account.items if not item.how]
    fees = {item.ref for item in opened if item.kind in FEES}
    refunds = {item.ref for item in opened if item.kind is ItemKind.REFUND}
    prizes = {item.ref for item in opened if item.kind is ItemKind.PRIZE}
    lots = {item.ref for item in opened if item.kind in LOTS}
    rows = list(EntrantRow.objects.filter(ref__in=fees))
    for row in rows:
        if row.payment == FeePayment.OPEN:
            row.refunded_at = None
        pay_rest(row, HOW[how])
    EntrantRow.objects.bulk_update(rows, [*FEES_PAID, "refunded_at"])
    AuctionLot.objects.filter(ref__in=lots).update(payment=HOW[how])
    LotEntrant.objects.filter(ref__in=lots).update(payment=HOW[how])
    LotPrize.objects.filter(ref__in=lots).update(paid_at=now(), paid_how=how, paid_by=user)
    EntrantRow.objects.filter(ref__in=refunds).update(refunded_at=now(), refunded_how=HOW[how])
    Prize.objects.filter(ref__in=prizes).update(paid_at=now(), paid_how=how, paid_by=user)
    note(
        event=event,
        kind="settled",
        user=user,
        entrant=line.ref,
        how=how.value,
        net=line.account.net,
        currency=event.club.currency,
        fees=sorted(fees),
        refunds=sorted(refunds),
        prizes=sorted(prizes),
        lots=sorted(lots),
    )


def send_receipt(*, event: Event, account: str, user: User | None) -> int:
    """Email an account's receipt to its players; returns how many were sent.

    Raises DeskRefused for an unknown account, and if none of its players has an account.
    """
    with transaction.atomic():
        lock_event(event)
        found = settlement_of(event)
        line = _line(found, account)
        emails = User.objects.filter(pk__in=line.users).order_by("pk").values_list("email", flat=True)
        addresses = [email for email in emails if email]
        if not addresses:
            raise DeskRefused(
                _("%(name)s has no account, so there is no email address. Print the receipt.")
                % {"name": line.title},
                code="no_address",
            )
        context = {"event": event, "club": event.club, "line": line}
        context["rows"] = receipt_rows(found, line)
        text = render_to_string("tournaments/settlement/mail/receipt.txt", context)
        subject = _("Receipt: %(event)s") % {"event": event.name}
        for address in addresses:
            send_mail(subject=subject, message=text, from_email=None, recipient_list=[address])
        note(event=event, kind="receipt_sent", user=user, entrant=line.ref)
        return len(addresses)


def close_cash_box(
    *,
    event: Event,
    counted: int,
    starting: int = 0,
    anyway: bool = False,
    user: User | None,
    seen: int | None = None,
) -> CashClosing:
    """Close the cash box with what was counted, in minor units.

    Afterwards fees and prizes are neither paid nor refunded. ``starting`` is the change put in at the start.
    Raises DeskRefused if it is closed, or while something is unsettled unless ``anyway``; OvertakenRefused if
    the cash received less paid out differs from ``seen``.
    """
    with transaction.atomic():
        require_open_box(event)
        found = settlement_of(event)
        require_as_seen(None if seen is None else {"cash": seen}, {"cash": found.cash})
        if found.reasons and not anyway:
            raise DeskRefused(
                _("%(reasons)s Settle this first, or close with open accounts.")
                % {"reasons": " ".join(found.reasons)},
                code="unsettled",
            )
        closing = CashClosing.objects.create(
            event=event,
            starting=starting,
            expected=starting + found.cash,
            counted=counted,
            unsettled=len(found.open),
            closed_by=user,
        )
        note(
            event=event,
            kind="cash_box_closed",
            user=user,
            closing=closing.ref,
            expected=closing.expected,
            counted=counted,
            unsettled=closing.unsettled,
            currency=event.club.currency,
        )
        return closing


def reopen_cash_box(*, event: Event, user: User | None) -> CashClosing:
    """Reopen the cash box. Raises OvertakenRefused if it is open."""
    with transaction.atomic():
        lock_event(event)
        closing = CashClosing.objects.filter(event=event, reopened_at=None).first()
        if closing is None:
            raise OvertakenRefused(_("The cash box is open. Reload the page and try again."), closed=False)
        closing.reopened_at, closing.reopened_by = now(), user
        closing.save(update_fields=["reopened_at", "reopened_by"])
        note(event=event, kind="cash_box_reopened", user=user, closing=closing.ref)
        return closing


def _line(found: Settlement, ref: str) -> AccountLine:
    line = found.line(ref)
    if line is None:
        raise DeskRefused(_("There is no account %(ref)s in this event.") % {"ref": ref}, code="no_account")
    return line
