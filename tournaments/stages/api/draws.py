"""API to confirm a field, draw a stage and undo a draw."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from tournaments.events.access import known_stage, require_director
from tournaments.events.api.base import RUN
from tournaments.models import EntrantRow, StageRow
from tournaments.stages.api.stages import StageOut
from tournaments.stages.services.draws import draw_stage, undo_draw
from tournaments.stages.services.feeds import awaited, confirm_field, decline, fed_field


class FieldOut(serializers.Serializer[StageRow]):
    """The entrants sent by other stages so far, best first."""

    entrants = serializers.SerializerMethodField()
    awaited = serializers.SerializerMethodField(help_text="Stages that must finish first.")
    declined = serializers.ListField(child=serializers.CharField())
    confirmed_at = serializers.DateTimeField(allow_null=True)

    def get_entrants(self, stage: StageRow) -> list[str]:
        return fed_field(stage)

    def get_awaited(self, stage: StageRow) -> list[str]:
        return [each.ref for each in awaited(stage)]


class FieldIn(Strict):
    """The field as last read; 409 if it has changed."""

    entrants = serializers.ListField(
        child=serializers.CharField(max_length=10), max_length=4096, required=False, help_text="Refs."
    )


class DeclinedIn(Strict):
    """An entrant who declines a place, or accepts it after all."""

    entrant = serializers.CharField(max_length=10)
    declined = serializers.BooleanField(default=True)


class StageDraw(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=StageOut, summary="Draw a stage")
    def post(self, request: ApiRequest, stage: str) -> Response:
        """Groups are drawn together. A stage fed by others needs a confirmed field."""
        found, role = known_stage(request.user, stage)
        require_director(role)
        return self.one(StageOut, draw_stage(stage=found, user=request.user))


class RedrawIn(Strict):
    """The reason to undo a draw, and the stage's `log_length` as last read."""

    reason = serializers.CharField(max_length=200)
    seen = serializers.IntegerField(min_value=0, required=False, help_text="The stage's `log_length`.")


class StageRedraw(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=RedrawIn, responses=StageOut, summary="Undo a draw")
    def post(self, request: ApiRequest, stage: str) -> Response:
        """Seals a new seed and returns its hash. Draw the stage again when ready.

        Groups are undone together. 409 once a match has begun.
        """
        found, role = known_stage(request.user, stage)
        require_director(role)
        data = self.valid(RedrawIn)
        after = undo_draw(stage=found, user=request.user, reason=data["reason"], seen=data.get("seen"))
        return self.one(StageOut, after)


class StageField(ApiView):
    access = {"GET": Access(Public), "POST": RUN}

    @extend_schema(responses=FieldOut, summary="List the entrants a stage receives from others")
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

    @extend_schema(request=DeclinedIn, responses=FieldOut, summary="Record a declined place")
    def post(self, request: ApiRequest, stage: str) -> Response:
        """The next in the ranking moves up."""
        found, role = known_stage(request.user, stage)
        require_director(role)
        data = self.valid(DeclinedIn)
        entrant = EntrantRow.objects.filter(flight=found.flight, ref=data["entrant"]).with_players().first()
        if entrant is None:
            message = _("There is no entrant %(ref)s here.") % {"ref": data["entrant"]}
            raise ValidationError({"entrant": [ErrorDetail(message, "unknown_entrant")]})
        after = decline(stage=found, entrant=entrant, user=request.user, declined=data["declined"])
        return self.one(FieldOut, after)
