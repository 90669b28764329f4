"""A player: known to whoever sees a match of theirs, or shares a club with them."""

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, Viewer
from clubs.api.base import Access, ApiView
from clubs.api.players import PlayerOut
from clubs.models import Player
from scoring.log.queries.visible import player_seen_by


class OnePlayer(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=PlayerOut, summary="A player")
    def get(self, request: Request, player: str) -> Response:
        """Yourself, somebody of a club in which you are too, or whoever played in a club that you may see."""
        return self.one(PlayerOut, known_player(request.user, player))


def known_player(viewer: Viewer, ref: str) -> Player:
    """The player of a ref, as the pages would show them. Raises Http404 where they are not known."""
    found = player_seen_by(viewer, ref)
    if found is None:
        raise Http404(_("There is no such player."))
    return found
