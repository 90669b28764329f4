"""Refuse changes to events on another machine, on the event's page.

Pages with forms are refused as well.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from clubs.http.base import SAFE
from tournaments.events.moved_events import require_here
from tournaments.events.views.answers import refused_on
from tournaments.log.refusals import MovedAwayRefused

View = Callable[..., HttpResponseBase]


def works_while_moved(view: View) -> View:
    """Mark a view that works while the event is on another machine."""
    view.works_while_moved = True  # type: ignore[attr-defined]
    return view


def needs_event_here(view: View) -> View:
    """Mark a page that only helps to change an event, useless while it is away."""
    view.needs_event_here = True  # type: ignore[attr-defined]
    return view


class RefuseMovedEvents(MiddlewareMixin):
    """Refuse form posts to moved events; API views check for themselves."""

    def process_view(
        self, request: HttpRequest, view: View, _arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> HttpResponse | None:
        if hasattr(view, "cls") or getattr(view, "works_while_moved", False):
            return None
        if request.method in SAFE and not getattr(view, "needs_event_here", False):
            return None
        try:
            require_here(request.user, named)
        except MovedAwayRefused as moved:
            return refused_on("event", request, moved.event.ref, refused=str(moved))
        return None
