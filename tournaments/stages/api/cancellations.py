"""API to cancel a flight or a whole event."""

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from clubs.http.base import ApiRequest, ApiView
from tournaments.events.access import known_event, known_flight, require_director
from tournaments.events.api.base import RUN
from tournaments.events.api.changes import CHANGE
from tournaments.events.api.events import EventOut
from tournaments.events.api.flights import FlightOut
from tournaments.stages.services.cancellations import cancel_event, cancel_flight


class CancelFlight(ApiView):
    access = {"POST": CHANGE}

    @extend_schema(request=None, responses=FlightOut, summary="Cancel a division")
    def post(self, request: ApiRequest, flight: str) -> Response:
        """Only before its draw. Withdraws all its entrants; cannot be undone.

        409 after the draw, and for the only division of an event: cancel the event instead.
        """
        found, role = known_flight(request.user, flight)
        require_director(role)
        cancel_flight(flight=found, user=request.user)
        return self.one(FlightOut, known_flight(request.user, flight)[0])


class CancelEvent(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=EventOut, summary="Cancel an event")
    def post(self, request: ApiRequest, event: str) -> Response:
        """Voids open matches; finished results stand. Cannot be undone."""
        found, role = known_event(request.user, event)
        require_director(role)
        cancel_event(event=found, user=request.user)
        return self.one(EventOut, known_event(request.user, event)[0])
