"""API to read the ties of a stage and to settle them."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from scoring.rules.match import LONGEST_MATCH
from tournaments.core.standings.choices import OFFERED
from tournaments.events.access import known_stage, require_director
from tournaments.events.api.base import RUN
from tournaments.models import StageRow
from tournaments.stages.queries.ties import NO_TIES
from tournaments.stages.services.feeds import ties_of
from tournaments.stages.services.settling import DECISIONS, settle_tie
from tournaments.stages.services.stages import load


class StakeOut(serializers.Serializer[Any]):
    """`qualify`: who goes on to stage `into`; `seeding`: their order there; `first`: the winner."""

    kind = serializers.ChoiceField(choices=["qualify", "seeding", "first"])
    into = serializers.CharField(allow_blank=True, help_text="Ref of a stage, or empty.")


class TieValuesOut(serializers.Serializer[Any]):
    """A tie-break's value for each entrant of the tie, in their order; null where it was not needed."""

    key = serializers.CharField()
    values = serializers.ListField(child=serializers.FloatField(allow_null=True))


class TieOut(serializers.Serializer[Any]):
    """Entrants who are level on every tie-break, on the ranks `first` to `last` of those still in."""

    entrants = serializers.ListField(child=serializers.CharField(), help_text="Refs.")
    first = serializers.IntegerField()
    last = serializers.IntegerField()
    score = serializers.FloatField()
    tie_breaks = TieValuesOut(many=True)
    decides = StakeOut(many=True)
    blocks = serializers.BooleanField(help_text="The stage it feeds cannot be drawn before it is settled.")
    offers = serializers.ListField(
        child=serializers.CharField(), help_text="Tie-breaks that would separate them."
    )
    lot_hash = serializers.CharField(
        allow_blank=True, help_text="Hash of the sealed seed of an announced lot, or empty."
    )


class TieDecisionOut(serializers.Serializer[Any]):
    """A decision on a tie: its entrants best first, with their values once it is over."""

    entrants = serializers.ListField(child=serializers.CharField(), help_text="Refs.")
    decision = serializers.ChoiceField(choices=["tie_break", "lot", "playoff"])
    tie_break = serializers.CharField(allow_blank=True, help_text="Empty for a lot and a playoff.")
    values = serializers.ListField(child=serializers.FloatField())
    seed = serializers.CharField(allow_blank=True, help_text="Of a lot, revealed by it; else empty.")
    hash = serializers.CharField(
        allow_blank=True, help_text="Of that seed, shown before the lot; else empty."
    )
    over = serializers.BooleanField(help_text="False while a playoff is in progress.")
    holds = serializers.BooleanField(help_text="False if a correction has changed who is level.")


class StageTiesOut(serializers.Serializer[Any]):
    """The ties of a stage that decide something, and the decisions made; empty before its last match."""

    seen = serializers.IntegerField(help_text="The stage's `log_length`.")
    ties = TieOut(many=True)
    decisions = TieDecisionOut(many=True)


class StageTieIn(Strict):
    """A decision on the tie of these entrants.

    `tie_break` applies a further one; `announce_lot` seals a seed and returns its hash; `lot` draws it;
    `playoff` publishes matches; `undo` undoes the last decision.
    """

    entrants = serializers.ListField(
        child=serializers.CharField(max_length=10), min_length=2, max_length=4096, help_text="Refs."
    )
    decision = serializers.ChoiceField(choices=list(DECISIONS))
    tie_break = serializers.ChoiceField(choices=list(OFFERED), required=False)
    length = serializers.IntegerField(
        min_value=1, max_value=LONGEST_MATCH, required=False, help_text="Points of a playoff match."
    )
    seen = serializers.IntegerField(min_value=0, required=False, help_text="The stage's `log_length`.")


class TiesOfStage(ApiView):
    access = {"GET": Access(Public), "POST": RUN}

    @extend_schema(responses=StageTiesOut, summary="List the ties of a stage")
    def get(self, request: Request, stage: str) -> Response:
        found, _role = known_stage(request.user, stage)
        return self._told(found)

    @extend_schema(request=StageTieIn, responses=StageTiesOut, summary="Settle a tie")
    def post(self, request: ApiRequest, stage: str) -> Response:
        """409 while matches are open, for entrants who are not level, and once a later draw depends on it."""
        found, role = known_stage(request.user, stage)
        require_director(role)
        data = self.valid(StageTieIn)
        settle_tie(
            stage=found,
            decision=data["decision"],
            entrants=data["entrants"],
            key=data.get("tie_break", ""),
            length=data.get("length"),
            user=request.user,
            seen=data.get("seen"),
        )
        return self._told(known_stage(request.user, stage)[0])

    def _told(self, stage: StageRow) -> Response:
        ties = ties_of(stage, load(stage)) if stage.drawn_at is not None else NO_TIES
        body = {
            "seen": stage.head_seq,
            "ties": [
                {
                    "entrants": tie.refs,
                    "first": tie.first,
                    "last": tie.last,
                    "score": tie.score,
                    "tie_breaks": [{"key": key, "values": values} for key, values in tie.values],
                    "decides": tie.stakes,
                    "blocks": tie.matters,
                    "offers": tie.offers,
                    "lot_hash": tie.lot_hash,
                }
                for tie in ties.open
            ],
            "decisions": [
                {
                    "entrants": tie.refs,
                    "decision": tie.how,
                    "tie_break": tie.key if tie.how == "tie_break" else "",
                    "values": tie.values,
                    "seed": tie.seed,
                    "hash": tie.hash,
                    "over": tie.over,
                    "holds": tie.holds,
                }
                for tie in ties.settled
            ],
        }
        return self.one(StageTiesOut, body)
