"""Calculate, approve and pay prizes, and record deals between players.

Every change of prizes locks the event first, so no prize is paid while it is recalculated.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.core.prizes.payouts import Award, record_deal
from tournaments.core.stages.stage import Stage
from tournaments.events.services.events import OvertakenRefused, require_as_seen
from tournaments.log.cash_box import box_is_closed, require_open_box
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import lock_event, note
from tournaments.models import EntrantRow, Flight, LotPrize, PaidHow, Prize, StageRow, StageStatus
from tournaments.money.services.awards import Purse
from tournaments.stages.services.locks import lock_stage
from tournaments.words.prizes import in_prize_words

MAIN = "main"


def approve_prizes(
    *, flight: Flight, user: User | None = None, seen: Mapping[str, int] | None = None
) -> Sequence[Prize]:
    """Approve the prizes of a finished flight; they add up to the pool exactly.

    Approving again recalculates them, until a prize is paid. Raises DeskRefused before every stage with paid
    places is finished, and after a prize was paid; OvertakenRefused if the approved amounts (by the prize's
    ref) differ from ``seen``.
    """
    with transaction.atomic():
        flight = (
            Flight.objects.select_for_update(of=("self",), no_key=True)
            .select_related("event__club")
            .get(pk=flight.pk)
        )
        stages = [lock_stage(stage) for stage in Purse.of(flight).deciding]
        if not stages or any(stage.status != StageStatus.FINISHED for stage in stages):
            raise DeskRefused(_("The last match is not finished, so there are no prizes yet."), code="open")
        require_open_box(flight.event)
        if Prize.objects.filter(flight=flight).exclude(paid_at=None).exists():
            raise DeskRefused(_("A prize has already been paid. Settle the difference by hand."), code="paid")
        known = None if seen is None else {"prizes": dict(seen)}
        require_as_seen(
            known, {"prizes": dict(Prize.objects.filter(flight=flight).values_list("ref", "amount"))}
        )
        Prize.objects.filter(flight=flight).delete()
        with in_prize_words(flight.event.club.currency):
            awards = Purse.of(flight).awards()
        prizes = Prize.objects.bulk_create(
            Prize(flight=flight, entrant_id=award.entrant, source=award.source, amount=award.amount)
            for award in awards
        )
        note(
            event=flight.event,
            kind="prizes_approved",
            user=user,
            flight=flight.ref,
            prizes=len(prizes),
            total=sum(prize.amount for prize in prizes),
        )
        return prizes


def remove_outdated_prizes(stage: StageRow, before: Stage, after: Stage) -> None:
    """Remove approved prizes and auction payouts when a change of the stage changes them.

    Nothing is removed after a prize was paid or the cash box closed: the desk settles the difference. Only
    stages with paid places matter. The caller holds the stage.
    """
    prizes = Prize.objects.filter(flight=stage.flight)
    payouts = LotPrize.objects.filter(lot__auction__flight=stage.flight)
    if not prizes.exists() and not payouts.exists():
        return
    lock_event(stage.flight.event)
    if box_is_closed(stage.flight.event):
        return
    purse = Purse.of(stage.flight)
    if stage not in purse.deciding:
        return
    old, new = {stage.pk: before}, {stage.pk: after}
    if not prizes.exclude(paid_at=None).exists() and purse.amounts(old) != purse.amounts(new):
        prizes.delete()
    if not payouts.exclude(paid_at=None).exists() and purse.main_places(old) != purse.main_places(new):
        payouts.delete()


def pay_prize(*, prize: Prize, how: PaidHow, user: User | None, seen: int | None = None) -> Prize:
    """Record a prize as paid; repeating it changes nothing.

    Raises DeskRefused if it was paid in another way, OvertakenRefused if the prizes were recalculated or the
    amount differs from ``seen``.
    """
    with transaction.atomic():
        locked = _locked(prize)
        if locked.paid_at is not None:
            if locked.paid_how not in {"", how}:
                raise DeskRefused(
                    _("This prize has already been paid: %(how)s.") % {"how": locked.get_paid_how_display()},
                    code="paid",
                )
            return locked
        require_as_seen(None if seen is None else {"amount": seen}, {"amount": locked.amount})
        locked.paid_at, locked.paid_how, locked.paid_by = now(), how, user
        locked.save(update_fields=["paid_at", "paid_how", "paid_by"])
        _note(locked, "prize_paid", user, how=how.value)
        return locked


def unpay_prize(*, prize: Prize, user: User | None) -> Prize:
    """Undo the payment of a prize; repeating it changes nothing.

    Raises OvertakenRefused as above.
    """
    with transaction.atomic():
        locked = _locked(prize)
        if locked.paid_at is None:
            return locked
        locked.paid_at, locked.paid_how, locked.paid_by = None, "", None
        locked.save(update_fields=["paid_at", "paid_how", "paid_by"])
        _note(locked, "prize_unpaid", user)
        return locked


def make_deal(
    *,
    flight: Flight,
    amounts: Mapping[str, int],
    user: User | None,
    seen: Mapping[str, int] | None = None,
) -> list[Prize]:
    """Replace the main prizes of these entrants (by ref) by a deal.

    The sum stays the same.

    Raises PrizeRefused for another sum or a negative amount, DeskRefused for an entrant without a prize,
    fewer than two entrants, and after one of their prizes was paid; OvertakenRefused if their prizes (by
    ref) differ from ``seen``.
    """
    with transaction.atomic():
        flight = (
            Flight.objects.select_for_update(of=("self",), no_key=True)
            .select_related("event__club")
            .get(pk=flight.pk)
        )
        require_open_box(flight.event)
        rows = Prize.objects.filter(flight=flight, source=MAIN).order_by("pk")
        prizes = {prize.entrant_id: prize for prize in rows}
        entrants = {
            each.ref: each for each in EntrantRow.objects.filter(flight=flight, ref__in=list(amounts))
        }
        _require_deal(prizes, entrants, amounts)
        known = {ref: amount for ref, amount in (seen or {}).items() if ref in amounts}
        stands = {ref: prizes[entrants[ref].pk].amount for ref in known}
        require_as_seen({"amounts": known}, {"amounts": stands})
        before = [Award(pk, prize.amount, MAIN) for pk, prize in prizes.items()]
        deal = {entrants[ref].pk: amount for ref, amount in amounts.items()}
        with in_prize_words(flight.event.club.currency):
            record_deal(before, deal, source=MAIN)
        for ref, amount in amounts.items():
            prize = prizes[entrants[ref].pk]
            prize.amount, prize.agreed = amount, True
            prize.save(update_fields=["amount", "agreed"])
        note(event=flight.event, kind="deal", user=user, flight=flight.ref, amounts=dict(amounts))
        return [prizes[pk] for pk in deal]


def _require_deal(
    prizes: Mapping[int, Prize], entrants: Mapping[str, EntrantRow], amounts: Mapping[str, int]
) -> None:
    if len(amounts) < 2:
        raise DeskRefused(_("A deal needs at least two entrants."), code="deal_alone")
    for ref in amounts:
        if ref not in entrants or entrants[ref].pk not in prizes:
            raise DeskRefused(
                _("%(ref)s has no prize to include in a deal.") % {"ref": ref}, code="deal_without_prize"
            )
        if prizes[entrants[ref].pk].paid_at is not None:
            raise DeskRefused(
                _("A prize in this deal has already been paid. Undo the payment first."), code="paid"
            )


def _locked(prize: Prize) -> Prize:
    require_open_box(prize.flight.event)
    found = Prize.objects.filter(pk=prize.pk).select_related("flight__event__club", "entrant").first()
    if found is None:
        raise OvertakenRefused(
            _("The prizes have been recalculated. Reload the page and try again."), prize=prize.ref
        )
    return found


def _note(prize: Prize, kind: str, user: User | None, *, how: str = "") -> None:
    note(event=prize.flight.event, kind=kind, user=user, prize=prize.ref, entrant=prize.entrant.ref, how=how)
