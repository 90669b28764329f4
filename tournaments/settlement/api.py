"""API of an event's settlement: accounts, receipts and the cash box.

For directors.
"""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Scope
from tournaments.events.access import directed_event
from tournaments.events.api.base import RUN
from tournaments.models import CashClosing, PaidHow
from tournaments.settlement.queries import settlement_of
from tournaments.settlement.services import (
    close_cash_box,
    pay_out_all,
    reopen_cash_box,
    send_receipt,
    settle,
)

LARGEST = 10**12


class ItemOut(serializers.Serializer[Any]):
    """An amount of an account, in minor units: fees are negative, prizes and refunds positive."""

    kind = serializers.CharField(
        help_text="`registration`, `entry`, `pool`, `refund`, `prize`, `lot`, `buy_back` or `payout`."
    )
    amount = serializers.IntegerField()
    how = serializers.CharField(allow_blank=True, help_text="How it was paid; empty while open.")
    ref = serializers.CharField(help_text="The ref of the entrant, prize or part of a lot.")
    flight = serializers.CharField(help_text="A ref.")
    key = serializers.CharField(help_text="Side pool, what a prize is from, or the number of a lot.")


class AccountOut(serializers.Serializer[Any]):
    """What a player, pair or team owes and is owed, in minor units."""

    ref = serializers.CharField()
    name = serializers.CharField(source="title")
    due = serializers.IntegerField(source="account.due", help_text="Fees, paid or not.")
    paid = serializers.IntegerField(source="account.paid")
    won = serializers.IntegerField(source="account.won")
    refund = serializers.IntegerField(source="account.refund")
    net = serializers.IntegerField(source="account.net", help_text="Still to pay out; negative: to collect.")
    settled = serializers.BooleanField(source="account.settled")
    unpaid_winner = serializers.BooleanField(source="account.unpaid_winner")
    items = ItemOut(source="account.items", many=True)


class CashClosingOut(serializers.ModelSerializer[CashClosing]):
    """A closing of the cash box, in minor units."""

    difference = serializers.IntegerField(help_text="Counted minus expected.")

    class Meta:
        model = CashClosing
        fields = [
            *("ref", "starting", "expected", "counted", "difference", "unsettled"),
            *("closed_at", "reopened_at"),
        ]


class SettlementOut(serializers.Serializer[Any]):
    """The accounts of an event, the open ones first."""

    accounts = AccountOut(source="lines", many=True)
    reasons = serializers.ListField(child=serializers.CharField(), help_text="What is unsettled.")
    to_collect = serializers.IntegerField()
    to_pay_out = serializers.IntegerField()
    cash = serializers.IntegerField(help_text="Cash received less cash paid out.")
    closing = CashClosingOut(allow_null=True, help_text="Null while the cash box is open.")


class SettleIn(Strict):
    """How everything open of the account was paid."""

    how = serializers.ChoiceField(choices=[PaidHow.CASH.value, PaidHow.TRANSFER.value])
    seen = serializers.IntegerField(
        min_value=-LARGEST,
        max_value=LARGEST,
        required=False,
        help_text="The net amount you last saw; 409 if it changed.",
    )


class CashCountIn(Strict):
    """A count of the cash box, in minor units."""

    counted = serializers.IntegerField(min_value=0, max_value=LARGEST)
    starting = serializers.IntegerField(
        min_value=0, max_value=LARGEST, default=0, help_text="Change at the start."
    )
    anyway = serializers.BooleanField(default=False, help_text="Close with open accounts.")
    seen = serializers.IntegerField(
        min_value=-LARGEST, max_value=LARGEST, required=False, help_text="The `cash` you last saw."
    )


class PayOutIn(Strict):
    """How every account that owes nothing net was settled."""

    how = serializers.ChoiceField(choices=[PaidHow.CASH.value, PaidHow.TRANSFER.value])
    seen = serializers.IntegerField(
        min_value=0, max_value=LARGEST, required=False, help_text="The `to_pay_out` you last saw."
    )


class ReceiptsOut(serializers.Serializer[Any]):
    """How many receipts were sent."""

    sent = serializers.IntegerField()


class EventSettlement(ApiView):
    access = {"GET": Access(SignedIn), "POST": RUN}

    @extend_schema(responses=SettlementOut, summary="Get the settlement of an event")
    def get(self, request: Request, event: str) -> Response:
        return self.one(SettlementOut, settlement_of(directed_event(request.user, event)))

    @extend_schema(request=PayOutIn, responses=SettlementOut, summary="Settle all accounts that owe nothing")
    def post(self, request: ApiRequest, event: str) -> Response:
        """Accounts that owe fees net stay open."""
        found = directed_event(request.user, event)
        data = self.valid(PayOutIn)
        pay_out_all(event=found, how=PaidHow(data["how"]), user=request.user, seen=data.get("seen"))
        return self.one(SettlementOut, settlement_of(found))


class SettleAccount(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=SettleIn, responses=AccountOut, summary="Settle an account")
    def post(self, request: ApiRequest, event: str, account: str) -> Response:
        """Records its unpaid fees, refunds and prizes as paid."""
        found = directed_event(request.user, event)
        data = self.valid(SettleIn)
        line = settle(
            event=found,
            account=account,
            how=PaidHow(data["how"]),
            user=request.user,
            seen=data.get("seen"),
        )
        return self.one(AccountOut, line)


class SendReceipt(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=ReceiptsOut, summary="Email a receipt")
    def post(self, request: ApiRequest, event: str, account: str) -> Response:
        """To the players of the account; 409 if none of them can be reached."""
        found = directed_event(request.user, event)
        return self.one(ReceiptsOut, {"sent": send_receipt(event=found, account=account, user=request.user)})


class CashBox(ApiView):
    access = {"POST": RUN, "DELETE": Access(SignedIn, Scope.DIRECT)}

    @extend_schema(request=CashCountIn, responses=CashClosingOut, summary="Close the cash box")
    def post(self, request: ApiRequest, event: str) -> Response:
        """Afterwards fees and prizes cannot be paid or refunded.

        409 while accounts are open, unless `anyway`.
        """
        found = directed_event(request.user, event)
        return self.one(
            CashClosingOut, close_cash_box(event=found, user=request.user, **self.valid(CashCountIn))
        )

    @extend_schema(responses={200: CashClosingOut}, summary="Reopen the cash box")
    def delete(self, request: ApiRequest, event: str) -> Response:
        found = directed_event(request.user, event)
        return self.one(CashClosingOut, reopen_cash_box(event=found, user=request.user))
