"""API of a flight's money: balance, prizes, deals and the pool split.

For directors.
"""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Scope
from tournaments.events.access import known_event, known_flight, known_prize, require_director
from tournaments.events.api.base import RUN, flight_of
from tournaments.events.plans import prize_tables
from tournaments.events.services.events import flight_plan
from tournaments.models import Flight, PaidHow, Prize
from tournaments.money.queries import balance_of, satellite_target
from tournaments.money.services.awards import entry_price
from tournaments.money.services.prizes import approve_prizes, make_deal, pay_prize, unpay_prize
from tournaments.money.services.satellites import set_satellite
from tournaments.money.services.shares import set_shares


class PrizeOut(serializers.ModelSerializer[Prize]):
    """A prize, in minor units of the club's currency."""

    flight = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)
    entrant = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)

    class Meta:
        model = Prize
        fields = ["ref", "flight", "entrant", "source", "amount", "agreed", "paid_at"]


class PrizesOut(serializers.Serializer[Any]):
    """The approved prizes; they add up to the pool."""

    prizes = PrizeOut(many=True)


MOST_SIDES = 64
LARGEST = 10**12


class PoolOut(serializers.Serializer[Any]):
    """A pool, in minor units: fees, the part paid out and the approved prizes."""

    key = serializers.CharField()
    members = serializers.IntegerField()
    fees = serializers.IntegerField()
    pool = serializers.IntegerField()
    kept = serializers.IntegerField()
    approved = serializers.IntegerField()


class MismatchedPoolOut(serializers.Serializer[Any]):
    """A pool with added money, and its approved prizes, in minor units."""

    key = serializers.CharField()
    pool = serializers.IntegerField()
    approved = serializers.IntegerField()


class BalanceOut(serializers.Serializer[Any]):
    """Balance sheet of a flight, in minor units: `taken + added = pools + kept`."""

    fees = serializers.DictField(child=serializers.IntegerField(), help_text="By payment method.")
    refunded = serializers.DictField(child=serializers.IntegerField())
    waiting = serializers.IntegerField(help_text="Paid by entrants not drawn.")
    taken = serializers.IntegerField()
    added = serializers.IntegerField()
    registration = serializers.IntegerField()
    main = PoolOut()
    side = PoolOut(many=True)
    pools = serializers.IntegerField()
    kept = serializers.IntegerField()
    approved = serializers.IntegerField()
    mismatched = MismatchedPoolOut(
        many=True, help_text="Pools whose approved prizes no longer add up to the pool."
    )
    paid_out = serializers.IntegerField()
    unpaid = serializers.IntegerField()
    expected_cash = serializers.IntegerField()


class PaymentIn(Strict):
    """How a prize was paid."""

    how = serializers.ChoiceField(choices=PaidHow.choices)
    seen = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST,
        required=False,
        help_text="The amount you last saw; 409 if it changed.",
    )


class Share(Strict):
    """Amount of one entrant in a deal, in minor units."""

    entrant = serializers.CharField(max_length=10, help_text="A ref.")
    amount = serializers.IntegerField(min_value=0, max_value=LARGEST)
    seen = serializers.IntegerField(
        min_value=0, max_value=LARGEST, required=False, help_text="The prize you last saw; 409 if it changed."
    )


class DealIn(Strict):
    """A deal between entrants; the sum of their prizes stays the same."""

    amounts = serializers.ListField(child=Share(), min_length=2, max_length=MOST_SIDES)

    def validate_amounts(self, amounts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({each["entrant"] for each in amounts}) != len(amounts):
            raise ValidationError([ErrorDetail(_("An entrant is named twice."), "twice")])
        return amounts


class FlightBalance(ApiView):
    access = {"GET": Access(SignedIn)}

    @extend_schema(responses=BalanceOut, summary="Get the balance sheet of a flight")
    def get(self, request: Request, flight: str) -> Response:
        found, role = known_flight(request.user, flight)
        require_director(role)
        return self.one(BalanceOut, balance_of(found))


class Deal(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=DealIn, responses=PrizesOut, summary="Record a deal")
    def post(self, request: ApiRequest, flight: str) -> Response:
        found, role = known_flight(request.user, flight)
        require_director(role)
        data = self.valid(DealIn)
        amounts = {each["entrant"]: each["amount"] for each in data["amounts"]}
        seen = {each["entrant"]: each["seen"] for each in data["amounts"] if "seen" in each}
        prizes = make_deal(flight=found, amounts=amounts, user=request.user, seen=seen)
        return self.one(PrizesOut, {"prizes": prizes})


class SharesIn(Strict):
    """The split by table, percentages that add up to 100.

    Empty for all to the main pool.
    """

    shares = serializers.DictField(child=serializers.IntegerField(min_value=1, max_value=100))
    seen = serializers.DictField(
        child=serializers.IntegerField(),
        required=False,
        help_text="The split you last saw; 409 if it changed.",
    )


class SharesOut(serializers.Serializer[Any]):
    """The current split, and the tables that can have a share."""

    shares = serializers.DictField(child=serializers.IntegerField())
    tables = serializers.ListField(child=serializers.CharField())


READ_AND_SET = {"GET": Access(SignedIn), "PUT": Access(SignedIn, Scope.DIRECT)}


class _FlightSetting(ApiView):
    """A setting of a flight that directors read and set; both answer with what it is now."""

    def directed(self, request: Request, flight: str) -> Flight:
        found, role = known_flight(request.user, flight)
        require_director(role)
        return found


class FlightShares(_FlightSetting):
    access = READ_AND_SET

    @extend_schema(responses=SharesOut, summary="Get the split of the prize pool")
    def get(self, request: Request, flight: str) -> Response:
        """For directors."""
        return self._told(self.directed(request, flight))

    @extend_schema(request=SharesIn, responses=SharesOut, summary="Set the split of the prize pool")
    def put(self, request: ApiRequest, flight: str) -> Response:
        """Approved prizes are removed.

        409 after a prize was paid, or if the split differs from `seen`.
        """
        found = self.directed(request, flight)
        data = self.valid(SharesIn)
        shares = tuple(data["shares"].items())
        return self._told(set_shares(flight=found, shares=shares, user=request.user, seen=data.get("seen")))

    def _told(self, flight: Flight) -> Response:
        tables = list(prize_tables(flight_plan(flight).stages))
        return self.one(SharesOut, {"shares": flight.shares, "tables": tables})


class SatelliteIn(Strict):
    """The flight to which the best win entries; null for cash prizes."""

    target = serializers.CharField(max_length=10, allow_null=True, help_text="A ref.")
    seen = serializers.CharField(
        max_length=10,
        required=False,
        allow_blank=True,
        help_text="The ref you last saw, empty for none; 409 if it changed.",
    )


class SatelliteOut(serializers.Serializer[Any]):
    """The flight to which the best win entries, and what an entry costs in minor units."""

    target = serializers.CharField(allow_null=True)
    price = serializers.IntegerField()


class FlightSatellite(_FlightSetting):
    access = READ_AND_SET

    @extend_schema(responses=SatelliteOut, summary="Get what a satellite is for")
    def get(self, request: Request, flight: str) -> Response:
        """For directors."""
        return self._told(self.directed(request, flight))

    @extend_schema(request=SatelliteIn, responses=SatelliteOut, summary="Make a flight a satellite")
    def put(self, request: ApiRequest, flight: str) -> Response:
        """Approved prizes are removed; 409 after a prize was paid."""
        found = self.directed(request, flight)
        data = self.valid(SatelliteIn)
        target = None if data["target"] is None else satellite_target(found, data["target"])
        return self._told(
            set_satellite(flight=found, target=target, user=request.user, seen=data.get("seen"))
        )

    def _told(self, flight: Flight) -> Response:
        target = flight.satellite_for
        found = {"target": target.ref if target else None, "price": entry_price(target) if target else 0}
        return self.one(SatelliteOut, found)


class PrizePayment(ApiView):
    access = {"PUT": Access(SignedIn, Scope.DIRECT), "DELETE": Access(SignedIn, Scope.DIRECT)}

    @extend_schema(request=PaymentIn, responses=PrizeOut, summary="Mark a prize as paid")
    def put(self, request: ApiRequest, prize: str) -> Response:
        found, role = known_prize(request.user, prize)
        require_director(role)
        data = self.valid(PaymentIn)
        paid = pay_prize(prize=found, how=PaidHow(data["how"]), user=request.user, seen=data.get("seen"))
        return self.one(PrizeOut, paid)

    @extend_schema(responses={200: PrizeOut}, summary="Undo a payment record")
    def delete(self, request: ApiRequest, prize: str) -> Response:
        found, role = known_prize(request.user, prize)
        require_director(role)
        return self.one(PrizeOut, unpay_prize(prize=found, user=request.user))


class PrizesOf(Strict):
    """The flight, by default the first."""

    flight = serializers.CharField(max_length=10, required=False, help_text="A ref.")
    seen = serializers.DictField(
        child=serializers.IntegerField(),
        required=False,
        help_text="The approved amounts you last saw, by the prize's ref; 409 if they changed.",
    )


class Prizes(ApiView):
    access = {"GET": Access(Public), "POST": RUN}
    ordering = ("-amount", "pk")

    @extend_schema(responses=PrizeOut(many=True), summary="List the approved prizes of an event")
    def get(self, request: Request, event: str) -> Response:
        found, _role = known_event(request.user, event)
        return self.listed(
            Prize.objects.filter(flight__event=found).select_related("entrant", "flight"), PrizeOut
        )

    @extend_schema(
        operation_id="approve_prizes",
        request=PrizesOf,
        responses=PrizesOut,
        summary="Approve the prizes",
    )
    def post(self, request: ApiRequest, event: str) -> Response:
        found, role = known_event(request.user, event)
        require_director(role)
        data = self.valid(PrizesOf)
        flight = flight_of(found, data.get("flight"))
        prizes = approve_prizes(flight=flight, user=request.user, seen=data.get("seen"))
        return self.one(PrizesOut, {"prizes": prizes})
