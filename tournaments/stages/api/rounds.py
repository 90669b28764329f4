"""API to read and publish the next round of a stage."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Scope
from tournaments.events.access import known_stage, require_director
from tournaments.models import StageRow
from tournaments.stages.services.labels import as_listed_when_due
from tournaments.stages.services.rounds import (
    let_rounds_wait,
    next_round,
    pair_round,
    require_rounds,
    withdraw_round,
)
from tournaments.stages.services.stages import load

MOST_PAIRS = 4096


class MeetingOut(serializers.Serializer[Any]):
    """Two entrants by ref; `b` is null for a bye. `number` is 0 before publication."""

    number = serializers.IntegerField()
    a = serializers.CharField(source="a.ref")
    b = serializers.CharField(source="b.ref", allow_null=True, default=None)


class RoundOut(serializers.Serializer[Any]):
    """The state of the next round.

    `due` are the pairings by the format; empty while matches are open and after the last round. Where the
    round is `blocked`, they have the fewest forbidden pairs: change the list, and it is paired.
    """

    manual = serializers.BooleanField(help_text="Whether a director publishes each round.")
    number = serializers.IntegerField()
    open = MeetingOut(many=True)
    unconfirmed = MeetingOut(many=True)
    due = MeetingOut(many=True)
    blocked = serializers.BooleanField(help_text="Whether forbidden pairs leave no pairing.")
    seen = serializers.IntegerField(help_text="The stage's `log_length`.")


class PairIn(Strict):
    """Two entrants by ref; leave out `b` for a bye."""

    a = serializers.CharField(max_length=10)
    b = serializers.CharField(max_length=10, required=False, allow_null=True)


class RoundIn(Strict):
    """The next round: paired by the format, or by hand in `pairs`."""

    pairs = serializers.ListField(child=PairIn(), required=False, max_length=MOST_PAIRS, min_length=1)
    unconfirmed = serializers.BooleanField(
        default=False, help_text="Pair the round on unconfirmed results too."
    )
    rematches = serializers.BooleanField(
        default=False, help_text="Allow rematches in `pairs`; without it 409 names them."
    )
    seen = serializers.IntegerField(min_value=0, required=False, help_text="The stage's `log_length`.")


class RoundPairingIn(Strict):
    """Whether a director publishes each round."""

    manual = serializers.BooleanField()
    seen = serializers.IntegerField(min_value=0, required=False, help_text="The stage's `log_length`.")


class SeenRoundIn(Strict):
    """The draw that the director saw."""

    seen = serializers.IntegerField(min_value=0, required=False, help_text="The stage's `log_length`.")


class StageRound(ApiView):
    access = {
        "GET": Access(SignedIn),
        "POST": Access(SignedIn, Scope.DIRECT),
        "PUT": Access(SignedIn, Scope.DIRECT),
        "DELETE": Access(SignedIn, Scope.DIRECT),
    }
    refused = ("GET",)

    def known_parameters(self) -> set[str]:
        """A withdrawal has no body: what was seen is a query parameter."""
        return {"seen"} if self.request.method == "DELETE" else super().known_parameters()

    @extend_schema(responses=RoundOut, summary="Get what the next round is waiting for")
    def get(self, request: Request, stage: str) -> Response:
        """Directors only. 409 for a format that is not paired round by round."""
        found, role = known_stage(request.user, stage)
        require_director(role)
        return self._told(found)

    @extend_schema(request=RoundIn, responses=RoundOut, summary="Publish the next round")
    def post(self, request: ApiRequest, stage: str) -> Response:
        """Only where a director publishes rounds. 409 names open or unconfirmed matches.

        The response is the state of the round after this one.
        """
        found, role = known_stage(request.user, stage)
        require_director(role)
        data = self.valid(RoundIn)
        pairs = None
        if "pairs" in data:
            pairs = [(each["a"], each.get("b") or "") for each in data["pairs"]]
        pair_round(
            stage=found,
            user=request.user,
            pairs=pairs,
            seen=data.get("seen"),
            unconfirmed=data["unconfirmed"],
            rematches=data["rematches"],
        )
        return self._told(known_stage(request.user, stage)[0])

    @extend_schema(
        request=RoundPairingIn, responses=RoundOut, summary="Set whether rounds wait for a director"
    )
    def put(self, request: ApiRequest, stage: str) -> Response:
        found, role = known_stage(request.user, stage)
        require_director(role)
        data = self.valid(RoundPairingIn)
        let_rounds_wait(stage=found, wait=data["manual"], user=request.user, seen=data.get("seen"))
        return self._told(known_stage(request.user, stage)[0])

    @extend_schema(parameters=[SeenRoundIn], responses=RoundOut, summary="Withdraw the last round")
    def delete(self, request: ApiRequest, stage: str) -> Response:
        """Before any of its matches has begun; rounds then wait for a director. 409 names those that have.

        The response is the state of the withdrawn round.
        """
        found, role = known_stage(request.user, stage)
        require_director(role)
        asked = SeenRoundIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        withdraw_round(stage=found, user=request.user, seen=asked.validated_data.get("seen"))
        return self._told(known_stage(request.user, stage)[0])

    def _told(self, stage: StageRow) -> Response:
        require_rounds(stage)
        body: dict[str, Any] = {"manual": stage.rounds_wait, "seen": stage.head_seq}
        if stage.drawn_at is None:
            none: dict[str, Any] = {"open": [], "unconfirmed": [], "due": [], "blocked": False}
            return self.one(RoundOut, body | {"number": 1} | none)
        coming = next_round(stage, as_listed_when_due(stage, load(stage)))
        parts = ("number", "open", "unconfirmed", "due", "blocked")
        return self.one(RoundOut, body | {name: getattr(coming, name) for name in parts})
