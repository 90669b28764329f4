"""From field to draw, over the API; and an event that is called off, or announced again."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, club_permission
from clubs.api.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.api.serializers import Strict
from clubs.models import Role, Scope
from tournaments.desk.services.cancelling import cancel_event
from tournaments.events.access import known_event, known_stage, may_read_conduct, require_director
from tournaments.events.api.base import RUN, Moment
from tournaments.events.services.events import copy_event
from tournaments.models import Entrant, Stage
from tournaments.pages.api import EventOut, StageOut
from tournaments.stages.services.drawing import draw_stage
from tournaments.stages.services.feeding import awaited, confirm_field, decline, fed_field
from tournaments.stages.services.redrawing import take_draw_back
from tournaments.stages.services.sealed_seeds import seeds_key
from tournaments.transfer.services.event_files import event_file, read_event_file

LARGEST = 64 * 1024 * 1024


class FieldOut(serializers.Serializer[Stage]):
    """Whom other stages have sent here so far, best first."""

    entrants = serializers.SerializerMethodField()
    awaited = serializers.SerializerMethodField(help_text="Stages that have to be over first.")
    declined = serializers.ListField(child=serializers.CharField())
    confirmed_at = serializers.DateTimeField(allow_null=True)

    def get_entrants(self, stage: Stage) -> list[str]:
        return fed_field(stage)

    def get_awaited(self, stage: Stage) -> list[str]:
        return [each.ref for each in awaited(stage)]


class FieldIn(Strict):
    """The field as it was seen; 409 when it is another by now."""

    entrants = serializers.ListField(
        child=serializers.CharField(max_length=10), max_length=4096, required=False, help_text="Refs."
    )


class DeclinedIn(Strict):
    """Who does not take the place that he won, or takes it after all."""

    entrant = serializers.CharField(max_length=10)
    declined = serializers.BooleanField(default=True)


class CopyIn(Strict):
    """When the copy starts; a week later when nothing is said."""

    starts_at = Moment(required=False)


class StageDraw(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=StageOut, summary="Draw a stage, once")
    def post(self, request: ApiRequest, stage: str) -> Response:
        """Groups are drawn together; a stage that others fill is drawn once its field is confirmed."""
        found, role = known_stage(request.user, stage)
        require_director(role)
        return self.one(StageOut, draw_stage(stage=found, user=request.user))


class RedrawIn(Strict):
    """Why a draw is taken back, and the length of the stage's log at which that was decided."""

    reason = serializers.CharField(max_length=200)
    seen = serializers.IntegerField(min_value=0, required=False, help_text="The stage's `log_length`.")


class StageRedraw(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=RedrawIn, responses=StageOut, summary="Take a draw back before play")
    def post(self, request: ApiRequest, stage: str) -> Response:
        """Another seed is sealed, whose hash is answered; draw the stage again when it suits. Groups are
        taken back together. 409 once a match has begun."""
        found, role = known_stage(request.user, stage)
        require_director(role)
        data = self.valid(RedrawIn)
        after = take_draw_back(stage=found, user=request.user, reason=data["reason"], seen=data.get("seen"))
        return self.one(StageOut, after)


class StageField(ApiView):
    access = {"GET": Access(Public), "POST": RUN}

    @extend_schema(responses=FieldOut, summary="Whom other stages send to a stage")
    def get(self, request: Request, stage: str) -> Response:
        found, _role = known_stage(request.user, stage)
        return self.one(FieldOut, found)

    @extend_schema(
        operation_id="confirm_field", request=FieldIn, responses=FieldOut, summary="Confirm a stage's field"
    )
    def post(self, request: ApiRequest, stage: str) -> Response:
        found, role = known_stage(request.user, stage)
        require_director(role)
        refs = self.valid(FieldIn).get("entrants")
        return self.one(FieldOut, confirm_field(stage=found, user=request.user, refs=refs))


class StageDeclined(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=DeclinedIn, responses=FieldOut, summary="Note who declines a place")
    def post(self, request: ApiRequest, stage: str) -> Response:
        """The next in the ranking moves up."""
        found, role = known_stage(request.user, stage)
        require_director(role)
        data = self.valid(DeclinedIn)
        entrant = Entrant.objects.filter(flight=found.flight, ref=data["entrant"]).with_players().first()
        if entrant is None:
            message = _("There is no entrant %(ref)s here.") % {"ref": data["entrant"]}
            raise ValidationError({"entrant": [ErrorDetail(message, "unknown_entrant")]})
        after = decline(stage=found, entrant=entrant, user=request.user, declined=data["declined"])
        return self.one(FieldOut, after)


class CancelEvent(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=EventOut, summary="Call an event off")
    def post(self, request: ApiRequest, event: str) -> Response:
        """Open matches are void, what was played stands; it cannot be undone."""
        found, role = known_event(request.user, event)
        require_director(role)
        cancel_event(event=found, user=request.user)
        return self.one(EventOut, known_event(request.user, event)[0])


class CopyEvent(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=CopyIn, responses={201: EventOut}, summary="Announce the same event again")
    def post(self, request: ApiRequest, event: str) -> Response:
        found, role = known_event(request.user, event)
        require_director(role)
        starts_at: Any = self.valid(CopyIn).get("starts_at")
        made = copy_event(event=found, starts_at=starts_at, user=request.user)
        return self.created(EventOut, made, "api:event", event=made.ref)


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
