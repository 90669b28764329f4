"""Lists of events, and an event with its field."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import (
    Count,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    prefetch_related_objects,
)
from django.db.models.functions import Abs, Extract, Now
from django.utils.timezone import now

from clubs.access import Viewer
from clubs.models import Club, User
from tournaments.events.queries.visible import events_seen_by
from tournaments.models import (
    EntrantMember,
    EntrantRow,
    EntrantState,
    Event,
    EventStatus,
    Flight,
    PairingRow,
    PairingState,
    StageEntrant,
    StageRow,
)
from tournaments.models.event import EventQuerySet

SHOWN = 50
NEWEST = 3


@dataclass(frozen=True, slots=True)
class EventLists:
    """Events of a list: in progress, upcoming and past."""

    running: list[Event]
    coming: list[Event]
    past: list[Event]


def event_lists(viewer: Viewer, *, club: Club | None = None, terms: bool = False) -> EventLists:
    """The visible events; of those in progress the viewer's own first (three queries).

    Each has the number of its entrants as ``entered``, and as ``mine`` whether the viewer is one of them.
    With ``terms`` their flights and stages come along in order (two queries more).
    """
    seen = events_seen_by(viewer)
    if club is not None:
        seen = seen.filter(club=club)
    seen = _counted(seen, viewer)
    past = seen.filter(status__in=[EventStatus.FINISHED, EventStatus.CANCELLED])
    found = EventLists(
        running=sorted(
            in_play_first(seen.filter(status=EventStatus.RUNNING))[:SHOWN],
            key=lambda each: not vars(each)["mine"],
        ),
        coming=list(seen.filter(status=EventStatus.ANNOUNCED).order_by("starts_at", "ref")[:SHOWN]),
        past=list(past.newest_first()[:SHOWN]),
    )
    if terms:
        flights = Prefetch("flights", Flight.objects.order_by("position"))
        stages = Prefetch("flights__stages", StageRow.objects.order_by("position"))
        prefetch_related_objects([*found.running, *found.coming, *found.past], flights, stages)
    return found


def next_event_of(user: User, clubs: QuerySet[Club], *, at: datetime | None = None) -> Event | None:
    """The next announced event in these clubs; the user's own first (one query).

    It has the number of its entrants as ``entered``, and as ``mine`` whether the user is among them.
    """
    coming = events_seen_by(user).filter(
        club__in=clubs, status=EventStatus.ANNOUNCED, starts_at__gte=at or now()
    )
    return _counted(coming, user).order_by(F("mine").desc(), "starts_at", "ref").first()


def newest_events(viewer: Viewer, clubs: QuerySet[Club]) -> list[Event]:
    """A few events of these clubs: those in progress first, then the last finished.

    Two queries.
    """
    seen = _counted(events_seen_by(viewer).filter(club__in=clubs), viewer)
    running = in_play_first(seen.filter(status=EventStatus.RUNNING))[:NEWEST]
    return [*running, *seen.filter(status=EventStatus.FINISHED).newest_first()[:NEWEST]]


def in_play_first(events: EventQuerySet) -> EventQuerySet:
    """Events with a called match first; then by how near their start is."""
    called = PairingRow.objects.filter(
        stage__flight__event=OuterRef("pk"), state=PairingState.OPEN, called_at__isnull=False
    )
    away = Abs(Extract(ExpressionWrapper(F("starts_at") - Now(), output_field=DurationField()), "epoch"))
    return events.order_by(Exists(called).desc(), away, "-ref")


def stages_of(event: Event) -> list[StageRow]:
    """The stages of all flights with their feeds, in order (one query)."""
    found = StageRow.objects.with_feeds().filter(flight__event=event).select_related("flight__event__club")
    return list(found.order_by("flight__position", "position"))


def is_drawn(entrant: EntrantRow) -> bool:
    """Whether the entrant has a number in a draw."""
    return StageEntrant.objects.filter(entrant=entrant).exists()


def last_of(club: Club) -> Event | None:
    """The club's latest event on this machine, to copy (one query)."""
    return Event.objects.in_club(club).filter(moved_at=None).newest_first().first()


def _counted(events: EventQuerySet, viewer: Viewer) -> EventQuerySet:
    entered = Count(
        "flights__entrants",
        filter=Q(flights__entrants__state__in=[EntrantState.REGISTERED, EntrantState.PRESENT]),
    )
    own = EntrantMember.objects.filter(flight__event=OuterRef("pk"), active=True)
    own = own.filter(player__user=viewer) if isinstance(viewer, User) else own.none()
    return events.select_related("club").annotate(entered=entered, mine=Exists(own))
