"""API for the events of a club: list, announce, copy."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import club_permission
from clubs.http.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.http.serializers import Strict
from clubs.models import Role, Scope
from tournaments.events.access import known_event, require_director
from tournaments.events.api.base import RUN, EventTime
from tournaments.events.api.breaks import BreakOut
from tournaments.events.api.new_events import NewEvent
from tournaments.events.places import map_link, poster_link
from tournaments.events.plans import ABOUT
from tournaments.events.queries.visible import events_seen_by
from tournaments.events.services.events import announce, copy_event
from tournaments.models import Event


class EventOut(serializers.ModelSerializer[Event]):
    """An event. Its stages hold the draws."""

    club = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True)
    breaks = BreakOut(many=True, source="pauses", read_only=True)
    map = serializers.SerializerMethodField(help_text="A map of the venue; null without venue and address.")
    poster = serializers.SerializerMethodField(help_text="Address of the picture; null without one.")
    page = serializers.SerializerMethodField()

    class Meta:
        model = Event
        fields = [
            *("ref", "club", "name", "starts_at", "zone", "status", "rated", "hidden", "members_only"),
            *(
                "entries_from",
                "entries_until",
                "breaks",
                *ABOUT,
                "map",
                "poster",
                "moved_at",
                "moved_to",
                "page",
            ),
        ]

    @extend_schema_field({"type": "string", "format": "uri", "nullable": True})
    def get_map(self, event: Event) -> str | None:
        return map_link(event) or None

    @extend_schema_field({"type": "string", "format": "uri", "nullable": True})
    def get_poster(self, event: Event) -> str | None:
        address = poster_link(event)
        return self.context["request"].build_absolute_uri(address) if address else None

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_page(self, event: Event) -> str:
        address: str = self.context["request"].build_absolute_uri(event.get_absolute_url())
        return address


class ClubEvents(ApiView):
    access = {"GET": Access(club_permission()), "POST": Access(club_permission(Role.DIRECTOR), Scope.DIRECT)}
    ordering = ("-starts_at", "-ref")

    @extend_schema(responses=EventOut(many=True), summary="List a club's events, newest first")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        return self.listed(
            events_seen_by(request.user).filter(club=request.club).select_related("club"), EventOut
        )

    @extend_schema(request=NewEvent, responses={201: EventOut}, summary="Announce an event")
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        body = NewEvent(data=request.data, context=self.get_serializer_context())
        body.is_valid(raise_exception=True)
        event = announce(club=request.club, plan=body.plan(request.club), user=request.user)
        return self.created(EventOut, event, "api:event", event=event.ref)


class CopyIn(Strict):
    """The start of the copy, by default one week later."""

    starts_at = EventTime(required=False)


class CopyEvent(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=CopyIn, responses={201: EventOut}, summary="Copy an event")
    def post(self, request: ApiRequest, event: str) -> Response:
        found, role = known_event(request.user, event)
        require_director(role)
        starts_at: Any = self.valid(CopyIn).get("starts_at")
        made = copy_event(event=found, starts_at=starts_at, user=request.user)
        return self.created(EventOut, made, "api:event", event=made.ref)
