"""Prizes: computed from the fees and the places, approved once, recorded as paid."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.core.stages.stage import Stage as StageValue
from tournaments.events.services.events import DeskRefusedError, require_as_seen
from tournaments.log.services import lock_event, note
from tournaments.models import Flight, Prize, Stage, StageStatus
from tournaments.money.services.awards import Purse
from tournaments.stages.services.stages import lock_stage


def approve_prizes(
    *, flight: Flight, user: User | None = None, seen: Mapping[str, int] | None = None
) -> Sequence[Prize]:
    """Write the prizes of a finished flight down: the sum is the pool, to the cent.

    Saying it again after a correction writes them anew while none is paid. Prizes are written, paid and taken
    back behind the event's lock alone. Raises DeskRefusedError before the end of every stage whose places are
    paid, and once a prize is recorded as paid; OvertakenError where the amounts that are written down (by the
    prize's ref) are not those that were ``seen``: somebody has approved them, or noted a deal.
    """
    with transaction.atomic():
        flight = (
            Flight.objects.select_for_update(of=("self",), no_key=True)
            .select_related("event__club")
            .get(pk=flight.pk)
        )
        stages = [lock_stage(stage) for stage in Purse.of(flight).deciding]
        if not stages or any(stage.status != StageStatus.FINISHED for stage in stages):
            raise DeskRefusedError(_("The last match is not over: nobody has won a prize yet."), code="open")
        lock_event(flight.event)
        if Prize.objects.filter(flight=flight).exclude(paid_at=None).exists():
            raise DeskRefusedError(
                _("A prize has been paid already: settle the difference by hand and note it."), code="paid"
            )
        known = None if seen is None else {"prizes": dict(seen)}
        require_as_seen(
            known, {"prizes": dict(Prize.objects.filter(flight=flight).values_list("ref", "amount"))}
        )
        Prize.objects.filter(flight=flight).delete()
        prizes = Prize.objects.bulk_create(
            Prize(flight=flight, entrant_id=award.entrant, source=award.source, amount=award.amount)
            for award in Purse.of(flight).awards()
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


def take_back_overtaken(stage: Stage, before: StageValue, after: StageValue) -> None:
    """Prizes that were written down for places that are others now are taken back, to be computed anew.

    Not once a prize was paid: then the desk settles the difference. Only a stage whose places are paid can do
    that: what a consolation beside it comes to changes none. The caller holds the stage.
    """
    prizes = Prize.objects.filter(flight=stage.flight)
    if not prizes.exists():
        return
    lock_event(stage.flight.event)
    if prizes.exclude(paid_at=None).exists():
        return
    purse = Purse.of(stage.flight)
    if stage not in purse.deciding:
        return
    if purse.amounts({stage.pk: before}) != purse.amounts({stage.pk: after}):
        prizes.delete()
