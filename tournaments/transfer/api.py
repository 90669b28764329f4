"""API of moving an event to another computer and back."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import club_permission
from clubs.http.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.http.serializers import Strict
from clubs.models import Role, Scope
from tournaments.events.access import directed_event, owned_event
from tournaments.events.api.base import RUN
from tournaments.events.api.events import EventOut
from tournaments.models.event import LONGEST_PLACE
from tournaments.transfer.services.event_files import LARGEST
from tournaments.transfer.services.moves import bring_here, move_away, moved_file, unlock


class EventFileOut(serializers.Serializer[Any]):
    """A whole event with names, rulings and notes, to import on another computer."""

    file = serializers.CharField(help_text="JSON text.")


class EventFileIn(Strict):
    """The file from `events/{event}/file/` of this or another computer."""

    file = serializers.CharField(max_length=LARGEST, trim_whitespace=False)


class MoveIn(Strict):
    """The computer the event moves to."""

    to = serializers.CharField(max_length=LONGEST_PLACE, help_text="Name of the computer, e.g. Ana's laptop.")


class MoveEvent(ApiView):
    access = {"GET": RUN, "POST": RUN}
    refused = ("GET",)
    passes_gates = True

    @extend_schema(responses=EventFileOut, summary="Download the file of a moved event")
    def get(self, request: ApiRequest, event: str) -> Response:
        """The file that moving the event returned; 409 for an event on this computer."""
        return Response({"file": moved_file(directed_event(request.user, event))})

    @extend_schema(request=MoveIn, responses=EventFileOut, summary="Export an event and lock it here")
    def post(self, request: ApiRequest, event: str) -> Response:
        """Locks the event here until its file is imported again, and returns the file."""
        found = directed_event(request.user, event)
        return Response({"file": move_away(event=found, user=request.user, **self.valid(MoveIn))})


class UnlockEvent(ApiView):
    access = {"POST": RUN}
    passes_gates = True

    @extend_schema(request=None, responses=EventOut, summary="Unlock an event without its file")
    def post(self, request: ApiRequest, event: str) -> Response:
        """For owners. Discards changes made on the other computer.

        Its file can no longer be imported here.
        """
        return self.one(EventOut, unlock(event=owned_event(request.user, event), user=request.user))


class ReadEventFile(ApiView):
    access = {"POST": Access(club_permission(Role.DIRECTOR), Scope.DIRECT)}

    @extend_schema(request=EventFileIn, responses=EventOut, summary="Import an event file")
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        """Replaces the event here with the one in the file and unlocks it.

        A file can be imported once.
        """
        text = self.valid(EventFileIn)["file"]
        return self.one(EventOut, bring_here(club=request.club, text=text, user=request.user))
