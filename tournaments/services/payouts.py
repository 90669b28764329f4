"""Prizes: computed from the fees and the places, approved once, recorded as paid."""

from collections.abc import Iterator, Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.draws.elimination_formats import Elimination
from tournaments.draws.forecast import paid_places
from tournaments.draws.formats import format_of
from tournaments.draws.stage import Stage as StageValue
from tournaments.models import Entrant, Flight, Payment, Prize, Stage, StageStatus
from tournaments.prizes.money import PrizeRefused
from tournaments.prizes.payouts import PERCENTAGES, Award, pay_places, pay_side_pool
from tournaments.prizes.pools import Fees, Takings, takings
from tournaments.queries.money import side_pools_of
from tournaments.services.desk_log import lock_event, note
from tournaments.services.events import DeskRefusedError
from tournaments.services.stages import load, lock_stage, numbers_of


def takings_of(flight: Flight) -> Takings:
    """What came in and where it goes, in minor units: entries without a fee (free ones) bring nothing in."""
    entered = Entrant.objects.filter(flight=flight, numbers__isnull=False, refunded_at=None).distinct()
    paying = entered.exclude(payment=Payment.FREE).count()
    fees = Fees(flight.registration_fee, flight.entry_fee, flight.returned)
    return takings(fees, paying, added=flight.added)


def awards_in(flight: Flight, value: StageValue) -> tuple[Award, ...]:
    """Who would get what if the stage stood as ``value`` says; nothing without a pool."""
    pool = takings_of(flight).pool
    found: tuple[Award, ...] = ()
    if pool:
        table = tuple(flight.percentages) or PERCENTAGES[paid_places(len(value.field))]
        found = pay_places(pool, table, format_of(value.format).places(value))
    return (*found, *_side_awards(flight, value))


def _side_awards(flight: Flight, value: StageValue) -> Iterator[Award]:
    """Each side pool to the member who goes furthest, through the tables of the draw in their order."""
    pools = side_pools_of(flight)
    if not pools:
        return
    paying = Entrant.objects.filter(flight=flight, refunded_at=None).exclude(payment=Payment.FREE)
    entered = dict(paying.values_list("ref", "pools"))
    fmt = format_of(value.format)
    if isinstance(fmt, Elimination):
        tables = [fmt.table(value, table.name) for table in fmt.bracket(value).tables]
    else:
        tables = [fmt.places(value)]
    for pool in pools:
        members = [n for n, drawn in enumerate(value.field, 1) if pool.key in entered.get(drawn.ref, ())]
        yield from pay_side_pool(pool, members, tables)


def approve_prizes(*, flight: Flight, user: User | None = None) -> Sequence[Prize]:
    """Write the prizes of a finished flight down: the sum is the pool, to the cent.

    Saying it again after a correction writes them anew while none is paid. Prizes are written, paid and taken
    back behind the event's lock alone. Raises DeskRefusedError before the end, and once a prize is recorded
    as paid.
    """
    with transaction.atomic():
        flight = (
            Flight.objects.select_for_update(of=("self",), no_key=True)
            .select_related("event__club")
            .get(pk=flight.pk)
        )
        stage = last_stage(flight)
        stage = stage and lock_stage(stage)
        if stage is None or stage.status != StageStatus.FINISHED:
            raise DeskRefusedError(_("The last match is not over: nobody has won a prize yet."), code="open")
        lock_event(flight.event)
        if Prize.objects.filter(flight=flight).exclude(paid_at=None).exists():
            raise DeskRefusedError(
                _("A prize has been paid already: settle the difference by hand and note it."), code="paid"
            )
        Prize.objects.filter(flight=flight).delete()
        entrants = numbers_of(stage)
        prizes = Prize.objects.bulk_create(
            Prize(flight=flight, entrant=entrants[award.entrant], source=award.source, amount=award.amount)
            for award in awards_in(flight, load(stage))
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


def last_stage(flight: Flight) -> Stage | None:
    """The stage that decides the prizes: the one that the first stage's best go on to, and theirs in turn."""
    stages = list(flight.stages.select_related("flight__event__club").order_by("position"))
    by_ref = {each.ref: each for each in stages}
    found = stages[0] if stages else None
    while found is not None:
        onward = [by_ref[rule["into"]] for rule in found.feeds if rule["into"] in by_ref]
        needed = next((each for each in onward if each.status != StageStatus.SKIPPED), None)
        if needed is None:
            return found
        found = needed
    return None


def decides_prizes(stage: Stage) -> bool:
    """Whether this is the stage whose places are paid."""
    last = last_stage(stage.flight)
    return last is not None and last.pk == stage.pk


def amounts_in(flight: Flight, value: StageValue) -> Mapping[int, int]:
    """What each entrant (by number) would get in all; nothing while nobody is placed."""
    found: dict[int, int] = {}
    try:
        awards = awards_in(flight, value)
    except PrizeRefused:
        return found
    for award in awards:
        found[award.entrant] = found.get(award.entrant, 0) + award.amount
    return found


def take_back_overtaken(stage: Stage, before: StageValue, after: StageValue) -> None:
    """Prizes that were written down for places that are others now are taken back, to be computed anew.

    Not once a prize was paid: then the desk settles the difference. Only the stage that decides the prizes
    can do that: what a consolation beside it comes to changes none. The caller holds the stage.
    """
    prizes = Prize.objects.filter(flight=stage.flight)
    if not prizes.exists() or not decides_prizes(stage):
        return
    lock_event(stage.flight.event)
    if prizes.exclude(paid_at=None).exists():
        return
    if amounts_in(stage.flight, before) != amounts_in(stage.flight, after):
        prizes.delete()
