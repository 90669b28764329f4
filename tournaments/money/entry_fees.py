"""Fees of an event's entrants, and whether they are due."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _

from clubs.formats.money import money
from tournaments.core.prizes.settlement import Item, ItemKind, Standing, fee_items
from tournaments.events.eligibility import pools_of
from tournaments.models import (
    PAID_BY,
    EntrantRow,
    EntrantState,
    Event,
    EventStatus,
    FeePayment,
    Flight,
    StageStatus,
)

FEES_PAID = ("payment", "outstanding", "other_way")
"""What says how the fees of an entry were paid."""
HAS_PLACE = frozenset({EntrantState.REGISTERED, EntrantState.PRESENT})


def pay_rest(entrant: EntrantRow, how: FeePayment) -> None:
    """Set what is not paid of an entry's fees as paid, without saving; ``how`` is one of ``PAID_BY``.

    What was paid before keeps its way.
    """
    if entrant.payment not in PAID_BY:
        entrant.payment = how
    elif entrant.payment != how:
        entrant.other_way += entrant.outstanding
    entrant.outstanding = 0


def pay_fees(entrant: EntrantRow, payment: FeePayment) -> None:
    """Set how all fees of an entry were paid, without saving; only the rest, if a part was paid."""
    if payment in PAID_BY and entrant.outstanding:
        pay_rest(entrant, payment)
    else:
        entrant.payment, entrant.outstanding, entrant.other_way = payment, 0, 0


def unpaid_among(
    entrants: Sequence[EntrantRow], flights: Mapping[int, Flight], states: Mapping[int, "FeeState"]
) -> dict[int, int]:
    """Unpaid fees by entrant's key, in all divisions together; only of those who owe any (no query).

    All entrants of the event are loaded.
    """
    owed: defaultdict[tuple[int, ...], int] = defaultdict(int)
    for entrant in entrants:
        flight = flights[entrant.flight_id]
        due = fees_of(entrant, flight, standing_of(entrant, states[flight.pk]))
        owed[who_is(entrant)] -= sum(item.amount for item in due if not item.how)
    return {entrant.pk: owed[who_is(entrant)] for entrant in entrants if owed[who_is(entrant)]}


def owing_winners(flight: Flight, winners: Iterable[EntrantRow], unpaid: Mapping[int, int]) -> list[str]:
    """Winners with unpaid fees and what they owe, in the reader's language."""
    currency = flight.event.club.currency
    return [
        _("%(name)s owes %(amount)s in fees.") % {"name": each.title, "amount": money(unpaid[pk], currency)}
        for pk, each in {winner.pk: winner for winner in winners}.items()
        if pk in unpaid
    ]


def who_is(entrant: EntrantRow) -> tuple[int, ...]:
    """The keys of its players, the same in every division. Load with ``with_players()``."""
    return tuple(sorted(player.pk for player in entrant.players))


@dataclass(frozen=True, slots=True)
class FeeState:
    """Whether a flight is drawn, and whether it was cancelled."""

    drawn: bool
    cancelled: bool


def fee_states(event: Event, flights: Sequence[Flight]) -> dict[int, FeeState]:
    """The state of each flight by its key (one query, none if their stages are loaded)."""
    prefetch_related_objects(flights, "stages")
    off = event.status == EventStatus.CANCELLED
    return {
        flight.pk: FeeState(
            drawn=any(stage.drawn_at is not None for stage in flight.stages.all()),
            cancelled=off or {stage.status for stage in flight.stages.all()} == {StageStatus.SKIPPED},
        )
        for flight in flights
    }


def standing_of(entrant: EntrantRow, state: FeeState) -> Standing:
    """Whether the fees of an entrant are due. Load it ``with_draw()``."""
    if state.cancelled:
        return Standing.VOID
    if entrant.was_drawn or (not state.drawn and entrant.state in HAS_PLACE):
        return Standing.DUE
    if state.drawn or entrant.state == EntrantState.WITHDRAWN:
        return Standing.VOID
    return Standing.HELD


def fees_of(entrant: EntrantRow, flight: Flight, standing: Standing) -> tuple[Item, ...]:
    """The items of an entry's fees, in minor units (no query)."""
    price = {pool.key: pool.fee for pool in pools_of(flight.pools)}
    fees = [
        (ItemKind.REGISTRATION, "", flight.registration_fee),
        (ItemKind.ENTRY, "", flight.entry_fee),
        *((ItemKind.POOL, key, price.get(key, 0)) for key in entrant.pools),
    ]
    return fee_items(
        fees,
        entrant.payment,
        standing,
        refunded=entrant.refunded_at is not None,
        refunded_how=entrant.refunded_how,
        outstanding=entrant.outstanding,
        other_way=entrant.other_way,
        ref=entrant.ref,
        flight=flight.ref,
    )
