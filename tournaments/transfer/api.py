"""An event as a file over the API, to a venue without internet and back."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS
from rest_framework.response import Response

from clubs.access import club_permission
from clubs.http.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.http.serializers import Strict
from clubs.models import Role, Scope
from tournaments.events.access import known_event, may_read_conduct, require_director
from tournaments.events.api.base import RUN
from tournaments.events.api.events import EventOut
from tournaments.stages.services.sealed_seeds import seeds_key
from tournaments.transfer.services.event_files import event_file, read_event_file

LARGEST = 64 * 1024 * 1024


class EventFile(serializers.Serializer[Any]):
    """A whole event with the names of its people and all that was written, to be read elsewhere."""

    file = serializers.CharField(help_text="JSON text.")


class EventFileIn(Strict):
    """What `GET events/{event}/file/` answered, here or on another machine."""

    file = serializers.CharField(max_length=LARGEST, trim_whitespace=False)


class SaveEventFile(ApiView):
    access = {"GET": RUN}

    def known_parameters(self) -> set[str]:
        return {"key"} if self.request.method in SAFE_METHODS else set()

    @extend_schema(
        parameters=[
            OpenApiParameter("key", str, description="The key of a machine that is to make the draws."),
        ],
        responses=EventFile,
        summary="A whole event as a file",
    )
    def get(self, request: ApiRequest, event: str) -> Response:
        """With the `key` of another machine the seeds of draws to be made go along, sealed for it alone."""
        found, role = known_event(request.user, event)
        require_director(role)
        key = request.query_params.get("key", "").strip()
        return Response({"file": event_file(found, private=may_read_conduct(role), for_key=key)})


class SeedsKey(serializers.Serializer[Any]):
    """The key of this machine, for which another seals the seeds of draws to be made."""

    key = serializers.CharField(help_text="43 signs of base64url.")


class ReadEventFile(ApiView):
    access = {
        "GET": Access(club_permission(Role.DIRECTOR), Scope.READ),
        "POST": Access(club_permission(Role.DIRECTOR), Scope.DIRECT),
    }

    @extend_schema(responses=SeedsKey, summary="The key for which event files are sealed to come here")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        return Response({"key": seeds_key()})

    @extend_schema(request=EventFileIn, responses=EventOut, summary="Bring an event in from its file")
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        """What the event has here already stays; the same file twice changes nothing."""
        text = self.valid(EventFileIn)["file"]
        found = read_event_file(club=request.club, text=text, user=request.user)
        return self.one(EventOut, found)
