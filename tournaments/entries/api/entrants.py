"""API of entrants: list, enter, withdraw and check in."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.problem_kinds import SCOPE
from clubs.http.problems import refuse
from clubs.http.serializers import Strict
from clubs.models import ApiToken, Role, Scope
from tournaments.desk.services.departures import leave as leave_stage
from tournaments.entries.services.check_ins import check_in
from tournaments.entries.services.entries import enter, withdraw
from tournaments.events.access import known_entrant, known_event, require_director
from tournaments.events.api.base import (
    RUN,
    EntrantOut,
    NewEntrant,
    ShowsEntrants,
    entered,
    flight_of,
    players_named,
)
from tournaments.events.queries.events import is_drawn
from tournaments.models import EntrantRow, EntrantState, FeePayment


class Attendance(Strict):
    """Check-in of an entrant."""

    present = serializers.BooleanField(default=True)
    payment = serializers.ChoiceField(choices=FeePayment.choices, required=False)
    seen = serializers.ChoiceField(
        choices=EntrantState.choices, required=False, help_text="The state you last saw; 409 if it changed."
    )


class EventEntrants(ShowsEntrants, ApiView):
    access = {"GET": Access(Public), "POST": RUN}
    ordering = ("registered_at", "pk")

    @extend_schema(responses=EntrantOut(many=True), summary="List the entrants of an event")
    def get(self, request: Request, event: str) -> Response:
        """Only members of the club see the waiting list and withdrawn entrants."""
        found, role = known_event(request.user, event)
        self.met(role)
        rows = EntrantRow.objects.filter(flight__event=found).select_related("flight").with_players()
        return self.listed(rows.entered() if role is None else rows, EntrantOut)

    @extend_schema(request=NewEntrant, responses={201: EntrantOut}, summary="Enter a pair or team")
    def post(self, request: ApiRequest, event: str) -> Response:
        """For directors; on the waiting list when the flight is full."""
        data = self.valid(NewEntrant)
        found, role = known_event(request.user, event)
        require_director(role)
        self.met(role)
        entrant = enter(
            flight=flight_of(found, data.get("flight")),
            players=players_named(found.club, data["players"]),
            user=request.user,
            name=data["name"],
            payment=FeePayment(data["payment"]),
            override=data["override"],
            pools=data["pools"],
        )
        return entered(self, entrant)


class OneEntrant(ShowsEntrants, ApiView):
    access = {"GET": Access(Public), "DELETE": Access(SignedIn, Scope.RECORD)}

    @extend_schema(responses=EntrantOut, summary="Get an entrant")
    def get(self, request: Request, entrant: str) -> Response:
        found, role = known_entrant(request.user, entrant)
        self.met(role)
        return self.one(EntrantOut, found)

    @extend_schema(responses={204: None}, summary="Withdraw an entry before the draw")
    def delete(self, request: ApiRequest, entrant: str) -> Response:
        """After the draw, only directors; open matches are lost."""
        found, role = known_entrant(request.user, entrant)
        if request.user.pk not in {player.user_id for player in found.players}:
            require_director(role)
        if role is not None and role >= Role.DIRECTOR and is_drawn(found):
            if isinstance(request.auth, ApiToken) and not request.auth.allows(Scope.DIRECT):
                message = _("This token does not have the scope “%(scope)s”.") % {"scope": Scope.DIRECT.value}
                raise refuse(SCOPE, message)
            leave_stage(entrant=found, user=request.user)
        else:
            withdraw(entrant=found, user=request.user)
        return Response(status=204)


class CheckIn(ShowsEntrants, ApiView):
    access = {"POST": RUN}

    @extend_schema(request=Attendance, responses=EntrantOut, summary="Check in an entrant")
    def post(self, request: ApiRequest, entrant: str) -> Response:
        data = self.valid(Attendance)
        found, role = known_entrant(request.user, entrant)
        require_director(role)
        self.met(role)
        check_in(
            entrant=found,
            present=data["present"],
            user=request.user,
            seen=data.get("seen"),
            payment=FeePayment(data["payment"]) if "payment" in data else None,
        )
        return self.one(EntrantOut, known_entrant(request.user, entrant)[0])
