"""Refuse changes to an event that lives on another machine.

Checked before every page and API endpoint that changes something, so that no one fills in a form in vain.
Services are refused by the event's log (``tournaments.log.services.note``) and by ``touch``, under the lock
of the event, and scoresheets by their own lock.
"""

from collections.abc import Mapping
from typing import Any

from clubs.access import Viewer
from tournaments.events.queries.visible import may_know
from tournaments.log.refusals import MovedAwayRefused
from tournaments.models import Event

# The arguments of addresses that name an event or something of it.
LEADS_TO_EVENT = {
    "event": "ref",
    "flight": "flights__ref",
    "stage": "flights__stages__ref",
    "pairing": "flights__stages__pairings__ref",
    "entrant": "flights__entrants__ref",
    "prize": "flights__prizes__ref",
}


def moved_event(arguments: Mapping[str, Any]) -> Event | None:
    """The event behind an address, if it lives elsewhere (at most one query)."""
    named = {path: arguments[name] for name, path in LEADS_TO_EVENT.items() if name in arguments}
    if not named:
        return None
    return Event.objects.select_related("club").filter(moved_at__isnull=False, **named).first()


def require_here(viewer: Viewer, arguments: Mapping[str, Any]) -> None:
    """Raise MovedAwayRefused if the event lives elsewhere and the viewer can see it.

    Other viewers get a 404 from the view.
    """
    event = moved_event(arguments)
    if event is not None and may_know(viewer, event):
        raise MovedAwayRefused(event)
