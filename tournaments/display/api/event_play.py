"""API of an event's play."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.base import Access, ApiView
from scoring.players.api.play import LABEL, GroupPlayOut, told_of
from scoring.players.queries.play_rows import labels_among
from tournaments.display.queries.event_play import matches_seen_in
from tournaments.events.access import known_event


class EventPlay(ApiView):
    access = {"GET": Access(Public)}

    def known_parameters(self) -> set[str]:
        return {LABEL.name}

    @extend_schema(responses=GroupPlayOut, parameters=[LABEL], summary="How an event was played")
    def get(self, request: Request, event: str) -> Response:
        """PR list, luckiest match, best-played match and biggest blunder."""
        found, _role = known_event(request.user, event)
        seen = matches_seen_in(found, request.user)
        return self.one(GroupPlayOut, told_of(request, seen, labels_among(seen, viewer=request.user)))
