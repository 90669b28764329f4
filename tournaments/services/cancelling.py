"""An event that does not take place, or not to its end."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.models import Match, MatchStatus, Sheet
from scoring.services.overruling import void_match
from tournaments.models import Event, EventStatus, PairingState, Stage
from tournaments.services.desk_log import note
from tournaments.services.events import DeskRefusedError
from tournaments.services.stages import lock_stage, lock_with_sheets


def cancel_event(*, event: Event, user: User | None) -> None:
    """Call an event off: its open matches are void, so nobody loses rating; what was played stands.

    Saying it twice changes nothing. Raises DeskRefusedError for an event that is over.
    """
    with transaction.atomic():
        stages = list(Stage.objects.filter(flight__event=event).order_by("flight__position", "position"))
        for index, stage in enumerate(stages):
            if index:
                lock_stage(stage)
            else:
                lock_with_sheets(stage, lambda: _open_sheets(event))
        locked = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        if locked.status == EventStatus.CANCELLED:
            return
        if locked.status == EventStatus.FINISHED:
            raise DeskRefusedError(
                _("%(event)s is over: it cannot be cancelled any more.") % {"event": locked.name},
                code="event_over",
            )
        locked.status = EventStatus.CANCELLED
        locked.save(update_fields=["status"])
        unfinished = Match.objects.filter(sheet__in=_open_sheets(event)).exclude(status=MatchStatus.FINISHED)
        for match in unfinished.order_by("pk"):
            void_match(match=match, user=user, reason=_("the event was cancelled"))
        note(event=locked, kind="cancelled", user=user)


def _open_sheets(event: Event) -> QuerySet[Sheet]:
    return Sheet.objects.filter(
        match__board__pairing__stage__flight__event=event, match__board__pairing__state=PairingState.OPEN
    )
