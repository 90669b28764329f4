"""API of players, visible through their matches and shared clubs."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.base import Access, ApiView
from clubs.people.api import PlayerOut
from scoring.log.api import known_player


class OnePlayer(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=PlayerOut, summary="A player")
    def get(self, request: Request, player: str) -> Response:
        """Yourself, a member of one of your clubs, or a player in a club you can see."""
        return self.one(PlayerOut, known_player(request.user, player))
