"""Who may see an event, and who runs it: whoever may know its club (of a hidden one its directors alone), and
the club's directors.
"""

from typing import TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from clubs.access import Viewer, role_of
from clubs.models import Role
from tournaments.models import Entrant, EntrantState, Event, Pairing, Stage
from tournaments.queries.visible import role_may_know

Row = TypeVar("Row")


def known_event(viewer: Viewer, ref: str) -> tuple[Event, Role | None]:
    """The event and the viewer's role in its club. Raises Http404 where it must not be known."""
    event = Event.objects.select_related("club").filter(ref=ref).first()
    return _known(viewer, event, event)


def known_stage(viewer: Viewer, ref: str) -> tuple[Stage, Role | None]:
    """The stage with its flight, event and club."""
    stage = Stage.objects.select_related("flight__event__club").filter(ref=ref).first()
    return _known(viewer, stage, stage.flight.event if stage else None)


def known_pairing(viewer: Viewer, ref: str) -> tuple[Pairing, Role | None]:
    """The pairing with its entrants, stage, event and club."""
    found: QuerySet[Pairing] = Pairing.objects.select_related(
        "stage__flight__event__club", "a", "b", "winner"
    )
    pairing = found.filter(ref=ref).first()
    return _known(viewer, pairing, pairing.stage.flight.event if pairing else None)


def known_entrant(viewer: Viewer, ref: str) -> tuple[Entrant, Role | None]:
    """The entrant with the flight, event and club."""
    found = Entrant.objects.select_related("flight__event__club").with_players()
    entrant = found.filter(ref=ref).first()
    row, role = _known(viewer, entrant, entrant.flight.event if entrant else None)
    if role is None and row.state not in {EntrantState.REGISTERED, EntrantState.PRESENT}:
        raise Http404(_("There is no such entrant."))  # waiting lists are not for the public
    return row, role


def require_director(role: Role | None) -> None:
    """Raises PermissionDenied for everybody below a director."""
    if role is None or role < Role.DIRECTOR:
        raise PermissionDenied(_("Only a director of the club runs its events."))


def _known(viewer: Viewer, row: Row | None, event: Event | None) -> tuple[Row, Role | None]:
    role = None if event is None else role_of(viewer, event.club)
    if row is None or event is None or not role_may_know(role, event):
        raise Http404(_("There is no such event."))
    return row, role
