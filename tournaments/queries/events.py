"""Lists of events, and an event with its field."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils.timezone import now

from clubs.access import Viewer
from clubs.models import Club, Player
from tournaments.models import Entrant, EntrantState, Event, EventStatus, Flight, Prize, Stage, StageEntrant
from tournaments.queries.visible import events_seen_by

SHOWN = 50
RECENT = timedelta(days=60)


@dataclass(frozen=True, slots=True)
class EventLists:
    """What a visitor of the list wants: what runs, what comes, what was lately."""

    running: list[Event]
    coming: list[Event]
    past: list[Event]


def event_lists(viewer: Viewer, *, club: Club | None = None, at: datetime | None = None) -> EventLists:
    """The events that the viewer may know (three queries), each with the number of its entrants."""
    at = at or now()
    seen = events_seen_by(viewer)
    if club is not None:
        seen = seen.filter(club=club)
    entered = Count(
        "flights__entrants",
        filter=Q(flights__entrants__state__in=[EntrantState.REGISTERED, EntrantState.PRESENT]),
    )
    seen = seen.select_related("club").annotate(entered=entered)
    past = seen.filter(status__in=[EventStatus.FINISHED, EventStatus.CANCELLED])
    return EventLists(
        running=list(seen.filter(status=EventStatus.RUNNING).newest_first()[:SHOWN]),
        coming=list(seen.filter(status=EventStatus.ANNOUNCED).order_by("starts_at", "ref")[:SHOWN]),
        past=list(past.newest_first()[:SHOWN]),
    )


@dataclass(frozen=True, slots=True)
class Field:
    """Who is in a flight, in the order of registration, and who waits."""

    entered: list[Entrant]
    waiting: list[Entrant]


def field_of(flight: Flight) -> Field:
    """Three queries, however many entrants."""
    rows = Entrant.objects.filter(flight=flight).exclude(state=EntrantState.WITHDRAWN).with_players()
    entrants = list(rows.order_by("registered_at", "pk"))
    return Field(
        [each for each in entrants if each.state != EntrantState.WAITING],
        [each for each in entrants if each.state == EntrantState.WAITING],
    )


def entry_of(flight: Flight, player: Player | None) -> Entrant | None:
    """The player's own entry."""
    if player is None:
        return None
    own = Entrant.objects.filter(flight=flight, members__player=player, members__active=True)
    return own.with_players().first()


def stages_of(event: Event) -> list[Stage]:
    """The stages of all flights, in order."""
    found = Stage.objects.filter(flight__event=event).select_related("flight__event__club")
    return list(found.order_by("flight__position", "position"))


def prizes_of(flight: Flight) -> list[Prize]:
    """The approved prizes, the largest first."""
    rows = Prize.objects.filter(flight=flight).select_related("entrant")
    return list(rows.prefetch_related("entrant__members__player__person").order_by("-amount", "pk"))


def is_drawn(entrant: Entrant) -> bool:
    """Whether the entrant has a number in a draw."""
    return StageEntrant.objects.filter(entrant=entrant).exists()
