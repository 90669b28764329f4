"""Enter the winner of a satellite in the event that it is for."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.core.prizes.satellites import ENTRY
from tournaments.entries.services.entries import enter
from tournaments.entries.services.fees import record_payment
from tournaments.log.refusals import DeskRefused
from tournaments.models import EntrantRow, FeePayment, PaidHow, Prize
from tournaments.money.services.awards import entry_price
from tournaments.money.services.prizes import pay_prize


def enter_winner(*, prize: Prize, user: User | None) -> Prize:
    """Enter the winner of an entry, with fees paid by transfer out of the satellite's pool.

    An entry that is there with unpaid fees is paid; repeating it changes nothing. Raises DeskRefused for a
    prize in cash, if the fees changed since the prizes were approved, and if the winner has paid already;
    DeskRefused and PrizeRefused as ``enter``.
    """
    target = prize.flight.satellite_for
    if prize.source != ENTRY or target is None:
        raise DeskRefused(_("This prize is not an entry. Pay it out instead."), code="no_entry")
    with transaction.atomic():
        if Prize.objects.filter(pk=prize.pk).exclude(paid_at=None).exists():
            return prize
        if prize.amount != entry_price(target):
            raise DeskRefused(
                _("The fees of that event have changed. Recalculate the prizes."), code="fees_changed"
            )
        players = EntrantRow.objects.with_players().get(pk=prize.entrant_id).players
        pks = {player.pk for player in players}
        rows = EntrantRow.objects.filter(flight=target, members__player__in=pks, members__active=True)
        known = next((row for row in rows.with_players() if {each.pk for each in row.players} == pks), None)
        if known is None:
            enter(flight=target, players=players, user=user, payment=FeePayment.TRANSFER)
        elif known.payment == FeePayment.OPEN:
            record_payment(entrant=known, user=user, payment=FeePayment.TRANSFER)
        else:
            raise DeskRefused(
                _("%(name)s has paid for that event already. Pay this prize out instead.")
                % {"name": known.title},
                code="paid_already",
            )
        return pay_prize(prize=prize, how=PaidHow.TRANSFER, user=user)
