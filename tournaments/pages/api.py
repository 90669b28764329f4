"""Events over the API: the same services, and the same refusals, as the pages."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn, club_permission
from clubs.api.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.api.problems import SCOPE, refuse
from clubs.api.serializers import Strict
from clubs.models import ApiToken, Role, Scope
from scoring.formulas.policy import Ending
from scoring.sheets.services.overruling import Decision
from tournaments.desk.api.breaks import BreakOut
from tournaments.entries.services.presence import note_presence
from tournaments.entries.services.registration import register, withdraw
from tournaments.events.access import known_entrant, known_event, known_pairing, known_stage, require_director
from tournaments.events.api.base import (
    RUN,
    EntrantOut,
    NewEntrant,
    ShowsEntrants,
    entered,
    flight_of,
    players_named,
)
from tournaments.events.api.new_events import LONGEST, NewEvent
from tournaments.events.queries.events import is_drawn, stages_of
from tournaments.events.queries.visible import events_seen_by
from tournaments.events.services.events import announce
from tournaments.models import Entrant, EntrantState, Event, Pairing, Payment, Prize, Stage
from tournaments.money.services.payouts import approve_prizes
from tournaments.stages.services.acts import leave as leave_stage
from tournaments.stages.services.archives import archive_text, event_archive_text
from tournaments.stages.services.corrections import CorrectionPreview, correct_result, preview_correction
from tournaments.stages.services.drawing import draw_stage

MOST_BOARDS = 99


class EventOut(serializers.ModelSerializer[Event]):
    """An event. Its stages hold the draws."""

    club = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True)
    breaks = BreakOut(many=True, source="pauses", read_only=True)
    page = serializers.SerializerMethodField()

    class Meta:
        model = Event
        fields = [
            *("ref", "club", "name", "starts_at", "zone", "status", "rated", "hidden", "members_only"),
            *("entries_from", "entries_until", "breaks", "page"),
        ]

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_page(self, event: Event) -> str:
        address: str = self.context["request"].build_absolute_uri(event.get_absolute_url())
        return address


class Presence(Strict):
    """Whether the entrant is there."""

    present = serializers.BooleanField(default=True)
    payment = serializers.ChoiceField(choices=Payment.choices, required=False)
    seen = serializers.ChoiceField(
        choices=EntrantState.choices, required=False, help_text="The entrant's state as it was known."
    )


class PairingOut(serializers.ModelSerializer[Pairing]):
    """Two entrants who meet; `b` is null for a bye. White, the left column of the match, is `a`."""

    a = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)
    b = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True, allow_null=True)
    winner = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True, allow_null=True)
    match = serializers.SerializerMethodField(help_text="The ref of the match, null for a bye.")

    class Meta:
        model = Pairing
        fields = [
            *("ref", "number", "round", "a", "b", "state", "winner", "ended", "length", "match"),
            *("deadline", "proposed_at", "agreed_at"),
        ]

    def get_match(self, pairing: Pairing) -> str | None:
        return next((board.match.ref for board in pairing.boards.all()), None)


class SupersededOut(serializers.Serializer[Any]):
    """A draw that was taken back before play: the hash that was shown, the seed behind it, and when."""

    seed_hash = serializers.CharField()
    seed = serializers.CharField()
    drawn_at = serializers.CharField()
    taken_back_at = serializers.CharField()
    dice_hash = serializers.CharField(
        default="", allow_blank=True, help_text="Of duplicate dice, empty without them."
    )
    dice_seed = serializers.CharField(default="", allow_blank=True)


class StageOut(serializers.ModelSerializer[Stage]):
    """A stage with its draw. The seed is null until it was used; its hash is known before.

    So it is with the seed of duplicate dice, which is null until the stage is over.
    """

    flight = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)
    seed = serializers.SerializerMethodField()
    dice_hash = serializers.CharField(read_only=True, allow_blank=True)
    dice_seed = serializers.SerializerMethodField()
    superseded = serializers.SerializerMethodField(help_text="Draws that were taken back before play.")
    log_length = serializers.IntegerField(source="head_seq", help_text="What `seen` of a result refers to.")

    class Meta:
        model = Stage
        fields = [
            *("ref", "flight", "name", "format", "options", "length", "lengths", "starts", "feeds", "boards"),
            *(
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

    def get_seed(self, stage: Stage) -> str | None:
        return stage.seed if stage.drawn_at else None

    @extend_schema_field(SupersededOut(many=True))
    def get_superseded(self, stage: Stage) -> Any:
        return SupersededOut(stage.superseded, many=True).data

    def get_dice_seed(self, stage: Stage) -> str | None:
        return stage.dice_seed if stage.duplicate_dice and stage.is_over else None


class DecisionIn(Strict):
    """A director's result: the points of both when it was played out, else who won."""

    ended = serializers.ChoiceField(
        choices=[each.value for each in Ending if each not in {Ending.VOID, Ending.PENALTY}], default="played"
    )
    points = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=LONGEST),
        min_length=2,
        max_length=2,
        required=False,
        help_text="Those of `a` and `b`.",
    )
    winner = serializers.ChoiceField(choices=["a", "b"], required=False)
    board = serializers.IntegerField(
        min_value=1, max_value=MOST_BOARDS, default=1, help_text="Of a team tie."
    )

    def decided(self) -> Decision:
        """The checked result as a value."""
        data = self.validated_data
        ended, points = Ending(data["ended"]), data.get("points")
        if ended is Ending.PLAYED:
            return Decision("white" if points[0] > points[1] else "black", tuple(points))
        if ended is Ending.DOUBLE_NO_SHOW:
            return Decision("", None, ended)
        return Decision("white" if data["winner"] == "a" else "black", None, ended)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        points = attrs.get("points")
        if attrs["ended"] == Ending.PLAYED:
            if points is None:
                raise ValidationError(
                    {"points": [ErrorDetail(_("Both sides' points are needed."), "required")]}
                )
            if points[0] == points[1]:
                raise ValidationError({"points": [ErrorDetail(_("Somebody has won."), "no_winner")]})
        elif attrs["ended"] != Ending.DOUBLE_NO_SHOW and "winner" not in attrs:
            raise ValidationError({"winner": [ErrorDetail(_("Say who won."), "required")]})
        return attrs


class ResultIn(DecisionIn):
    """A decision, with the length of the stage's log that it was made at."""

    seen = serializers.IntegerField(
        min_value=0, help_text="`seen` of the preview, or the stage's `log_length`."
    )
    reason = serializers.CharField(max_length=200, default="", allow_blank=True)
    sheet = serializers.IntegerField(
        min_value=0,
        required=False,
        help_text="`sheet` of the preview: 409 when something was written on it since.",
    )
    decided_all_the_same = serializers.BooleanField(
        default=False, help_text="Change it although others stand on it."
    )


class MatchShiftOut(serializers.Serializer[Any]):
    """A match of the draw that would be another, in words."""

    title = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()
    locked = serializers.BooleanField()


class PlaceShiftOut(serializers.Serializer[Any]):
    """A place that would be another."""

    table = serializers.CharField()
    entrant = serializers.CharField(source="entrant.ref", help_text="A ref.")
    before = serializers.CharField()
    after = serializers.CharField()


class PrizeShiftOut(serializers.Serializer[Any]):
    """A prize that would be another, in minor units."""

    entrant = serializers.CharField(source="entrant.ref", help_text="A ref.")
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class RatingShiftOut(serializers.Serializer[Any]):
    """A rating that would be another; null without one."""

    player = serializers.CharField(source="player.ref", help_text="A ref.")
    before = serializers.FloatField(allow_null=True)
    after = serializers.FloatField(allow_null=True)


class PreviewOut(serializers.Serializer[CorrectionPreview]):
    """Everything that a result would change; `locked` are numbers of pairings that stand on the old one."""

    seen = serializers.IntegerField()
    sheet = serializers.IntegerField(help_text="How long the match's sheet is.")
    locked = serializers.ListField(child=serializers.IntegerField())
    overtaken = serializers.SerializerMethodField(help_text="Stages that were drawn on the old result.")
    matches = MatchShiftOut(many=True, source="lines")
    places = PlaceShiftOut(many=True)
    prizes = PrizeShiftOut(many=True)
    ratings = RatingShiftOut(many=True)

    def get_overtaken(self, preview: CorrectionPreview) -> list[str]:
        return [stage.ref for stage in preview.overtaken]


class PrizeOut(serializers.ModelSerializer[Prize]):
    """A prize, in minor units of the club's currency."""

    flight = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)
    entrant = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)

    class Meta:
        model = Prize
        fields = ["ref", "flight", "entrant", "source", "amount", "agreed", "paid_at"]


class PrizesOut(serializers.Serializer[Any]):
    """The prizes that were written down; their sum is the pool."""

    prizes = PrizeOut(many=True)


class ClubEvents(ApiView):
    access = {"GET": Access(club_permission()), "POST": Access(club_permission(Role.DIRECTOR), Scope.DIRECT)}
    ordering = ("-starts_at", "-ref")

    @extend_schema(responses=EventOut(many=True), summary="A club's events, the newest first")
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


class EventEntrants(ShowsEntrants, ApiView):
    access = {"GET": Access(Public), "POST": RUN}
    ordering = ("registered_at", "pk")

    @extend_schema(responses=EntrantOut(many=True), summary="Who is in an event")
    def get(self, request: Request, event: str) -> Response:
        """The waiting list, and who withdrew, are for people of the club."""
        found, role = known_event(request.user, event)
        self.met(role)
        rows = Entrant.objects.filter(flight__event=found).select_related("flight").with_players()
        return self.listed(rows.entered() if role is None else rows, EntrantOut)

    @extend_schema(request=NewEntrant, responses={201: EntrantOut}, summary="Enter players as one")
    def post(self, request: ApiRequest, event: str) -> Response:
        """For directors; on the waiting list when the flight is full."""
        data = self.valid(NewEntrant)
        found, role = known_event(request.user, event)
        require_director(role)
        self.met(role)
        entrant = register(
            flight=flight_of(found, data.get("flight")),
            players=players_named(found.club, data["players"]),
            user=request.user,
            name=data["name"],
            payment=Payment(data["payment"]),
            override=data["override"],
            pools=data["pools"],
        )
        return entered(self, entrant)


class OneEntrant(ShowsEntrants, ApiView):
    access = {"GET": Access(Public), "DELETE": Access(SignedIn, Scope.RECORD)}

    @extend_schema(responses=EntrantOut, summary="An entrant")
    def get(self, request: Request, entrant: str) -> Response:
        found, role = known_entrant(request.user, entrant)
        self.met(role)
        return self.one(EntrantOut, found)

    @extend_schema(responses={204: None}, summary="Take an entry back before the draw")
    def delete(self, request: ApiRequest, entrant: str) -> Response:
        """After the draw a director takes the entrant out of what is left; open matches are lost."""
        found, role = known_entrant(request.user, entrant)
        if request.user.pk not in {player.user_id for player in found.players}:
            require_director(role)
        if role is not None and role >= Role.DIRECTOR and is_drawn(found):
            if isinstance(request.auth, ApiToken) and not request.auth.allows(Scope.DIRECT):
                message = _("The token lacks the scope “%(scope)s”.") % {"scope": Scope.DIRECT.value}
                raise refuse(SCOPE, message)
            leave_stage(entrant=found, user=request.user)
        else:
            withdraw(entrant=found, user=request.user)
        return Response(status=204)


class CheckIn(ShowsEntrants, ApiView):
    access = {"POST": RUN}

    @extend_schema(request=Presence, responses=EntrantOut, summary="Note who is there")
    def post(self, request: ApiRequest, entrant: str) -> Response:
        data = self.valid(Presence)
        found, role = known_entrant(request.user, entrant)
        require_director(role)
        self.met(role)
        note_presence(
            entrant=found,
            present=data["present"],
            user=request.user,
            seen=data.get("seen"),
            payment=Payment(data["payment"]) if "payment" in data else None,
        )
        return self.one(EntrantOut, known_entrant(request.user, entrant)[0])


class EventStages(ApiView):
    access = {"GET": Access(Public)}
    ordering = ("flight__position", "position", "pk")

    @extend_schema(responses=StageOut(many=True), summary="The stages of an event")
    def get(self, request: Request, event: str) -> Response:
        found, _role = known_event(request.user, event)
        return self.listed(Stage.objects.filter(flight__event=found).select_related("flight"), StageOut)


class OneStage(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=StageOut, summary="A stage")
    def get(self, request: Request, stage: str) -> Response:
        return self.one(StageOut, known_stage(request.user, stage)[0])


class Draw(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=StageOut, summary="Make the draw, once")
    def post(self, request: ApiRequest, event: str) -> Response:
        found, role = known_event(request.user, event)
        require_director(role)
        stage = draw_stage(stage=stages_of(found)[0], user=request.user)
        return self.one(StageOut, stage)


class Archive(serializers.Serializer[Any]):
    """A drawn stage as `manage.py check_draw` reads it: refs, never names."""

    archive = serializers.CharField(help_text="JSON text.")


class StageArchive(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=Archive, summary="A draw that anybody can check")
    def get(self, request: Request, stage: str) -> Response:
        found, _role = known_stage(request.user, stage)
        return Response({"archive": archive_text(found)})


class EventArchive(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=Archive, summary="All draws of an event that anybody can check")
    def get(self, request: Request, event: str) -> Response:
        """Of every stage the hash that was shown, the seed, the draw, the results; how they filled others."""
        found, _role = known_event(request.user, event)
        return Response({"archive": event_archive_text(found)})


class StagePairings(ApiView):
    access = {"GET": Access(Public)}
    ordering = ("round", "number", "pk")

    @extend_schema(responses=PairingOut(many=True), summary="Who meets whom in a stage")
    def get(self, request: Request, stage: str) -> Response:
        found, _role = known_stage(request.user, stage)
        rows = Pairing.objects.filter(stage=found).current().select_related("a", "b", "winner")
        return self.listed(rows.prefetch_related("boards__match"), PairingOut)


class PreviewResult(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=DecisionIn, responses=PreviewOut, summary="What a result would change")
    def post(self, request: ApiRequest, pairing: str) -> Response:
        """Nothing is changed; send `seen` back with the decision."""
        found, role = known_pairing(request.user, pairing)
        require_director(role)
        body = DecisionIn(data=request.data, context=self.get_serializer_context())
        body.is_valid(raise_exception=True)
        preview = preview_correction(
            pairing=found, decision=body.decided(), board=body.validated_data["board"]
        )
        return self.one(PreviewOut, preview)


class PairingResult(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=ResultIn, responses=PairingOut, summary="Record or correct a result at the desk")
    def post(self, request: ApiRequest, pairing: str) -> Response:
        found, role = known_pairing(request.user, pairing)
        require_director(role)
        body = ResultIn(data=request.data, context=self.get_serializer_context())
        body.is_valid(raise_exception=True)
        data = body.validated_data
        correct_result(
            pairing=found,
            decision=body.decided(),
            seen=data["seen"],
            user=request.user,
            reason=data["reason"],
            decided=data["decided_all_the_same"],
            board=data["board"],
            sheet=data.get("sheet"),
        )
        return self.one(PairingOut, known_pairing(request.user, pairing)[0])


class PrizesOf(Strict):
    """Whose prizes: the first flight's when none is named."""

    flight = serializers.CharField(max_length=10, required=False, help_text="A ref.")
    seen = serializers.DictField(
        child=serializers.IntegerField(),
        required=False,
        help_text="The amounts that are written down by the prize's ref, as they were known: 409 for others.",
    )


class Prizes(ApiView):
    access = {"GET": Access(Public), "POST": RUN}
    ordering = ("-amount", "pk")

    @extend_schema(responses=PrizeOut(many=True), summary="The approved prizes of an event")
    def get(self, request: Request, event: str) -> Response:
        found, _role = known_event(request.user, event)
        return self.listed(
            Prize.objects.filter(flight__event=found).select_related("entrant", "flight"), PrizeOut
        )

    @extend_schema(
        operation_id="approve_prizes",
        request=PrizesOf,
        responses=PrizesOut,
        summary="Compute and approve the prizes",
    )
    def post(self, request: ApiRequest, event: str) -> Response:
        found, role = known_event(request.user, event)
        require_director(role)
        data = self.valid(PrizesOf)
        flight = flight_of(found, data.get("flight"))
        prizes = approve_prizes(flight=flight, user=request.user, seen=data.get("seen"))
        return self.one(PrizesOut, {"prizes": prizes})
