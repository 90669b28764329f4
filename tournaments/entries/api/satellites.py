"""API of the entries that a satellite's winners win."""

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from clubs.http.base import ApiRequest, ApiView
from tournaments.entries.services.satellites import enter_winner
from tournaments.events.access import known_prize, require_director
from tournaments.events.api.base import RUN
from tournaments.money.api import PrizeOut


class PrizeEntry(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=PrizeOut, summary="Enter the winner of an entry")
    def post(self, request: ApiRequest, prize: str) -> Response:
        """In the event that the satellite is for, with fees paid by transfer."""
        found, role = known_prize(request.user, prize)
        require_director(role)
        return self.one(PrizeOut, enter_winner(prize=found, user=request.user))
