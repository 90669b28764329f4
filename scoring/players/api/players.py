"""A player: known to whoever sees a match of theirs, or shares a club with them."""

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
        """Yourself, somebody of a club in which you are too, or whoever played in a club that you may see."""
        return self.one(PlayerOut, known_player(request.user, player))
