"""Access to events.

Anyone who can see the club sees its events, except hidden ones; the club's directors run them.
"""

from functools import reduce
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.http import Http404
from django.utils.translation import gettext as _

from clubs.access import Viewer, role_of
from clubs.models import Membership, Role, User
from tournaments.events.queries.visible import role_may_know
from tournaments.events.queries.whole_stage import event_to_know, stage_to_follow
from tournaments.models import EntrantRow, EntrantState, Event, Flight, PairingRow, Prize, StageRow

WHO_MAY_SEE = "anyone who can see the event's club"
DIRECTORS = "directors of the event's club"

Row = TypeVar("Row", bound=Model)


def known_event(viewer: Viewer, ref: str) -> tuple[Event, Role | None]:
    """The event and the viewer's role in its club (one query). Raises Http404 if not visible."""
    if not isinstance(viewer, User) or viewer.is_superuser:
        event = Event.objects.select_related("club").filter(ref=ref).first()
        return _known(viewer, event, event)
    found, role = event_to_know(ref, viewer.pk)
    return _told(found, found, None if role is None else Role(role))


def known_stage(viewer: Viewer, ref: str) -> tuple[StageRow, Role | None]:
    """The stage with its flight, event and club (one query)."""
    stages = StageRow.objects.filter(ref=ref).select_related("flight__event__club")
    return _asked(viewer, stages, "flight__event")


def followed_stage(viewer: Viewer, ref: str) -> StageRow:
    """The stage with only what its drawing needs, for every phone that follows it.

    Raises Http404 if not visible.
    """
    asked = viewer.pk if isinstance(viewer, User) and not viewer.is_superuser else None
    stage, found = stage_to_follow(ref, asked)
    if asked is None or stage is None:
        return _known(viewer, stage, stage.flight.event if stage else None)[0]
    return _told(stage, stage.flight.event, None if found is None else Role(found))[0]


def known_pairing(viewer: Viewer, ref: str) -> tuple[PairingRow, Role | None]:
    """The pairing with its entrants, stage, event and club (one query)."""
    pairings = PairingRow.objects.select_related("stage__flight__event__club", "a", "b", "winner")
    return _asked(viewer, pairings.filter(ref=ref), "stage__flight__event")


def known_flight(viewer: Viewer, ref: str) -> tuple[Flight, Role | None]:
    """The flight with its event and club (one query)."""
    return _asked(viewer, Flight.objects.select_related("event__club").filter(ref=ref), "event")


def known_prize(viewer: Viewer, ref: str) -> tuple[Prize, Role | None]:
    """The prize with its entrant, flight, event and club (one query)."""
    prizes = Prize.objects.select_related("flight__event__club", "entrant").filter(ref=ref)
    return _asked(viewer, prizes, "flight__event")


def known_entrant(viewer: Viewer, ref: str) -> tuple[EntrantRow, Role | None]:
    """The entrant ``with_draw()``, with its players, flight, event and club (two queries)."""
    entrants = EntrantRow.objects.select_related("flight__event__club").with_players().with_draw()
    row, role = _asked(viewer, entrants.filter(ref=ref), "flight__event")
    placed = row.state in {EntrantState.REGISTERED, EntrantState.PRESENT}
    if role is None and not placed and not row.was_drawn:
        # Waiting lists are not for the public; a draw is, including those who left it.
        raise Http404(_("Entrant not found."))
    return row, role


def is_director(role: Role | None) -> bool:
    """Whether this role sees what only directors see."""
    return role is not None and role >= Role.DIRECTOR


def may_direct(role: Role | None, event: Event) -> bool:
    """Whether pages offer director actions: not while the event is away."""
    return is_director(role) and not event.is_away


def require_director(role: Role | None) -> None:
    """Raise PermissionDenied for roles below director."""
    if not is_director(role):
        raise PermissionDenied(_("Only directors of the club can run its events."))


def _asked(viewer: Viewer, rows: QuerySet[Row], event: str) -> tuple[Row, Role | None]:
    """The one row of a query, whose event is at this path, with the viewer's role in its club (one query).

    The role comes in the same query: everybody asks for the pages of an event at once. Raises Http404 if not
    visible.
    """
    own = viewer.pk if isinstance(viewer, User) and not viewer.is_superuser else None
    asked: Any = rows
    if own is not None:
        mine = Membership.objects.filter(club=OuterRef(f"{event}__club"), player__user=own)
        asked = asked.annotate(viewer_role=Subquery(mine.values("role")[:1]))
    row = asked.first()
    found = None if row is None else reduce(getattr, event.split("__"), row)
    if own is None:
        return _known(viewer, row, found)
    role = None if row is None or row.viewer_role is None else Role(row.viewer_role)
    return _told(row, found, role)


def _known(viewer: Viewer, row: Row | None, event: Event | None) -> tuple[Row, Role | None]:
    return _told(row, event, None if event is None else role_of(viewer, event.club))


def _told(row: Row | None, event: Event | None, role: Role | None) -> tuple[Row, Role | None]:
    if row is None or event is None or not role_may_know(role, event):
        raise Http404(_("Event not found."))
    return row, role


def directed_event(viewer: Viewer, ref: str) -> Event:
    """An event for one of its directors. Raises as :func:`known_event` and :func:`require_director`."""
    found, role = known_event(viewer, ref)
    require_director(role)
    return found


def owned_event(viewer: Viewer, ref: str) -> Event:
    """An event for an owner of its club. Raises as :func:`known_event`, and PermissionDenied for others."""
    found, role = known_event(viewer, ref)
    if role is None or role < Role.OWNER:
        raise PermissionDenied(_("Only owners of the club can do this."))
    return found


def directed_pairing(viewer: Viewer, ref: str) -> PairingRow:
    """A pairing for one of its directors. Raises as :func:`known_pairing` and :func:`require_director`."""
    found, role = known_pairing(viewer, ref)
    require_director(role)
    return found
