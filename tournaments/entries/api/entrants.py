"""API of entrants: list, enter, withdraw and check in."""

from typing import cast

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
from tournaments.entries.forms.entry import HIGHEST_RATING, HIGHEST_SEED
from tournaments.entries.services.check_ins import check_in
from tournaments.entries.services.entries import enter, withdraw
from tournaments.entries.services.entry_changes import EntryValues, change_entry
from tournaments.events.access import known_entrant, known_event, require_director
from tournaments.events.api.base import (
    RUN,
    EntrantOut,
    NewEntrant,
    ShowsEntrants,
    entered,
    entering,
    flight_of,
)
from tournaments.models import EntrantRow, EntrantState, FeePayment
from tournaments.money.amounts import LARGEST


class Attendance(Strict):
    """Check-in of an entrant."""

    present = serializers.BooleanField(default=True)
    payment = serializers.ChoiceField(choices=FeePayment.choices, required=False)
    seen = serializers.ChoiceField(
        choices=EntrantState.choices, required=False, help_text="The state you last saw; 409 if it changed."
    )


class EntrantSeen(Strict):
    """The values you last saw; 409 if they changed."""

    payment = serializers.ChoiceField(choices=FeePayment.choices, required=False)
    outstanding = serializers.IntegerField(min_value=0, required=False)
    other_way = serializers.IntegerField(min_value=0, required=False)
    seed = serializers.IntegerField(min_value=1, required=False, allow_null=True)
    rating = serializers.FloatField(required=False, allow_null=True)
    pools = serializers.ListField(child=serializers.CharField(max_length=60), max_length=20, required=False)
    state = serializers.ChoiceField(choices=EntrantState.choices, required=False)


class EntrantIn(Strict):
    """What to change of an entry; the rest stays."""

    name = serializers.CharField(max_length=60, allow_blank=True, required=False, help_text="Team name.")
    flight = serializers.CharField(max_length=10, required=False)
    seed = serializers.IntegerField(
        min_value=1, max_value=HIGHEST_SEED, allow_null=True, required=False, help_text="Before ratings."
    )
    rating = serializers.FloatField(min_value=0, max_value=HIGHEST_RATING, allow_null=True, required=False)
    club = serializers.CharField(max_length=60, allow_blank=True, required=False)
    email = serializers.EmailField(max_length=254, allow_blank=True, required=False)
    payment = serializers.ChoiceField(choices=FeePayment.choices, required=False)
    paid = serializers.IntegerField(
        min_value=0, max_value=LARGEST, required=False, help_text="Amount paid so far, in minor units."
    )
    other_way = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST,
        required=False,
        help_text="Part of `paid` not paid as `payment` says, but in the other of cash and transfer.",
    )
    pools = serializers.ListField(child=serializers.CharField(max_length=60), max_length=20, required=False)
    override = serializers.BooleanField(default=False, help_text="Override the entry restrictions.")
    seen = EntrantSeen(required=False)


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
            players=entering(found.club, data),
            user=request.user,
            name=data["name"],
            payment=FeePayment(data["payment"]),
            override=data["override"],
            pools=data["pools"],
        )
        return entered(self, entrant)


class OneEntrant(ShowsEntrants, ApiView):
    access = {"GET": Access(Public), "PATCH": RUN, "DELETE": Access(SignedIn, Scope.RECORD)}

    @extend_schema(responses=EntrantOut, summary="Get an entrant")
    def get(self, request: Request, entrant: str) -> Response:
        found, role = known_entrant(request.user, entrant)
        self.met(role)
        return self.one(EntrantOut, found)

    @extend_schema(request=EntrantIn, responses=EntrantOut, summary="Change an entry")
    def patch(self, request: ApiRequest, entrant: str) -> Response:
        """For directors. Seed, rating and division stay after the draw, side pools once play has begun."""
        found, role = known_entrant(request.user, entrant)
        require_director(role)
        self.met(role)
        data = self.valid(EntrantIn)
        override, seen = data.pop("override"), data.pop("seen", None)
        if "club" in data:
            data["from_club"] = data.pop("club")
        if "flight" in data:
            data["flight"] = flight_of(found.flight.event, data["flight"])
        if "payment" in data:
            data["payment"] = FeePayment(data["payment"])
        values = cast("EntryValues", data)
        change_entry(entrant=found, values=values, user=request.user, override=override, seen=seen)
        return self.one(EntrantOut, known_entrant(request.user, entrant)[0])

    @extend_schema(responses={204: None}, summary="Withdraw an entry before the draw")
    def delete(self, request: ApiRequest, entrant: str) -> Response:
        """After the draw, only directors; open matches are lost."""
        found, role = known_entrant(request.user, entrant)
        if request.user.pk not in {player.user_id for player in found.players}:
            require_director(role)
        if role is not None and role >= Role.DIRECTOR and found.was_drawn:
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
