"""Handing prizes out: recorded as paid, and not paid after all; deals that players make among themselves.

Whoever writes prizes, pays them or takes them back holds the event first (``services.payouts`` does, too):
nobody pays a prize that is being computed anew, and no two wait for each other.
"""

from collections.abc import Mapping

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.core.prizes.payouts import Award, record_deal
from tournaments.events.services.events import DeskRefusedError, OvertakenError, require_as_seen
from tournaments.log.services import lock_event, note
from tournaments.models import Entrant, Flight, PaidHow, Prize
from tournaments.transfer.services.event_authors import forget_authors

MAIN = "main"


def pay_prize(*, prize: Prize, how: PaidHow, user: User | None, seen: int | None = None) -> Prize:
    """Note that a prize was handed over; saying it twice changes nothing.

    Raises DeskRefusedError when it was noted in another way before, OvertakenError when the prizes were
    computed anew since or a deal made this one another than the amount that was ``seen``.
    """
    with transaction.atomic():
        locked = _locked(prize)
        if locked.paid_at is not None:
            if locked.paid_how not in {"", how}:
                raise DeskRefusedError(
                    _("This prize was paid before: %(how)s.") % {"how": locked.get_paid_how_display()},
                    code="paid",
                )
            return locked
        require_as_seen(None if seen is None else {"amount": seen}, {"amount": locked.amount})
        locked.paid_at, locked.paid_how, locked.paid_by = now(), how, user
        locked.save(update_fields=["paid_at", "paid_how", "paid_by"])
        _note(locked, "prize_paid", user, how=how.value)
        return locked


def unpay_prize(*, prize: Prize, user: User | None) -> Prize:
    """Take a note of payment back; saying it twice changes nothing. Raises OvertakenError as above."""
    with transaction.atomic():
        locked = _locked(prize)
        if locked.paid_at is None:
            return locked
        locked.paid_at, locked.paid_how, locked.paid_by = None, "", None
        locked.save(update_fields=["paid_at", "paid_how", "paid_by"])
        forget_authors([locked.pk], of=Prize)
        _note(locked, "prize_unpaid", user)
        return locked


def make_deal(
    *,
    flight: Flight,
    amounts: Mapping[str, int],
    user: User | None,
    seen: Mapping[str, int] | None = None,
) -> list[Prize]:
    """Replace the main prizes of these entrants (by ref) by what they have agreed on; the sum is unchanged.

    Raises PrizeRefused for another sum or a negative amount, DeskRefusedError for an entrant without a prize,
    for less than two of them, and once one of their prizes is paid; OvertakenError where what they had (by
    ref) is not as it was ``seen``.
    """
    with transaction.atomic():
        flight = (
            Flight.objects.select_for_update(of=("self",), no_key=True)
            .select_related("event__club")
            .get(pk=flight.pk)
        )
        lock_event(flight.event)
        rows = Prize.objects.filter(flight=flight, source=MAIN).order_by("pk")
        prizes = {prize.entrant_id: prize for prize in rows}
        entrants = {each.ref: each for each in Entrant.objects.filter(flight=flight, ref__in=list(amounts))}
        _require_deal(prizes, entrants, amounts)
        known = {ref: amount for ref, amount in (seen or {}).items() if ref in amounts}
        stands = {ref: prizes[entrants[ref].pk].amount for ref in known}
        require_as_seen({"amounts": known}, {"amounts": stands})
        before = [Award(pk, prize.amount, MAIN) for pk, prize in prizes.items()]
        deal = {entrants[ref].pk: amount for ref, amount in amounts.items()}
        record_deal(before, deal, source=MAIN)
        for ref, amount in amounts.items():
            prize = prizes[entrants[ref].pk]
            prize.amount, prize.agreed = amount, True
            prize.save(update_fields=["amount", "agreed"])
        note(event=flight.event, kind="deal", user=user, flight=flight.ref, amounts=dict(amounts))
        return [prizes[pk] for pk in deal]


def _require_deal(
    prizes: Mapping[int, Prize], entrants: Mapping[str, Entrant], amounts: Mapping[str, int]
) -> None:
    if len(amounts) < 2:
        raise DeskRefusedError(_("A deal is between at least two entrants."), code="deal_alone")
    for ref in amounts:
        if ref not in entrants or entrants[ref].pk not in prizes:
            raise DeskRefusedError(
                _("%(ref)s has no prize that a deal could change.") % {"ref": ref}, code="deal_without_prize"
            )
        if prizes[entrants[ref].pk].paid_at is not None:
            raise DeskRefusedError(
                _("A prize of this deal has been paid already: take that back first."), code="paid"
            )


def _locked(prize: Prize) -> Prize:
    lock_event(prize.flight.event)
    found = Prize.objects.filter(pk=prize.pk).select_related("flight__event__club", "entrant").first()
    if found is None:
        raise OvertakenError(
            _("The prizes were computed anew since: look at what this entrant gets now."), prize=prize.ref
        )
    return found


def _note(prize: Prize, kind: str, user: User | None, *, how: str = "") -> None:
    note(event=prize.flight.event, kind=kind, user=user, prize=prize.ref, entrant=prize.entrant.ref, how=how)
