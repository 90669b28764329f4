"""Who plays: registration by members and by the desk, the waiting list, withdrawal before the draw."""

from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import Player
from scoring.models import Rating
from tournaments.models import (
    Entrant,
    EntrantMember,
    EntrantState,
    Event,
    EventStatus,
    Flight,
    Payment,
    StageStatus,
)
from tournaments.services.events import DeskRefusedError, touch


def register(
    *, flight: Flight, players: Sequence[Player], name: str = "", payment: Payment = Payment.OPEN
) -> Entrant:
    """Enter players as one entrant; on the waiting list when the flight is full.

    Saying it twice gives the same entrant. Raises DeskRefusedError after the draw, for a cancelled event, for
    a player who is in the flight with others, and for nobody.
    """
    if not players:
        raise DeskRefusedError(_("Choose who is to play."), code="nobody")
    with transaction.atomic():
        flight = _locked(flight)
        _require_open(flight)
        known = Entrant.objects.filter(
            flight=flight, members__player__in=[player.pk for player in players], members__active=True
        ).with_players()
        for entrant in known:
            if {p.pk for p in entrant.players} == {p.pk for p in players}:
                return entrant
            raise DeskRefusedError(
                _("%(name)s is in this event already.") % {"name": entrant.title}, code="entered_already"
            )
        full = flight.capacity is not None and _taken(flight) >= flight.capacity
        entrant = Entrant.objects.create(
            flight=flight,
            name=name,
            state=EntrantState.WAITING if full else EntrantState.REGISTERED,
            payment=payment,
            rating=_rating_of(flight, players),
        )
        try:
            with transaction.atomic():
                EntrantMember.objects.bulk_create(
                    EntrantMember(entrant=entrant, flight=flight, player=player, position=position)
                    for position, player in enumerate(players)
                )
        except IntegrityError as error:
            raise DeskRefusedError(_("One of these players is named twice."), code="player_twice") from error
        touch(flight.event)
    return entrant


def withdraw(*, entrant: Entrant) -> None:
    """Take an entrant out before the draw; the first on the waiting list moves up.

    Raises DeskRefusedError once the draw was made: then an entrant leaves a stage (``services.desk.leave``).
    """
    with transaction.atomic():
        flight = _locked(entrant.flight)
        _require_open(flight)
        entrant = Entrant.objects.select_for_update(no_key=True).get(pk=entrant.pk)
        if entrant.state == EntrantState.WITHDRAWN:
            return
        had_a_place = entrant.state != EntrantState.WAITING
        entrant.state = EntrantState.WITHDRAWN
        entrant.save(update_fields=["state"])
        EntrantMember.objects.filter(entrant=entrant).update(active=False)
        first = Entrant.objects.filter(flight=flight).waiting().first() if had_a_place else None
        if first is not None:
            first.state = EntrantState.REGISTERED
            first.save(update_fields=["state"])
        touch(flight.event)


def check_in(*, entrant: Entrant, present: bool = True, payment: Payment | None = None) -> None:
    """Note at the desk who is there, and what was paid. Raises DeskRefusedError without a place."""
    with transaction.atomic():
        flight = _locked(entrant.flight)
        entrant = Entrant.objects.select_for_update(no_key=True).get(pk=entrant.pk)
        if entrant.state not in {EntrantState.REGISTERED, EntrantState.PRESENT}:
            raise DeskRefusedError(
                _("Only somebody with a place can check in: this entrant is %(state)s.")
                % {"state": entrant.get_state_display()},
                code="no_place",
            )
        entrant.state = EntrantState.PRESENT if present else EntrantState.REGISTERED
        entrant.payment = payment or entrant.payment
        entrant.save(update_fields=["state", "payment"])
        touch(flight.event)


def _locked(flight: Flight) -> Flight:
    return (
        Flight.objects.select_for_update(of=("self",), no_key=True)
        .select_related("event__club")
        .get(pk=flight.pk)
    )


def _require_open(flight: Flight) -> None:
    if flight.event.status in {EventStatus.CANCELLED, EventStatus.FINISHED}:
        raise DeskRefusedError(
            _("This event is %(state)s.") % {"state": flight.event.get_status_display()}, code="event_over"
        )
    if flight.stages.exclude(status=StageStatus.PLANNED).exists():
        raise DeskRefusedError(_("The draw has been made: ask the director."), code="drawn")


def _taken(flight: Flight) -> int:
    return Entrant.objects.filter(flight=flight).entered().count()


def _rating_of(flight: Flight, players: Sequence[Player]) -> float | None:
    """The mean of the players' ratings on the club's main list; None while nobody of them has one."""
    rows = Rating.objects.filter(list__club=flight.event.club_id, list__name="", player__in=players)
    values = list(rows.values_list("value", flat=True))
    return sum(values) / len(values) if values else None


def entries_open(event: Event) -> bool:
    """Whether somebody may still register by themselves."""
    return event.status == EventStatus.ANNOUNCED and event.starts_at > now()
