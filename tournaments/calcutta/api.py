"""API of a Calcutta auction.

Anyone who can see the event reads it; directors hold it.
"""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Scope, User
from clubs.people.search import members
from tournaments.calcutta.access import known_lot
from tournaments.calcutta.queries import AuctionState, LotLine, auction_of
from tournaments.calcutta.services import (
    approve_payouts,
    buy_back,
    close_auction,
    make_field_lot,
    open_auction,
    remove_auction,
    sell_lot,
    split_lot,
    undo_payout,
    undo_sale,
)
from tournaments.events.access import known_flight, require_director
from tournaments.events.api.base import RUN
from tournaments.log.refusals import DeskRefused
from tournaments.models import AuctionLot, FeePayment, Flight

LARGEST = 10**12
MOST_PLACES = 64
PAYMENTS = [FeePayment.OPEN.value, FeePayment.CASH.value, FeePayment.TRANSFER.value]


class LotEntrantOut(serializers.Serializer[Any]):
    """An entrant of a lot, and the percentage that the entrant bought back."""

    entrant = serializers.CharField(source="entrant.ref")
    name = serializers.CharField(source="entrant.title")
    bought_back = serializers.IntegerField()


class LotOut(serializers.Serializer[Any]):
    """A lot; amounts in minor units, 0 until sold or paid."""

    ref = serializers.CharField(source="row.ref")
    number = serializers.IntegerField(source="row.number")
    entrants = LotEntrantOut(source="row.entrants.all", many=True)
    buyer = serializers.SerializerMethodField(help_text="A player's ref. Only for members of the club.")
    price = serializers.IntegerField(source="row.price")
    payout = serializers.IntegerField()

    def get_buyer(self, line: LotLine) -> str | None:
        buyer = line.row.buyer
        return buyer.ref if buyer is not None and self.context.get("members") else None


class AuctionOut(serializers.Serializer[Any]):
    """An auction, in minor units: `prices = pool + rake_kept`."""

    rake = serializers.IntegerField(source="auction.rake", help_text="In percent.")
    most_back = serializers.IntegerField(source="auction.most_back", help_text="In percent of a lot.")
    percentages = serializers.ListField(source="auction.percentages", child=serializers.IntegerField())
    closed_at = serializers.DateTimeField(source="auction.closed_at", allow_null=True)
    prices = serializers.IntegerField()
    pool = serializers.IntegerField()
    rake_kept = serializers.IntegerField(source="kept")
    approved = serializers.IntegerField(help_text="Approved payouts.")
    returned = serializers.BooleanField(
        help_text="The last match is over and no sold entrant has won one, or the division was cancelled: "
        "the payouts return the pool to the owners of the lots by price."
    )
    cancelled = serializers.BooleanField(
        help_text="The division was cancelled before its last match: no rake, every lot gets its price back."
    )
    lots = LotOut(source="lines", many=True)


class AuctionIn(Strict):
    """Terms of an auction, in percent."""

    rake = serializers.IntegerField(min_value=0, max_value=100, default=0)
    most_back = serializers.IntegerField(min_value=0, max_value=100, default=50)
    percentages = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=100), min_length=1, max_length=MOST_PLACES
    )


class ClosedIn(Strict):
    """Whether the auction is closed."""

    closed = serializers.BooleanField()


class FieldLotIn(Strict):
    """Unsold lots to join."""

    lots = serializers.ListField(
        child=serializers.CharField(max_length=10), min_length=2, max_length=1000, help_text="Refs."
    )


class SaleIn(Strict):
    """The sale of a lot."""

    buyer = serializers.CharField(max_length=10, help_text="The ref of a player of the club.")
    price = serializers.IntegerField(min_value=1, max_value=LARGEST, help_text="In minor units.")
    payment = serializers.ChoiceField(choices=PAYMENTS, default=FeePayment.OPEN.value)
    seen = serializers.IntegerField(
        min_value=0, max_value=LARGEST, required=False, help_text="The price you last saw; 409 if it changed."
    )


class BuyBackIn(Strict):
    """What an entrant bought back, in percent; 0 for nothing."""

    entrant = serializers.CharField(max_length=10, help_text="A ref.")
    percent = serializers.IntegerField(min_value=0, max_value=100)
    payment = serializers.ChoiceField(choices=PAYMENTS, default=FeePayment.OPEN.value)


class _AuctionView(ApiView):
    """A view that answers with the auction as it is now."""

    def told(self, request: Request, flight: Flight) -> Response:
        found, role = known_flight(request.user, flight.ref)
        state = auction_of(found)
        if state is None:
            raise Http404(_("There is no auction."))
        return Response(AuctionOut(state, context={"members": role is not None}).data)

    def directed(self, request: ApiRequest, ref: str) -> tuple[Flight, User]:
        flight, role = known_flight(request.user, ref)
        require_director(role)
        return flight, request.user

    def lot(self, request: ApiRequest, ref: str) -> AuctionLot:
        lot, role = known_lot(request.user, ref)
        require_director(role)
        return lot

    def state(self, flight: Flight) -> AuctionState:
        state = auction_of(flight)
        if state is None:
            raise DeskRefused(_("There is no auction."), code="no_auction")
        return state


class FlightAuction(_AuctionView):
    access = {"GET": Access(Public), "POST": RUN, "PATCH": RUN, "DELETE": Access(SignedIn, Scope.DIRECT)}

    @extend_schema(responses=AuctionOut, summary="Get the auction of a flight")
    def get(self, request: Request, flight: str) -> Response:
        found, _role = known_flight(request.user, flight)
        return self.told(request, found)

    @extend_schema(request=AuctionIn, responses=AuctionOut, summary="Open an auction")
    def post(self, request: ApiRequest, flight: str) -> Response:
        """With a lot for each entrant."""
        found, user = self.directed(request, flight)
        open_auction(flight=found, user=user, **self.valid(AuctionIn))
        return self.told(request, found)

    @extend_schema(request=ClosedIn, responses=AuctionOut, summary="Close or reopen an auction")
    def patch(self, request: ApiRequest, flight: str) -> Response:
        """Reopening removes approved payouts; 409 if one was paid."""
        found, user = self.directed(request, flight)
        close_auction(auction=self.state(found).auction, user=user, **self.valid(ClosedIn))
        return self.told(request, found)

    @extend_schema(responses={204: None}, summary="Remove an auction")
    def delete(self, request: ApiRequest, flight: str) -> Response:
        """409 after a sale."""
        found, user = self.directed(request, flight)
        remove_auction(auction=self.state(found).auction, user=user)
        return Response(status=204)


class FieldLots(_AuctionView):
    access = {"POST": RUN}

    @extend_schema(request=FieldLotIn, responses=AuctionOut, summary="Join lots to a field lot")
    def post(self, request: ApiRequest, flight: str) -> Response:
        found, user = self.directed(request, flight)
        make_field_lot(auction=self.state(found).auction, user=user, **self.valid(FieldLotIn))
        return self.told(request, found)


class AuctionPayouts(_AuctionView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=AuctionOut, summary="Approve the payouts of an auction")
    def post(self, request: ApiRequest, flight: str) -> Response:
        """By the final places; paid on the settlement."""
        found, user = self.directed(request, flight)
        approve_payouts(auction=self.state(found).auction, user=user)
        return self.told(request, found)


class LotSale(_AuctionView):
    access = {"PUT": Access(SignedIn, Scope.DIRECT), "DELETE": Access(SignedIn, Scope.DIRECT)}

    @extend_schema(request=SaleIn, responses=AuctionOut, summary="Sell a lot, or correct its sale")
    def put(self, request: ApiRequest, lot: str) -> Response:
        found = self.lot(request, lot)
        data = self.valid(SaleIn)
        club = found.auction.flight.event.club
        buyer = members(club).filter(ref=data["buyer"]).with_person().first()
        if buyer is None:
            message = _("There is no player %(ref)s in the club.") % {"ref": data["buyer"]}
            raise DeskRefused(message, code="no_player")
        seen = {"price": data["seen"]} if "seen" in data else None
        payment = FeePayment(data["payment"])
        user = request.user
        sell_lot(lot=found, buyer=buyer, price=data["price"], payment=payment, user=user, seen=seen)
        return self.told(request, found.auction.flight)

    @extend_schema(responses={200: AuctionOut}, summary="Undo the sale of a lot")
    def delete(self, request: ApiRequest, lot: str) -> Response:
        found = self.lot(request, lot)
        undo_sale(lot=found, user=request.user)
        return self.told(request, found.auction.flight)


class LotBuyBack(_AuctionView):
    access = {"PUT": Access(SignedIn, Scope.DIRECT)}

    @extend_schema(request=BuyBackIn, responses=AuctionOut, summary="Set what an entrant bought back")
    def put(self, request: ApiRequest, lot: str) -> Response:
        found = self.lot(request, lot)
        data = self.valid(BuyBackIn)
        payment = FeePayment(data.pop("payment"))
        buy_back(lot=found, payment=payment, user=request.user, **data)
        return self.told(request, found.auction.flight)


class LotEntrants(_AuctionView):
    access = {"DELETE": Access(SignedIn, Scope.DIRECT)}

    @extend_schema(responses={200: AuctionOut}, summary="Split a field lot")
    def delete(self, request: ApiRequest, lot: str) -> Response:
        """Each of its entrants gets a lot of their own."""
        found = self.lot(request, lot)
        split_lot(lot=found, user=request.user)
        return self.told(request, found.auction.flight)


class LotPayoutPayment(_AuctionView):
    access = {"DELETE": Access(SignedIn, Scope.DIRECT)}

    @extend_schema(responses={200: AuctionOut}, summary="Undo the payment of a lot's payouts")
    def delete(self, request: ApiRequest, lot: str) -> Response:
        found = self.lot(request, lot)
        undo_payout(lot=found, user=request.user)
        return self.told(request, found.auction.flight)
