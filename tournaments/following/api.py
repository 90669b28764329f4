"""Standings and followed players over the API."""

from collections.abc import Iterator
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn
from clubs.api.base import Access, ApiRequest, ApiView
from clubs.models import Player, Scope
from scoring.log.queries.visible import player_seen_by
from scoring.matches.api import PlayerRefOut
from tournaments.events.access import known_stage
from tournaments.following.services import follow, unfollow
from tournaments.models import StageStatus
from tournaments.stages.queries.stage_picture import Picture, picture_of
from tournaments.stages.services.stages import load


class TieBreakOut(serializers.Serializer[Any]):
    """One tie-break of a row; higher is better, but of `direct_encounter`, a rank."""

    key = serializers.CharField()
    value = serializers.FloatField()


class StandingRowOut(serializers.Serializer[Any]):
    """An entrant's place, shared from `first` to `last`. Brackets have no score and no tie-breaks."""

    entrant = serializers.CharField(help_text="A ref.")
    first = serializers.IntegerField()
    last = serializers.IntegerField()
    left = serializers.BooleanField(help_text="Withdrawn or disqualified.")
    score = serializers.FloatField(allow_null=True)
    tie_breaks = TieBreakOut(many=True)


class StandingOut(serializers.Serializer[Any]):
    """The standing of a stage; empty before the draw and while nothing separates anybody."""

    final = serializers.BooleanField()
    rows = StandingRowOut(many=True)


class StageStanding(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=StandingOut, summary="The standing of a stage, with its tie-breaks")
    def get(self, request: Request, stage: str) -> Response:
        found, _role = known_stage(request.user, stage)
        if found.drawn_at is None:
            return self.one(StandingOut, {"final": False, "rows": []})
        picture = picture_of(found, load(found))
        final = found.status == StageStatus.FINISHED
        return self.one(StandingOut, {"final": final, "rows": list(_rows(picture))})


def _rows(picture: Picture) -> Iterator[dict[str, Any]]:
    scored = {row.place.entrant: row for row in picture.table}
    for place in picture.places:
        row = scored.get(place.entrant)
        yield {
            "entrant": picture.names[place.entrant].ref,
            "first": place.first,
            "last": place.last,
            "left": place.entrant in picture.value.gone,
            "score": row.score if row else None,
            "tie_breaks": [{"key": key, "value": value} for key, value in row.values] if row else [],
        }


class Follows(ApiView):
    access = {"GET": Access(SignedIn)}
    ordering = ("pk",)

    @extend_schema(responses=PlayerRefOut(many=True), summary="The players whom I follow")
    def get(self, request: ApiRequest) -> Response:
        rows = Player.objects.filter(followers__user=request.user).with_person()
        return self.listed(rows, PlayerRefOut)


class OneFollow(ApiView):
    access = {"PUT": Access(SignedIn, Scope.RECORD), "DELETE": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=None, responses={204: None}, summary="Follow a player")
    def put(self, request: ApiRequest, player: str) -> Response:
        follow(user=request.user, player=_known(request, player))
        return Response(status=204)

    @extend_schema(responses={204: None}, summary="Stop following a player")
    def delete(self, request: ApiRequest, player: str) -> Response:
        unfollow(user=request.user, player=_known(request, player))
        return Response(status=204)


def _known(request: ApiRequest, ref: str) -> Player:
    found = player_seen_by(request.user, ref)
    if found is None or found.erased_at is not None:
        raise Http404(_("There is no such player."))
    return found.merged_into or found
