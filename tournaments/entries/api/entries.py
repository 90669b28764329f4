"""API of entries: partners, lists, payments, check-in and changes after the draw."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, NotFound, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.lists.columns import FIELDS
from clubs.models import Player, Role, Scope
from clubs.people.search import members
from clubs.people.services.names import player_of
from tournaments.entries.services.check_ins import check_in_all, check_in_players
from tournaments.entries.services.entries import answer_partner, enter
from tournaments.entries.services.entry_lists import enter_list
from tournaments.entries.services.fees import record_payment
from tournaments.entries.services.late_entries import come_back, enter_late, replace
from tournaments.entries.services.list_columns import MOST_COLUMNS
from tournaments.entries.services.list_lines import LONGEST_NAME, MOST_LINES, read_list
from tournaments.events.access import (
    directed_event,
    known_entrant,
    known_event,
    known_stage,
    require_director,
)
from tournaments.events.api.base import (
    RUN,
    EntrantOut,
    NewEntrant,
    ShowsEntrants,
    entered,
    entering,
    flight_of,
)
from tournaments.events.api.flights import FlightOut
from tournaments.events.api.new_events import NewFlight
from tournaments.events.services.events import join_flight
from tournaments.models import FeePayment, Flight

LONGEST_LIST = 200_000

LONGEST_KEY = 20 * (LONGEST_NAME + 3)


class MyEntry(Strict):
    """Your entry: flight (default: the first), partners and side pools."""

    flight = serializers.CharField(max_length=10, required=False)
    partners = serializers.ListField(
        child=serializers.CharField(max_length=10), max_length=19, default=list, help_text="Refs of players."
    )
    name = serializers.CharField(max_length=60, default="", allow_blank=True, help_text="Team name.")
    pools = serializers.ListField(child=serializers.CharField(max_length=60), max_length=20, default=list)


class PartnerAnswer(Strict):
    """Answer to a partner request."""

    accepts = serializers.BooleanField()


class FeesSeen(Strict):
    """The fees you last saw; 409 if they changed."""

    payment = serializers.ChoiceField(choices=FeePayment.choices, required=False)
    refunded = serializers.BooleanField(required=False)


class FeesIn(Strict):
    """Payment and refund of fees."""

    payment = serializers.ChoiceField(choices=FeePayment.choices, required=False)
    refunded = serializers.BooleanField(required=False, allow_null=True, default=None)
    seen = FeesSeen(required=False)


class EntryListIn(Strict):
    """Entries as text: rows of a spreadsheet or CSV file, with or without headings."""

    flight = serializers.CharField(max_length=10, required=False)
    entries = serializers.CharField(max_length=LONGEST_LIST)
    commit = serializers.BooleanField(default=False, help_text="Enter them; otherwise only check the list.")
    override = serializers.BooleanField(
        default=False, help_text="Override the entry restrictions for all; the log lists them."
    )
    admit = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_KEY),
        max_length=MOST_LINES,
        default=list,
        help_text="Keys of lines for which to override the entry restrictions.",
    )
    columns = serializers.ListField(
        child=serializers.ChoiceField(choices=[(name, name) for name in FIELDS]),
        max_length=MOST_COLUMNS,
        required=False,
        help_text="What each column is; by default remembered for the club, or recognised.",
    )
    headed = serializers.BooleanField(required=False, help_text="Whether the first row has headings.")
    paid_by = serializers.ChoiceField(
        choices=[FeePayment.CASH.value, FeePayment.TRANSFER.value],
        default=FeePayment.CASH.value,
        help_text="How fees were paid where the list does not say it.",
    )
    leave_out = serializers.ListField(
        child=serializers.IntegerField(min_value=1),
        max_length=MOST_LINES,
        default=list,
        help_text="Numbers of the lines to leave out.",
    )


class EntryLineOut(serializers.Serializer[Any]):
    """A line of the list; `fault` is empty if it can be entered."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(
        choices=["problem", "entered", "known", "new"], help_text="`entered`: already, and stays as it is."
    )
    flight = serializers.CharField(source="flight.ref")
    pools = serializers.ListField(child=serializers.CharField())
    rating = serializers.FloatField(source="details.rating", allow_null=True)
    seed = serializers.IntegerField(source="details.seed", allow_null=True)
    club = serializers.CharField(source="details.from_club", allow_blank=True)
    email = serializers.CharField(source="details.email", allow_blank=True)
    outstanding = serializers.IntegerField(source="details.outstanding")
    names = serializers.ListField(child=serializers.CharField())
    new = serializers.ListField(child=serializers.CharField(), help_text="Names that become guests.")
    payment = serializers.CharField()
    fault = serializers.CharField(allow_blank=True)
    restriction = serializers.CharField(
        allow_blank=True, help_text="The entry restriction that excludes them; directors can override it."
    )
    key = serializers.CharField(allow_blank=True, help_text="Key for `admit`.")


class EntryListOut(serializers.Serializer[Any]):
    """The lines of the list, what its columns are, and the number of new entries."""

    lines = EntryLineOut(many=True)
    columns = serializers.ListField(child=serializers.CharField(allow_blank=True))
    headed = serializers.BooleanField()
    entered = serializers.IntegerField()


class DoorIn(Strict):
    """The secret of the check-in code."""

    door = serializers.CharField(max_length=10)


class CheckedIn(serializers.Serializer[Any]):
    """The checked-in entrants."""

    entrants = serializers.ListField(child=serializers.CharField(), help_text="Refs.")


class EventFlights(ApiView):
    access = {"GET": Access(Public), "POST": RUN}
    ordering = ("position", "pk")

    @extend_schema(responses=FlightOut(many=True), summary="List the flights of an event")
    def get(self, request: Request, event: str) -> Response:
        found, _role = known_event(request.user, event)
        return self.listed(Flight.objects.filter(event=found), FlightOut)

    @extend_schema(
        operation_id="add_flight", request=NewFlight, responses={201: FlightOut}, summary="Add a flight"
    )
    def post(self, request: ApiRequest, event: str) -> Response:
        """Add a division to an event that is not over."""
        found, role = known_event(request.user, event)
        require_director(role)
        body = NewFlight(data=request.data, context=self.get_serializer_context())
        body.is_valid(raise_exception=True)
        day = found.starts_at.astimezone(found.tz).date()
        flight = join_flight(event=found, plan=body.flight(day), user=request.user)
        return self.one(FlightOut, flight, status=201)


class EnterMyself(ShowsEntrants, ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=MyEntry, responses={201: EntrantOut}, summary="Enter an event")
    def post(self, request: ApiRequest, event: str) -> Response:
        """For members of the club; on the waiting list if the flight is full.

        Partners accept with `answer` before the entry is valid.
        """
        found, role = known_event(request.user, event)
        if role is None or role < Role.MEMBER or request.user.is_superuser:
            raise PermissionDenied(_("Only members of the club can enter its events. Ask the director."))
        self.met(role)
        data = self.valid(MyEntry)
        people = members(found.club, least=Role.MEMBER).filter(ref__in=data["partners"])
        known = {each.ref: each for each in people.with_person()}
        entrant = enter(
            flight=flight_of(found, data.get("flight")),
            players=[player_of(user=request.user), *_named(known, data["partners"], "partners")],
            user=request.user,
            name=data["name"],
            pools=data["pools"],
            own=True,
        )
        return entered(self, entrant)


class EntrantAnswer(ShowsEntrants, ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=PartnerAnswer, responses=EntrantOut, summary="Accept or decline a partner request")
    def post(self, request: ApiRequest, entrant: str) -> Response:
        found, role = known_entrant(request.user, entrant)
        player = next((each for each in found.players if each.user_id == request.user.pk), None)
        if player is None:
            raise PermissionDenied(_("You have no partner request for this entry."))
        self.met(role)
        answer_partner(entrant=found, player=player, accepts=self.valid(PartnerAnswer)["accepts"])
        return self.one(EntrantOut, known_entrant(request.user, entrant)[0])


class EntrantPayment(ShowsEntrants, ApiView):
    access = {"POST": RUN}

    @extend_schema(request=FeesIn, responses=EntrantOut, summary="Record fees or a refund")
    def post(self, request: ApiRequest, entrant: str) -> Response:
        found, role = known_entrant(request.user, entrant)
        require_director(role)
        self.met(role)
        data = self.valid(FeesIn)
        record_payment(
            entrant=found,
            user=request.user,
            payment=data.get("payment"),
            refunded=data["refunded"],
            seen=data.get("seen"),
        )
        return self.one(EntrantOut, known_entrant(request.user, entrant)[0])


class EntryList(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=EntryListIn, responses=EntryListOut, summary="Check or import a list of entries")
    def post(self, request: ApiRequest, event: str) -> Response:
        """All lines are entered or none; 409 names the first line that cannot be.

        Lines that are entered already stay as they are, so that a list can be sent twice.
        """
        found, role = known_event(request.user, event)
        require_director(role)
        data = self.valid(EntryListIn)
        flight = flight_of(found, data.get("flight"))
        chosen: dict[str, Any] = {
            "flight": flight,
            "text": data["entries"],
            "columns": data.get("columns"),
            "headed": data.get("headed"),
            "paid_by": FeePayment(data["paid_by"]),
        }
        read = read_list(**chosen)
        count = 0
        if data["commit"]:
            count = enter_list(
                user=request.user,
                override=data["override"],
                admit=data["admit"],
                leave_out=data["leave_out"],
                **chosen,
            ).entered
        fields, headed = list(read.columns.fields), read.columns.headed
        shown = {"lines": read.lines, "columns": fields, "headed": headed, "entered": count}
        return self.one(EntryListOut, shown)


class CheckInHere(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=DoorIn, responses=CheckedIn, summary="Check yourself in")
    def post(self, request: ApiRequest, event: str) -> Response:
        """With the secret of the check-in code."""
        found, _role = known_event(request.user, event)
        player = Player.objects.filter(user=request.user).first()
        if player is None:
            raise PermissionDenied(_("Only players in this event can use this code."))
        if self.valid(DoorIn)["door"] != found.door or not found.door:
            raise NotFound(_("This check-in code is not valid."))
        entrants = check_in_players(event=found, player=player)
        return self.one(CheckedIn, {"entrants": [each.ref for each in entrants]})


class CheckInAll(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=CheckedIn, summary="Check in everyone before the draw")
    def post(self, request: ApiRequest, event: str) -> Response:
        """One entry of the log, which can be undone."""
        entry = check_in_all(event=directed_event(request.user, event), user=request.user)
        return self.one(CheckedIn, {"entrants": entry.body["entrants"]})


class LateEntry(ShowsEntrants, ApiView):
    access = {"POST": RUN}

    @extend_schema(request=NewEntrant, responses={201: EntrantOut}, summary="Add a late entry")
    def post(self, request: ApiRequest, stage: str) -> Response:
        found, role = known_stage(request.user, stage)
        require_director(role)
        self.met(role)
        data = self.valid(NewEntrant)
        entrant = enter_late(
            stage=found,
            players=entering(found.flight.event.club, data),
            user=request.user,
            payment=FeePayment(data["payment"]),
            name=data["name"],
            pools=data["pools"],
        )
        return entered(self, entrant)


class EntrantReturn(ShowsEntrants, ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=EntrantOut, summary="Reinstate a withdrawn entrant")
    def post(self, request: ApiRequest, entrant: str) -> Response:
        found, role = known_entrant(request.user, entrant)
        require_director(role)
        self.met(role)
        come_back(entrant=found, user=request.user)
        return self.one(EntrantOut, known_entrant(request.user, entrant)[0])


class EntrantSubstitute(ShowsEntrants, ApiView):
    access = {"POST": RUN}

    @extend_schema(request=NewEntrant, responses={201: EntrantOut}, summary="Substitute an entrant")
    def post(self, request: ApiRequest, entrant: str) -> Response:
        """For an entrant who has not finished a match."""
        found, role = known_entrant(request.user, entrant)
        require_director(role)
        self.met(role)
        data = self.valid(NewEntrant)
        newcomer = replace(
            entrant=found,
            players=entering(found.flight.event.club, data),
            user=request.user,
            payment=FeePayment(data["payment"]),
            name=data["name"],
            pools=data["pools"],
        )
        return entered(self, newcomer)


def _named(known: dict[str, Player], refs: list[str], field: str) -> list[Player]:
    if unknown := [ref for ref in refs if ref not in known]:
        message = _("There is no player %(ref)s in the club.") % {"ref": unknown[0]}
        raise ValidationError({field: [ErrorDetail(message, "unknown_player")]})
    return [known[ref] for ref in refs]
