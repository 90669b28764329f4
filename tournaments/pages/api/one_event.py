"""API of one event: its terms, its timetable before the draw, and its divisions in short."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.base import Access, ApiRequest, ApiView
from tournaments.events.access import known_event, require_director
from tournaments.events.api.changes import CHANGE, EventChange, at_least_one
from tournaments.events.api.events import EventOut
from tournaments.events.queries.event_page import FlightBlock, flight_blocks
from tournaments.events.services.changes import change_event
from tournaments.models import Event
from tournaments.pages.queries.timetable import PlannedDay, RoundStart, timetable_of


class RoundStartOut(serializers.Serializer[RoundStart]):
    """A round that does not begin earlier."""

    stage = serializers.CharField(allow_blank=True, help_text="Its name; empty if the event has one stage.")
    number = serializers.IntegerField()
    starts_at = serializers.DateTimeField(source="at")


class TimetableOut(serializers.Serializer[PlannedDay]):
    """When rounds begin, and the expected end at the usual pace."""

    rounds = RoundStartOut(many=True, help_text="Rounds with a start time, in order of time.")
    expected_end = serializers.DateTimeField(
        source="ends_at",
        allow_null=True,
        help_text="With this number of entrants; null if unknown, as for a season.",
    )
    entrants = serializers.IntegerField(
        help_text="Entrants of all divisions together: their places, or those who have entered where "
        "places are not limited or more have entered."
    )


class DivisionOut(serializers.Serializer[FlightBlock]):
    """A division in short."""

    ref = serializers.CharField(source="flight.ref")
    name = serializers.CharField(source="flight.name", allow_blank=True)
    capacity = serializers.IntegerField(source="flight.capacity", allow_null=True)
    entered = serializers.SerializerMethodField(help_text="Entrants with a place.")
    average_rating = serializers.FloatField(
        allow_null=True, help_text="Of the rated entrants with a place; null if fewer than two are rated."
    )

    def get_entered(self, block: FlightBlock) -> int:
        return len(block.entered)


class OneEventOut(EventOut):
    """An event with its timetable and its divisions."""

    timetable = serializers.SerializerMethodField(
        help_text="Until something is drawn; null then, and once cancelled."
    )
    flights = serializers.SerializerMethodField()

    class Meta(EventOut.Meta):
        fields = [*EventOut.Meta.fields, "timetable", "flights"]

    @extend_schema_field(TimetableOut(allow_null=True))
    def get_timetable(self, event: Event) -> Any:
        planned = timetable_of(event, self._blocks)
        return TimetableOut(planned).data if planned else None

    @extend_schema_field(DivisionOut(many=True))
    def get_flights(self, _event: Event) -> Any:
        return [DivisionOut(block).data for block in self._blocks]

    def to_representation(self, instance: Event) -> Any:
        self._blocks = flight_blocks(instance)
        return super().to_representation(instance)


class OneEvent(ApiView):
    access = {"GET": Access(Public), "PATCH": CHANGE}

    @extend_schema(responses=OneEventOut, summary="Get an event")
    def get(self, request: Request, event: str) -> Response:
        return self.one(OneEventOut, known_event(request.user, event)[0])

    @extend_schema(request=EventChange, responses=OneEventOut, summary="Change an event")
    def patch(self, request: ApiRequest, event: str) -> Response:
        """Moving to another day also moves breaks, start times and deadlines.

        409 for an event that is over (only its visibility can change then), and for a new start or rating
        status after a draw.
        """
        found, role = known_event(request.user, event)
        require_director(role)
        data = self.valid(EventChange)
        seen = data.pop("seen", None)
        change_event(event=found, changes=at_least_one(data), user=request.user, seen=seen)
        return self.one(OneEventOut, Event.objects.select_related("club").get(pk=found.pk))
