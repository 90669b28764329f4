"""API for the breaks of an event."""

from collections.abc import Iterable, Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Scope
from tournaments.core.timetable.breaks import LONGEST_NAME, MOST_BREAKS, Break, one_line
from tournaments.events.access import known_event, require_director
from tournaments.events.api.base import EventTime
from tournaments.events.services.breaks import set_breaks
from tournaments.models import Event


class BreakIn(Strict):
    """A pause of the whole event, until just before `ends_at`."""

    name = serializers.CharField(
        max_length=LONGEST_NAME, help_text="White space is collapsed to single spaces."
    )
    starts_at = EventTime()
    ends_at = EventTime()


class BreakOut(serializers.Serializer[Break]):
    """A pause of the whole event, until just before `ends_at`."""

    name = serializers.CharField()
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()


class BreaksIn(Strict):
    """All breaks of an event, in any order."""

    breaks = serializers.ListField(child=BreakIn(), max_length=MOST_BREAKS)
    seen = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, required=False, help_text="`seen` as returned with the breaks."
    )


class BreaksOut(serializers.Serializer[Event]):
    """The breaks of an event in order. Send `seen` back with a change."""

    breaks = BreakOut(many=True, source="pauses")
    seen = serializers.IntegerField(source="breaks_seq")


class EventBreaks(ApiView):
    access = {"GET": Access(Public), "PUT": Access(SignedIn, Scope.DIRECT)}

    @extend_schema(responses=BreaksOut, summary="List the breaks of an event")
    def get(self, request: Request, event: str) -> Response:
        return self.one(BreaksOut, known_event(request.user, event)[0])

    @extend_schema(request=BreaksIn, responses=BreaksOut, summary="Set the breaks of an event")
    def put(self, request: ApiRequest, event: str) -> Response:
        """Called and played matches are not affected.

        409 for invalid breaks, and where someone else changed them since `seen`.
        """
        found, role = known_event(request.user, event)
        require_director(role)
        data = self.valid(BreaksIn)
        made = set_breaks(
            event=found, breaks=breaks_in(data["breaks"]), user=request.user, seen=data.get("seen")
        )
        return self.one(BreaksOut, made)


def breaks_in(checked: Iterable[Mapping[str, Any]]) -> tuple[Break, ...]:
    """Turn validated bodies into breaks."""
    return tuple(Break(one_line(each["name"]), each["starts_at"], each["ends_at"]) for each in checked)
