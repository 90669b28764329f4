"""Checking in, at the desk or by the code at the venue, with its entry in the event's log."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Player, User
from tournaments.entries.services.registration import check_in
from tournaments.events.services.events import DeskRefusedError, OvertakenError
from tournaments.log.services import note
from tournaments.models import DeskEvent, Entrant, EntrantState, Event, Flight, Payment


def note_presence(
    *,
    entrant: Entrant,
    present: bool,
    user: User | None,
    seen: str | None = None,
    payment: Payment | None = None,
) -> DeskEvent:
    """Note who is there, and what was paid. ``seen`` is the state that the director's page knew.

    Raises OvertakenError when somebody has changed the entrant since, DeskRefusedError without a place.
    """
    with transaction.atomic():
        Flight.objects.select_for_update(no_key=True).get(pk=entrant.flight_id)
        row = Entrant.objects.select_related("flight__event").get(pk=entrant.pk)
        if seen is not None and seen != row.state:
            raise OvertakenError(
                _("Somebody else at the desk was first: this entrant is %(state)s now.")
                % {"state": row.get_state_display()},
                entrant=row.ref,
                state=row.state,
            )
        before = {"state": row.state, "payment": row.payment}
        check_in(entrant=row, present=present, payment=payment)
        after = {
            "state": EntrantState.PRESENT.value if present else EntrantState.REGISTERED.value,
            "payment": (payment or Payment(row.payment)).value,
        }
        return note(
            event=row.flight.event, kind="check_in", user=user, entrant=row.ref, before=before, after=after
        )


def check_in_players(*, event: Event, player: Player) -> list[Entrant]:
    """Somebody at the venue says that they are there: every entry of theirs in the event that has a place.

    Saying it twice changes nothing. Raises DeskRefusedError for somebody without a place.
    """
    own = Entrant.objects.filter(
        flight__event=event, members__player=player, members__active=True, members__accepted=True
    )
    entrants = list(own.entered().select_related("flight").order_by("flight__position", "pk"))
    if not entrants:
        raise DeskRefusedError(_("You have no place in this event: ask at the desk."), code="no_place")
    with transaction.atomic():
        # All before the log of the event is written, as everybody takes them. A second tap waits here for the
        # first, and then finds it done.
        flights = Flight.objects.filter(pk__in=[entrant.flight_id for entrant in entrants]).order_by("pk")
        list(flights.select_for_update(no_key=True).values_list("pk"))
        for entrant in entrants:
            entrant.refresh_from_db(fields=["state"])
            if entrant.state != EntrantState.PRESENT:
                note_presence(entrant=entrant, present=True, user=player.user)
    return entrants
