"""API of followed players."""

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.models import Player, Scope
from scoring.log.api import PlayerRefOut
from scoring.log.queries.visible import player_seen_by
from tournaments.following.services import follow, unfollow


class Follows(ApiView):
    access = {"GET": Access(SignedIn)}
    ordering = ("pk",)

    @extend_schema(responses=PlayerRefOut(many=True), summary="List the players you follow")
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
        raise Http404(_("There is no player %(ref)s.") % {"ref": ref})
    return found.merged_into or found
