"""Cancel an event or a flight."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.models import Match, MatchStatus, Sheet
from scoring.sheets.services.decisions import void_match
from tournaments.events.services.events import require_not_over
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import (
    EntrantMember,
    EntrantRow,
    EntrantState,
    Event,
    EventStatus,
    Flight,
    PairingState,
    StageRow,
    StageStatus,
)
from tournaments.stages.services.locks import lock_stage, lock_with_sheets
from tournaments.stages.services.results import finish_if_over


def cancel_event(*, event: Event, user: User | None) -> None:
    """Cancel an event: void its open matches; finished results stand.

    Idempotent. Raises DeskRefused for an event that is over.
    """
    with transaction.atomic():
        stages = list(StageRow.objects.filter(flight__event=event).order_by("flight__position", "position"))
        for index, stage in enumerate(stages):
            if index:
                lock_stage(stage)
            else:
                lock_with_sheets(stage, lambda: _open_sheets(event))
        locked = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        if locked.status == EventStatus.CANCELLED:
            return
        if locked.status == EventStatus.FINISHED:
            raise DeskRefused(
                _("%(event)s is finished and can no longer be cancelled.") % {"event": locked.name},
                code="event_over",
            )
        locked.status = EventStatus.CANCELLED
        locked.save(update_fields=["status"])
        unfinished = Match.objects.filter(sheet__in=_open_sheets(event)).exclude(status=MatchStatus.FINISHED)
        for match in unfinished.order_by("pk"):
            void_match(match=match, user=user, reason=_("event cancelled"))
        note(event=locked, kind="cancelled", user=user)


def cancel_flight(*, flight: Flight, user: User | None) -> None:
    """Cancel a flight before its draw and withdraw its entrants.

    Refunds can still be recorded. Idempotent. Raises DeskRefused for an event that is over, after the draw,
    and for the only flight of an event.
    """
    with transaction.atomic():
        locked = Flight.objects.select_for_update(of=("self",), no_key=True).select_related("event")
        flight = locked.get(pk=flight.pk)
        stages = [lock_stage(stage) for stage in flight.stages.order_by("position")]
        event = Event.objects.select_for_update(no_key=True).get(pk=flight.event_id)
        require_not_over(event)
        if all(stage.status == StageStatus.SKIPPED for stage in stages):
            return
        if any(stage.status != StageStatus.PLANNED for stage in stages):
            raise DeskRefused(
                _("The draw has been made. Withdraw entrants or cancel the event instead."), code="drawn"
            )
        others = StageRow.objects.filter(flight__event=event).exclude(flight=flight)
        if not others.exclude(status=StageStatus.SKIPPED).exists():
            raise DeskRefused(
                _("This is the only division left. Cancel the event instead."), code="only_flight"
            )
        StageRow.objects.filter(flight=flight).update(status=StageStatus.SKIPPED)
        entrants = EntrantRow.objects.filter(flight=flight).exclude(state=EntrantState.WITHDRAWN)
        out = list(entrants.order_by("pk").values_list("ref", flat=True))
        EntrantMember.objects.filter(entrant__in=entrants).update(active=False)
        entrants.update(state=EntrantState.WITHDRAWN)
        finish_if_over(event)
        note(event=event, kind="flight_called_off", user=user, flight=flight.ref, entrants=out)


def _open_sheets(event: Event) -> QuerySet[Sheet]:
    return Sheet.objects.filter(
        match__board__pairing__stage__flight__event=event, match__board__pairing__state=PairingState.OPEN
    )
