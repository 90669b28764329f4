"""API of an event's entries as a table: totals, and actions on chosen ones."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Scope
from tournaments.entries.queries.table import entry_table
from tournaments.entries.services.chosen_entries import (
    MOST_CHOSEN,
    check_in_chosen,
    join_pool,
    mark_paid,
    withdraw_chosen,
)
from tournaments.events.access import directed_event
from tournaments.events.api.base import RUN
from tournaments.models import FeePayment

ACTIONS = ("mark_paid", "check_in", "join_pool", "withdraw")


class ChosenEntriesIn(Strict):
    """An action on chosen entries."""

    action = serializers.ChoiceField(choices=ACTIONS)
    entrants = serializers.ListField(
        child=serializers.CharField(max_length=10), min_length=1, max_length=MOST_CHOSEN, help_text="Refs."
    )
    payment = serializers.ChoiceField(
        choices=[FeePayment.CASH.value, FeePayment.TRANSFER.value],
        default=FeePayment.CASH.value,
        help_text="For `mark_paid`.",
    )
    pool = serializers.CharField(
        max_length=60, default="", allow_blank=True, help_text="Key of the side pool, for `join_pool`."
    )


class ChangedEntriesOut(serializers.Serializer[Any]):
    """The number of entries that changed."""

    changed = serializers.IntegerField()


class EntryTotalsOut(serializers.Serializer[Any]):
    """Entries and fees of an event, in minor units of the club's currency."""

    entered = serializers.IntegerField()
    checked_in = serializers.IntegerField()
    due = serializers.IntegerField()
    paid = serializers.IntegerField()
    cash = serializers.IntegerField(help_text="The part of `paid` in cash.")
    outstanding = serializers.IntegerField()
    pools = serializers.DictField(child=serializers.IntegerField(), help_text="Entries by side pool.")


class EventEntries(ApiView):
    access = {"GET": Access(SignedIn, Scope.READ), "POST": RUN}

    @extend_schema(responses=EntryTotalsOut, summary="Get the totals of an event’s entries")
    def get(self, request: Request, event: str) -> Response:
        """For directors."""
        table = entry_table(directed_event(request.user, event))
        totals = table.totals
        return self.one(
            EntryTotalsOut,
            {
                "entered": table.entered,
                "checked_in": table.present,
                "due": totals.due,
                "paid": totals.paid,
                "cash": totals.cash,
                "outstanding": totals.outstanding,
                "pools": dict(table.pools),
            },
        )

    @extend_schema(
        request=ChosenEntriesIn, responses=ChangedEntriesOut, summary="Do one action on chosen entries"
    )
    def post(self, request: ApiRequest, event: str) -> Response:
        """All or none; 409 names the first entry that refuses. Entries that need no change stay."""
        found = directed_event(request.user, event)
        data = self.valid(ChosenEntriesIn)
        refs, user = data["entrants"], request.user
        match data["action"]:
            case "mark_paid":
                payment = FeePayment(data["payment"])
                changed = mark_paid(event=found, refs=refs, payment=payment, user=user)
            case "check_in":
                changed = check_in_chosen(event=found, refs=refs, user=user)
            case "join_pool":
                changed = join_pool(event=found, refs=refs, pool=data["pool"], user=user)
            case _:
                changed = withdraw_chosen(event=found, refs=refs, user=user)
        return self.one(ChangedEntriesOut, {"changed": changed})
