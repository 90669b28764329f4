"""API of results by directors: preview, record, correct and undo."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from scoring.rules.endings import Ending
from scoring.rules.sides import Side
from scoring.sheets.services.decisions import DirectedResult
from tournaments.desk.forms import LONGEST_TEXT, MOST_PENALTY
from tournaments.desk.services.penalties import penalise
from tournaments.desk.services.previews import CorrectionPreview, preview_correction, preview_reopening
from tournaments.desk.services.results import correct_result, match_of, reopen_result, report_result
from tournaments.events.access import (
    directed_pairing,
    known_pairing,
    require_director,
)
from tournaments.events.announcements import LONGEST
from tournaments.events.api.base import (
    RUN,
)
from tournaments.models import PairingRow
from tournaments.stages.api.stages import PairingOut

READ = Access(SignedIn)
MOST_BOARDS = 99
NOT_DECIDED = frozenset({Ending.VOID, Ending.PENALTY, Ending.WITHDRAWN})
"""Outcomes that follow from another action: void, penalty points, withdrawal."""


class DecisionIn(Strict):
    """A director's result: the points, or for other outcomes the winner."""

    ended = serializers.ChoiceField(
        choices=[each.value for each in Ending if each not in NOT_DECIDED], default="played"
    )
    points = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=LONGEST),
        min_length=2,
        max_length=2,
        required=False,
        help_text="Points of `a` and `b`.",
    )
    winner = serializers.ChoiceField(choices=["a", "b"], required=False)
    board = serializers.IntegerField(
        min_value=1, max_value=MOST_BOARDS, default=1, help_text="In a team match."
    )

    def decided(self) -> DirectedResult:
        """The checked result as a value."""
        data = self.validated_data
        ended, points = Ending(data["ended"]), data.get("points")
        if ended is Ending.PLAYED:
            return DirectedResult("white" if points[0] > points[1] else "black", tuple(points))
        if ended is Ending.DOUBLE_NO_SHOW:
            return DirectedResult("", None, ended)
        return DirectedResult("white" if data["winner"] == "a" else "black", None, ended)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        points = attrs.get("points")
        if attrs["ended"] == Ending.PLAYED:
            if points is None:
                raise ValidationError(
                    {"points": [ErrorDetail(_("The points of both sides are required."), "required")]}
                )
            if points[0] == points[1]:
                raise ValidationError(
                    {"points": [ErrorDetail(_("The points must differ: a match has a winner."), "no_winner")]}
                )
        elif attrs["ended"] != Ending.DOUBLE_NO_SHOW and "winner" not in attrs:
            raise ValidationError({"winner": [ErrorDetail(_("The winner is required."), "required")]})
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
        help_text="`sheet` of the preview; 409 if the scoresheet has grown.",
    )
    force = serializers.BooleanField(
        default=False, help_text="Record it although later matches depend on the old result: they are void."
    )
    stand = serializers.BooleanField(
        default=False, help_text="Let later matches stand instead; the bracket stays as it was played."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["force"] and attrs["stand"]:
            message = _("Later matches are either void or stand: send one of the two.")
            raise ValidationError({"stand": [ErrorDetail(message, "contradiction")]})
        return super().validate(attrs)


class MatchShiftOut(serializers.Serializer[Any]):
    """A match of the draw that changes, as text."""

    title = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()
    locked = serializers.BooleanField()


class PlaceShiftOut(serializers.Serializer[Any]):
    """A place that changes."""

    table = serializers.CharField()
    entrant = serializers.CharField(source="entrant.ref", help_text="A ref.")
    before = serializers.CharField()
    after = serializers.CharField()


class PrizeShiftOut(serializers.Serializer[Any]):
    """A prize that changes, in minor units."""

    entrant = serializers.CharField(source="entrant.ref", help_text="A ref.")
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class RatingShiftOut(serializers.Serializer[Any]):
    """A rating that changes; null if unrated."""

    player = serializers.CharField(source="player.ref", help_text="A ref.")
    before = serializers.FloatField(allow_null=True)
    after = serializers.FloatField(allow_null=True)


class PreviewOut(serializers.Serializer[CorrectionPreview]):
    """Effects of a result.

    `locked` are numbers of pairings that depend on the old one.
    """

    seen = serializers.IntegerField()
    sheet = serializers.IntegerField(help_text="Length of the scoresheet.")
    locked = serializers.ListField(child=serializers.IntegerField())
    overtaken = serializers.SerializerMethodField(help_text="Stages drawn from the old result.")
    matches = MatchShiftOut(many=True, source="lines")
    places = PlaceShiftOut(many=True)
    prizes = PrizeShiftOut(many=True)
    ratings = RatingShiftOut(many=True)
    can_void = serializers.BooleanField(help_text="With `force`, later matches are void.")
    can_stand = serializers.BooleanField(help_text="With `stand`, later matches stand.")
    prizes_open = serializers.BooleanField(help_text="The prizes of a finished draw are open again.")

    def get_overtaken(self, preview: CorrectionPreview) -> list[str]:
        return [stage.ref for stage in preview.overtaken]


class PreviewResult(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=DecisionIn, responses=PreviewOut, summary="Preview the effects of a result")
    def post(self, request: ApiRequest, pairing: str) -> Response:
        """Read-only; send `seen` with the decision."""
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
            decided=data["force"],
            stands=data["stand"],
            board=data["board"],
            sheet=data.get("sheet"),
        )
        return self.one(PairingOut, known_pairing(request.user, pairing)[0])


class DeskPairingOut(serializers.ModelSerializer[PairingRow]):
    """A match at the desk. Send `seen` with the next action.

    It changes with every action.
    """

    seen = serializers.IntegerField(source="desk_seq")

    class Meta:
        model = PairingRow
        fields = ["ref", "state", "table", "called_at", "started_at", "featured", "seen"]


class PenaltyIn(Strict):
    """Penalty points for one side; White is `a`, the left column."""

    to = serializers.ChoiceField(choices=[side.value for side in Side])
    points = serializers.IntegerField(min_value=1, max_value=MOST_PENALTY)
    board = serializers.IntegerField(
        min_value=1, max_value=MOST_BOARDS, default=1, help_text="In a team match."
    )
    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    reason = serializers.CharField(max_length=LONGEST_TEXT, default="", allow_blank=True)


class FirstResultIn(DecisionIn):
    """A first result, with `seen` of the match."""

    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    reason = serializers.CharField(max_length=200, default="", allow_blank=True)


class ReopenIn(Strict):
    """Undo a result; `seen` and `sheet` are from the preview."""

    board = serializers.IntegerField(
        min_value=1, max_value=MOST_BOARDS, default=1, help_text="In a team match."
    )
    sheet = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    reason = serializers.CharField(max_length=200)
    force = serializers.BooleanField(default=False)


class BoardAsked(serializers.Serializer[Any]):
    """A board of a team match."""

    board = serializers.IntegerField(
        min_value=1, max_value=MOST_BOARDS, default=1, help_text="In a team match."
    )


class Penalties(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=PenaltyIn, responses=DeskPairingOut, summary="Award penalty points")
    def post(self, request: ApiRequest, pairing: str) -> Response:
        data = self.valid(PenaltyIn)
        found = directed_pairing(request.user, pairing)
        penalise(
            pairing=found,
            to=Side(data["to"]),
            points=data["points"],
            user=request.user,
            seen=data.get("seen"),
            reason=data["reason"],
            board=data["board"],
        )
        found.refresh_from_db()
        return self.one(DeskPairingOut, found)


class ReportResult(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=FirstResultIn, responses=DeskPairingOut, summary="Record a first result")
    def post(self, request: ApiRequest, pairing: str) -> Response:
        """409 if the match has a result; correct it with `pairings/{ref}/result/`."""
        found = directed_pairing(request.user, pairing)
        body = FirstResultIn(data=request.data, context=self.get_serializer_context())
        body.is_valid(raise_exception=True)
        data = body.validated_data
        row = report_result(
            pairing=found,
            decision=body.decided(),
            user=request.user,
            seen=data.get("seen"),
            reason=data["reason"],
            board=data["board"],
        )
        return self.one(DeskPairingOut, row)


class Reopen(ApiView):
    access = {"GET": READ, "POST": RUN}

    def known_parameters(self) -> set[str]:
        """The board is a query parameter of GET and part of the body of POST."""
        return {"board"} if self.request.method in SAFE_METHODS else set()

    @extend_schema(
        parameters=[BoardAsked], responses=PreviewOut, summary="Preview the effects of undoing a result"
    )
    def get(self, request: ApiRequest, pairing: str) -> Response:
        """For directors; empty without a result."""
        found = directed_pairing(request.user, pairing)
        asked = BoardAsked(data=request.query_params)
        asked.is_valid(raise_exception=True)
        match = match_of(found, asked.validated_data["board"])
        return self.one(PreviewOut, preview_reopening(pairing=found, match=match))

    @extend_schema(request=ReopenIn, responses=DeskPairingOut, summary="Undo a result")
    def post(self, request: ApiRequest, pairing: str) -> Response:
        """The match continues where it left off."""
        data = self.valid(ReopenIn)
        row = reopen_result(
            pairing=directed_pairing(request.user, pairing),
            seen=data["seen"],
            user=request.user,
            reason=data["reason"],
            decided=data["force"],
            board=data["board"],
            sheet=data.get("sheet"),
        )
        return self.one(DeskPairingOut, row)
