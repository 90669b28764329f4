"""API to change the terms of a flight; the terms of an event as they are changed."""

from collections.abc import Mapping
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
from scoring.codec import to_plain
from tournaments.core.prizes.pools import SidePool
from tournaments.core.timetable.breaks import one_line
from tournaments.events.access import known_flight, require_director
from tournaments.events.announcements import DEAREST, LONGEST, NO_ONE_LEFT, TITLES
from tournaments.events.api.about import AboutIn
from tournaments.events.api.base import EventTime
from tournaments.events.api.flights import FlightOut
from tournaments.events.api.new_events import PoolIn, prizes_in_percent
from tournaments.events.eligibility import Eligibility
from tournaments.events.services.changes import change_flight

CHANGE = Access(SignedIn, Scope.DIRECT)


class EventTerms(AboutIn):
    """Terms of an event. Terms that are left out do not change."""

    name = serializers.CharField(max_length=120, required=False)
    starts_at = EventTime(required=False)
    entries_from = EventTime(required=False, allow_null=True)
    entries_until = EventTime(required=False, allow_null=True)
    rated = serializers.BooleanField(required=False)
    members_only = serializers.BooleanField(required=False, help_text="Visible to members only.")
    hidden = serializers.BooleanField(required=False, help_text="Visible to directors only.")

    def validate_name(self, name: str) -> str:
        return one_line(name)


class EventChange(EventTerms):
    """The terms to change, and optionally the terms as `seen`: 409 if one has changed since."""

    seen = EventTerms(required=False)


class RuleIn(Strict):
    """Entry restrictions; empty means anyone can enter."""

    rating_from = serializers.FloatField(min_value=0, max_value=10_000, required=False, allow_null=True)
    rating_below = serializers.FloatField(min_value=0, max_value=10_000, required=False, allow_null=True)
    unrated = serializers.BooleanField(default=True, help_text="Whether unrated players can enter.")
    title_from = serializers.ChoiceField(choices=TITLES, allow_blank=True, default="")
    title_below = serializers.ChoiceField(choices=TITLES, allow_blank=True, default="")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if wrong := Eligibility(**attrs).excludes_everyone:
            raise ValidationError({wrong: [ErrorDetail(str(NO_ONE_LEFT), "bounds")]})
        return attrs


class FlightTermsIn(Strict):
    """Terms of a division. Terms that are left out do not change.

    Money is in minor units of the club's currency.
    """

    name = serializers.CharField(max_length=60, required=False, allow_blank=True)
    length = serializers.IntegerField(
        min_value=1, max_value=LONGEST, required=False, help_text="For draws not made yet."
    )
    lengths = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LONGEST),
        max_length=30,
        required=False,
        help_text="By round, for the first draw if it is not made yet.",
    )
    capacity = serializers.IntegerField(min_value=2, max_value=100_000, required=False, allow_null=True)
    eligibility = RuleIn(required=False)
    registration_fee = serializers.IntegerField(min_value=0, max_value=DEAREST, required=False)
    entry_fee = serializers.IntegerField(min_value=0, max_value=DEAREST, required=False)
    returned = serializers.IntegerField(min_value=0, max_value=100, required=False)
    added = serializers.IntegerField(min_value=0, max_value=1_000_000_000, required=False)
    percentages = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=100), max_length=30, required=False
    )
    pools = PoolIn(many=True, required=False)

    def validate_percentages(self, shares: list[int]) -> list[int]:
        return prizes_in_percent(shares)


class FlightChange(FlightTermsIn):
    """The terms to change, and optionally the terms as `seen`: 409 if one has changed since."""

    seen = FlightTermsIn(required=False)


class OneFlight(ApiView):
    access = {"GET": Access(Public), "PATCH": CHANGE}

    @extend_schema(responses=FlightOut, summary="Get a division")
    def get(self, request: Request, flight: str) -> Response:
        return self.one(FlightOut, known_flight(request.user, flight)[0])

    @extend_schema(request=FlightChange, responses=FlightOut, summary="Change a division")
    def patch(self, request: ApiRequest, flight: str) -> Response:
        """With more places the waiting list moves up; existing entries stay.

        409 for terms fixed by the draw, by paid fees, by entries in a side pool or by a paid prize, and for
        fewer places than are taken.
        """
        found, role = known_flight(request.user, flight)
        require_director(role)
        data = self.valid(FlightChange)
        seen = data.pop("seen", None)
        changed = change_flight(
            flight=found,
            changes=_plain(at_least_one(data)),
            user=request.user,
            seen=None if seen is None else _plain(seen),
        )
        return self.one(FlightOut, changed)


def at_least_one(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The changes; 400 for none."""
    if not data:
        raise ValidationError(
            {"non_field_errors": [ErrorDetail(_("Name at least one field to change."), "required")]}
        )
    return data


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Turn validated terms of a flight into plain data."""
    found = dict(data)
    if "eligibility" in found:
        found["eligibility"] = to_plain(Eligibility(**found["eligibility"]))
    if "pools" in found:
        found["pools"] = to_plain(tuple(SidePool(**pool) for pool in found["pools"]))
    return found
