"""API for stages: draws, pairings and audit files."""

from functools import cached_property
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.base import Access, ApiRequest, ApiView
from scoring.codec import to_plain
from tournaments.core.play.feeding import Rule
from tournaments.core.play.ties import SETTLED
from tournaments.events.access import known_event, known_stage, require_director
from tournaments.events.api.base import RUN
from tournaments.events.queries.events import stages_of
from tournaments.models import PairingRow, StageRow
from tournaments.stages.queries.draw_page import numbered_round, round_titles
from tournaments.stages.queries.stage_table import tie_breaks_of
from tournaments.stages.services.archives import archive_text, event_archive_text
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.stages import load


class PairingOut(serializers.ModelSerializer[PairingRow]):
    """Two entrants; `b` is null for a bye. White, the left column, is `a`."""

    a = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)
    b = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True, allow_null=True)
    winner = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True, allow_null=True)
    match = serializers.SerializerMethodField(help_text="The ref of the match, null for a bye.")

    class Meta:
        model = PairingRow
        fields = [
            *("ref", "number", "round", "a", "b", "state", "winner", "ended", "length"),
            *("match", "deadline", "proposed_at", "agreed_at"),
        ]

    def get_match(self, pairing: PairingRow) -> str | None:
        return next((board.match.ref for board in pairing.boards.all()), None)


class ListedPairingOut(PairingOut):
    """A pairing in a list, with the name of its round."""

    round_name = serializers.SerializerMethodField(help_text="Name of the round, such as `Quarter-finals`.")

    class Meta(PairingOut.Meta):
        fields = [*PairingOut.Meta.fields, "round_name"]

    def get_round_name(self, pairing: PairingRow) -> str:
        if not pairing.stage.is_bracket:
            return numbered_round(pairing.round)
        if pairing.stage_id not in self._titles:
            self._titles[pairing.stage_id] = round_titles(load(pairing.stage))
        return self._titles[pairing.stage_id][pairing.number]

    @cached_property
    def _titles(self) -> dict[int, dict[int, str]]:
        """Round names by match, per stage key: computed once for a whole list."""
        return {}


class SupersededOut(serializers.Serializer[Any]):
    """A draw undone before play: its hash, its seed and when."""

    seed_hash = serializers.CharField()
    seed = serializers.CharField()
    drawn_at = serializers.CharField()
    redrawn_at = serializers.CharField(source="taken_back_at")
    dice_hash = serializers.CharField(
        default="", allow_blank=True, help_text="Hash of the duplicate dice, empty without them."
    )
    dice_seed = serializers.CharField(default="", allow_blank=True)


class StageOut(serializers.ModelSerializer[StageRow]):
    """A stage with its draw.

    The seed is null before the draw; its hash is always known. The seed of duplicate dice is null until the
    stage is over.
    """

    flight = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)
    seed = serializers.SerializerMethodField()
    dice_hash = serializers.CharField(read_only=True, allow_blank=True)
    dice_seed = serializers.SerializerMethodField()
    feeds = serializers.SerializerMethodField(help_text="Rules by which it feeds other stages, in order.")
    tie_breaks = serializers.SerializerMethodField(help_text="In order; empty for a bracket or ladder.")
    superseded = serializers.SerializerMethodField(help_text="Draws undone before play.")
    log_length = serializers.IntegerField(source="head_seq", help_text="The value to send as `seen`.")

    class Meta:
        model = StageRow
        fields = [
            *("ref", "flight", "name", "format", "options", "length", "lengths", "starts", "feeds", "boards"),
            *(
                "tie_breaks",
                "status",
                "seed_hash",
                "seed",
                "dice_hash",
                "dice_seed",
                "drawn_at",
                "confirmed_at",
                "superseded",
                "log_length",
            ),
        ]

    def get_seed(self, stage: StageRow) -> str | None:
        return stage.seed if stage.drawn_at else None

    @extend_schema_field(serializers.ListField(child=serializers.DictField()))
    def get_feeds(self, stage: StageRow) -> list[Any]:
        return [to_plain(rule, Rule) for rule in stage.rules]

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_tie_breaks(self, stage: StageRow) -> list[str]:
        return list(tie_breaks_of(stage)) if stage.format in SETTLED else []

    @extend_schema_field(SupersededOut(many=True))
    def get_superseded(self, stage: StageRow) -> Any:
        return SupersededOut(stage.superseded, many=True).data

    def get_dice_seed(self, stage: StageRow) -> str | None:
        return stage.dice_seed if stage.duplicate_dice and stage.is_over else None


class EventStages(ApiView):
    access = {"GET": Access(Public)}
    ordering = ("flight__position", "position", "pk")

    @extend_schema(responses=StageOut(many=True), summary="List the stages of an event")
    def get(self, request: Request, event: str) -> Response:
        found, _role = known_event(request.user, event)
        return self.listed(
            StageRow.objects.with_feeds().filter(flight__event=found).select_related("flight"), StageOut
        )


class OneStage(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=StageOut, summary="Get a stage")
    def get(self, request: Request, stage: str) -> Response:
        return self.one(StageOut, known_stage(request.user, stage)[0])


class Draw(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=StageOut, summary="Draw the first stage")
    def post(self, request: ApiRequest, event: str) -> Response:
        found, role = known_event(request.user, event)
        require_director(role)
        stage = draw_stage(stage=stages_of(found)[0], user=request.user)
        return self.one(StageOut, stage)


class ArchiveOut(serializers.Serializer[Any]):
    """A drawn stage as read by `manage.py check_draw`: refs, no names."""

    archive = serializers.CharField(help_text="JSON text.")


class StageArchive(ApiView):
    access = {"GET": Access(Public)}
    refused = ("GET",)

    @extend_schema(responses=ArchiveOut, summary="Get the audit file of a draw")
    def get(self, request: Request, stage: str) -> Response:
        """Hash, seed, draw and results; 409 before the draw."""
        found, _role = known_stage(request.user, stage)
        return Response({"archive": archive_text(found)})


class ArchiveOfEvent(ApiView):
    access = {"GET": Access(Public)}
    refused = ("GET",)

    @extend_schema(responses=ArchiveOut, summary="Get the audit file of an event")
    def get(self, request: Request, event: str) -> Response:
        """Hash, seed, draw and results of every stage, and the rules that fed others; 409 before the draw."""
        found, _role = known_event(request.user, event)
        return Response({"archive": event_archive_text(found)})


class StagePairings(ApiView):
    access = {"GET": Access(Public)}
    ordering = ("round", "number", "pk")

    @extend_schema(responses=ListedPairingOut(many=True), summary="List the pairings of a stage")
    def get(self, request: Request, stage: str) -> Response:
        found, _role = known_stage(request.user, stage)
        rows = PairingRow.objects.filter(stage=found).current().select_related("stage", "a", "b", "winner")
        return self.listed(rows.prefetch_related("boards__match"), ListedPairingOut)
