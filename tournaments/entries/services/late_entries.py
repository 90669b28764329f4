"""Changes after the draw: late entries, reinstated entrants and substitutes."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.models import Player, User
from scoring.models import Sheet
from tournaments.core.play import acts
from tournaments.core.prizes.dues import price
from tournaments.core.prizes.pools import Fees
from tournaments.core.stages.stage import Stage
from tournaments.entries.services.entries import check_pools, lock_flight, rating_of, wrong_size
from tournaments.entries.services.guests import Entering, guests_made
from tournaments.events.eligibility import pools_of
from tournaments.events.services.events import OvertakenRefused
from tournaments.log.cash_box import require_open_box
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import (
    PAID_BY,
    EntrantMember,
    EntrantRow,
    EntrantState,
    Event,
    EventStatus,
    FeePayment,
    Flight,
    PairingState,
    StageEntrant,
    StageRow,
    StageStatus,
)
from tournaments.money.entry_fees import FEES_PAID, pay_fees
from tournaments.stages.services.draws import drawn_entrant
from tournaments.stages.services.locks import lock_with_sheets
from tournaments.stages.services.refusals import in_names
from tournaments.stages.services.results import close_if_over
from tournaments.stages.services.stages import load, write


def enter_late(
    *,
    stage: StageRow,
    players: Sequence[Entering],
    user: User | None,
    payment: FeePayment = FeePayment.OPEN,
    name: str = "",
    pools: Sequence[str] = (),
) -> EntrantRow:
    """Add a late entry to a draw in progress, if its format has a place.

    Players who entered but were not drawn keep their entry with its fees, name and side pools; new values are
    added. Names become guests of the club. Raises DeskRefused before the draw, after the end, for a name like
    a member's, and for players who were drawn or entered with others; DrawRefused if the draw has no place;
    PrizeRefused for a side pool they cannot enter.
    """
    with transaction.atomic():
        # Guests before the draw: their club is locked first.
        entering = guests_made(lock_flight(stage.flight), players)
        stage = _running(stage)
        entrant = _newcomer(stage.flight, entering, payment, name, pools)
        before = load(stage)
        number = len(before.field) + 1
        StageEntrant.objects.create(flight_id=stage.flight_id, stage=stage, number=number, entrant=entrant)
        drawn = drawn_entrant(EntrantRow.objects.with_players().get(pk=entrant.pk))
        with in_names(stage):
            after = acts.enter_late(before, drawn)
        _go_on(stage, before, after, user)
        if payment is not FeePayment.OPEN:
            require_open_box(stage.flight.event)
        note(event=stage.flight.event, kind="entered_late", user=user, stage=stage.ref, entrant=entrant.ref)
    return entrant


def come_back(*, entrant: EntrantRow, user: User | None) -> None:
    """Reinstate a withdrawn entrant from the next round; lost matches stay lost.

    Raises DeskRefused for an entrant who was not drawn; DrawRefused for one who has not left, was
    disqualified, or whose place was played on.
    """
    with transaction.atomic():
        place = StageEntrant.objects.filter(entrant=entrant).select_related("stage")
        found = place.order_by("-stage__position").first()
        if found is None:
            raise DeskRefused(_("This entrant is not in the draw."), code="not_drawn")
        stage = _running(found.stage)
        before = load(stage)
        with in_names(stage):
            after = acts.come_back(before, found.number)
        _go_on(stage, before, after, user)
        EntrantRow.objects.filter(pk=entrant.pk).update(state=EntrantState.PRESENT)
        note(event=stage.flight.event, kind="returned", user=user, stage=stage.ref, entrant=entrant.ref)


def replace(
    *,
    entrant: EntrantRow,
    players: Sequence[Entering],
    user: User | None,
    payment: FeePayment = FeePayment.OPEN,
    name: str = "",
    pools: Sequence[str] = (),
) -> EntrantRow:
    """Substitute an entrant who has not finished a match.

    Matches in progress are voided and restarted; the substitute enters as in ``enter_late``. Raises
    DeskRefused for an entrant who was not drawn, and as ``enter_late``; OvertakenRefused if the place has
    another entrant; DrawRefused after a finished match.
    """
    with transaction.atomic():
        first = StageEntrant.objects.filter(entrant=entrant).select_related("stage")
        place = first.order_by("-stage__position").first()
        if place is None:
            raise DeskRefused(_("This entrant is not in the draw."), code="not_drawn")
        entering = guests_made(lock_flight(entrant.flight), players)
        stage = _running(place.stage)
        if not StageEntrant.objects.filter(pk=place.pk, entrant=entrant).exists():
            raise OvertakenRefused(
                _("Someone else changed this. Reload the page and try again."),
                entrant=entrant.ref,
            )
        entrant.state = EntrantState.WITHDRAWN
        entrant.save(update_fields=["state"])
        EntrantMember.objects.filter(entrant=entrant).update(active=False)
        newcomer = _newcomer(stage.flight, entering, payment, name, pools)
        drawn = drawn_entrant(EntrantRow.objects.with_players().get(pk=newcomer.pk))
        before = load(stage)
        # The number still belongs to the replaced entrant, whom a refusal names.
        with in_names(stage):
            after = acts.replace_entrant(before, place.number, drawn)
        StageEntrant.objects.filter(pk=place.pk).update(entrant=newcomer)
        _go_on(stage, before, after, user)
        if payment is not FeePayment.OPEN:
            require_open_box(stage.flight.event)
        note(
            event=stage.flight.event,
            kind="replaced",
            user=user,
            stage=stage.ref,
            entrant=entrant.ref,
            by=newcomer.ref,
        )
    return newcomer


def _running(stage: StageRow) -> StageRow:
    """Lock the stage after its flight. Raises DeskRefused unless it is in progress."""
    flight = Flight.objects.select_for_update(no_key=True).get(pk=stage.flight_id)
    locked = lock_with_sheets(stage, lambda: _open_sheets(stage))
    # Read again: cancelling the event locks this stage as well.
    if Event.objects.filter(pk=flight.event_id, status=EventStatus.CANCELLED).exists():
        raise DeskRefused(_("This event is cancelled."), code="event_over")
    if locked.status != StageStatus.RUNNING:
        raise DeskRefused(
            _("%(stage)s is %(state)s. Late entries are not possible.")
            % {"stage": locked.name, "state": locked.get_status_display()},
            code="not_running",
        )
    return locked


def _open_sheets(stage: StageRow) -> QuerySet[Sheet]:
    """Sheets of the open pairings, which a substitution may void."""
    return Sheet.objects.filter(
        match__board__pairing__stage=stage, match__board__pairing__state=PairingState.OPEN
    )


def _newcomer(
    flight: Flight, players: Sequence[Player], payment: FeePayment, name: str, pools: Sequence[str]
) -> EntrantRow:
    if not players:
        raise DeskRefused(_("Choose the players."), code="nobody")
    rating = rating_of(flight, players)
    found = _undrawn(flight, {player.pk for player in players}) if len(set(players)) == len(players) else None
    if found is not None:
        found.state, found.name = EntrantState.PRESENT, name or found.name
        joined = [key for key in dict.fromkeys(pools) if key not in found.pools]
        found.pools = [*found.pools, *joined]
        check_pools(flight, rating, found.pools)
        if payment != FeePayment.OPEN:
            pay_fees(found, payment)
        elif found.payment in PAID_BY:
            found.outstanding += price(Fees(), pools_of(flight.pools), joined)
        found.save(update_fields=["state", "name", *FEES_PAID, "pools"])
        return found
    check_pools(flight, rating, pools)
    pks = [player.pk for player in players]
    known = EntrantMember.objects.filter(flight=flight, player__in=pks, active=True)
    if len(set(pks)) < len(pks) or known.exists():
        raise DeskRefused(_("One of these players is already in this event."), code="entered_already")
    if flight.team_size is not None and len(players) != flight.team_size:
        raise DeskRefused(wrong_size(flight.team_size, len(players)), code="team_size")
    entrant = EntrantRow.objects.create(
        flight=flight,
        name=name,
        state=EntrantState.PRESENT,
        payment=payment,
        rating=rating,
        pools=list(dict.fromkeys(pools)),
    )
    EntrantMember.objects.bulk_create(
        EntrantMember(entrant=entrant, flight=flight, player=player, position=position)
        for position, player in enumerate(players)
    )
    return entrant


def _undrawn(flight: Flight, pks: set[int]) -> EntrantRow | None:
    """The entry of exactly these players that was not drawn, if any."""
    entered = [EntrantState.WAITING, EntrantState.REGISTERED, EntrantState.PRESENT]
    rows = EntrantRow.objects.filter(
        flight=flight, state__in=entered, numbers=None, members__player__in=pks, members__active=True
    )
    named = (entrant for entrant in rows.with_players().distinct())
    return next((each for each in named if {player.pk for player in each.players} == pks), None)


def _go_on(stage: StageRow, before: Stage, after: Stage, user: User | None) -> None:
    close_if_over(stage, write(stage=stage, before=before, after=after, user=user))
