"""Pages that change an event which lives on another machine are refused, on the event's page."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from clubs.http.base import SAFE
from tournaments.events.moved import require_here
from tournaments.events.views.answers import refused_on
from tournaments.log.refusals import MovedAwayRefused

View = Callable[..., HttpResponseBase]


def works_while_moved(view: View) -> View:
    """Mark a view that is there for events that live on another machine."""
    view.works_while_moved = True  # type: ignore[attr-defined]
    return view


class RefuseMovedEvents(MiddlewareMixin):
    """Stands before the forms that are answered once. Views of the API ask for themselves."""

    def process_view(
        self, request: HttpRequest, view: View, _arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> HttpResponse | None:
        of_api = hasattr(view, "cls")
        if request.method in SAFE or of_api or getattr(view, "works_while_moved", False):
            return None
        try:
            require_here(request.user, named)
        except MovedAwayRefused as moved:
            return refused_on("event", request, moved.event.ref, refused=str(moved))
        return None
