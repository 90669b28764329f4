"""API to announce an event and to forecast it first."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.response import Response

from clubs.access import club_permission
from clubs.http.base import Access, ApiView, ClubApiRequest
from clubs.http.serializers import Strict
from clubs.models import Club, Role, Scope
from scoring.profiles.queries.profiles import profile_named
from scoring.rules.profiles import STANDARD_PROFILE
from tournaments.core.formats.presets import PRESETS
from tournaments.core.prizes.pools import SidePool
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.standings.choices import OFFERED
from tournaments.core.timetable.breaks import (
    MOST_BREAKS,
    BreakRefused,
    check_breaks,
    closed_minutes,
    in_order,
    one_line,
)
from tournaments.events.announcements import (
    DEAREST,
    LONGEST,
    LONGEST_POOL,
    MOST_BOARDS,
    MOST_DAYS,
    MOST_FEEDING,
    MOST_LIVES,
    MOST_ROUNDS,
    NO_ONE_LEFT,
    SEEDINGS,
    TITLES,
    event_in,
    flight_in,
    percentage_fault,
    rule_in,
)
from tournaments.events.api.about import AboutIn
from tournaments.events.api.base import EventTime
from tournaments.events.api.breaks import BreakIn, breaks_in
from tournaments.events.event_templates import TEMPLATES, template
from tournaments.events.format_details import detail_faults
from tournaments.events.forms.event import MOST_EXPECTED
from tournaments.events.plans import EventPlan, FlightPlan, check_names
from tournaments.events.queries.plan_forecast import EventForecast, PlanForecast, event_forecast
from tournaments.words.refusals import break_in_words


class PoolIn(Strict):
    """A side pool: name, fee in minor units, % of fees paid out."""

    key = serializers.CharField(max_length=LONGEST_POOL)
    fee = serializers.IntegerField(min_value=0, max_value=DEAREST)
    returned = serializers.IntegerField(min_value=0, max_value=100, default=100)
    needs = serializers.CharField(
        max_length=LONGEST_POOL, default=None, allow_null=True, help_text="An earlier pool that it requires."
    )
    rating_below = serializers.FloatField(
        min_value=1, max_value=10_000, default=None, allow_null=True, help_text="For ratings under this."
    )
    within = serializers.IntegerField(
        min_value=1,
        max_value=10_000,
        default=None,
        allow_null=True,
        help_text="The place to reach in a draw to win it there, e.g. 8.",
    )


def prizes_in_percent(shares: list[int]) -> list[int]:
    """Return the shares. Raises ValidationError unless they descend and add up to 100."""
    if fault := percentage_fault(shares):
        raise ValidationError(fault[1], code=fault[0])
    return shares


class NewFlight(Strict):
    """A division. Money is in minor units of the club's currency.

    `format` is a format or a template with several stages; `lengths` are the match lengths by round of the
    first stage.
    """

    name = serializers.CharField(max_length=60, default="", allow_blank=True)
    format = serializers.ChoiceField(choices=sorted({*PRESETS, *TEMPLATES}))
    length = serializers.IntegerField(min_value=1, max_value=LONGEST)
    lengths = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LONGEST), max_length=30, default=list
    )
    seeding = serializers.ChoiceField(choices=sorted(SEEDINGS), required=False)
    rounds = serializers.IntegerField(
        min_value=1, max_value=MOST_ROUNDS, required=False, help_text="For a ladder: its periods."
    )
    accelerated_rounds = serializers.IntegerField(
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        help_text="First rounds of a Swiss that pair the upper half with one point more; omit for none.",
    )
    rounds_apart = serializers.IntegerField(
        min_value=0,
        max_value=MOST_ROUNDS,
        required=False,
        help_text="In a Keizer, players who have met are not paired again for this many rounds if possible.",
    )
    lives = serializers.IntegerField(min_value=1, max_value=MOST_LIVES, required=False)
    days = serializers.IntegerField(
        min_value=1, max_value=MOST_DAYS, required=False, help_text="Per round of a league or ladder."
    )
    reach = serializers.IntegerField(
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        help_text="How many rungs up a challenge can reach.",
    )
    consolation_rounds = serializers.IntegerField(
        min_value=1,
        max_value=MOST_FEEDING,
        required=False,
        help_text="Main rounds that feed the consolation at least; omit for as many as give a field.",
    )
    last_chance_rounds = serializers.IntegerField(
        min_value=1,
        max_value=MOST_FEEDING,
        required=False,
        help_text="Rounds that feed the last chance at least; omit for as many as give a field.",
    )
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(choices=list(OFFERED)),
        max_length=len(OFFERED),
        required=False,
        help_text="Of the stage that entrants begin in, the first to apply first. Empty for the usual ones.",
    )
    boards = serializers.IntegerField(
        min_value=1, max_value=MOST_BOARDS, required=False, help_text="Per team match."
    )
    duplicate_dice = serializers.BooleanField(
        default=False, help_text="All boards of a team match play the same rolls."
    )
    capacity = serializers.IntegerField(min_value=2, max_value=100_000, required=False, allow_null=True)
    starts_when_full = serializers.BooleanField(default=False)
    team_size = serializers.IntegerField(min_value=1, max_value=20, required=False, allow_null=True)
    rating_from = serializers.FloatField(min_value=0, max_value=10_000, required=False, allow_null=True)
    rating_below = serializers.FloatField(min_value=0, max_value=10_000, required=False, allow_null=True)
    title_from = serializers.ChoiceField(choices=TITLES, allow_blank=True, default="")
    title_below = serializers.ChoiceField(choices=TITLES, allow_blank=True, default="")
    registration_fee = serializers.IntegerField(min_value=0, max_value=DEAREST, default=0)
    entry_fee = serializers.IntegerField(min_value=0, max_value=DEAREST, default=0)
    returned = serializers.IntegerField(min_value=0, max_value=100, default=100)
    added = serializers.IntegerField(min_value=0, max_value=1_000_000_000, default=0)
    percentages = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=100),
        max_length=30,
        default=list,
        help_text="Prizes by place in percent, descending, adding up to 100. Empty for the usual split.",
    )
    shares = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=100),
        default=dict,
        help_text="Prize pool split in percent: by `main`, `consolation`, `last chance` or a stage name.",
    )
    pools = PoolIn(many=True, default=list)

    entrants = serializers.IntegerField(
        min_value=2,
        max_value=MOST_EXPECTED,
        required=False,
        help_text="Expected number of entrants, for the forecast only.",
    )

    def validate_percentages(self, shares: list[int]) -> list[int]:
        return prizes_in_percent(shares)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if wrong := rule_in(attrs).excludes_everyone:
            raise ValidationError({wrong: [ErrorDetail(str(NO_ONE_LEFT), "bounds")]})
        for name, fault in detail_faults(attrs["format"], attrs):
            raise ValidationError({name: [ErrorDetail(fault, "detail")]})
        return attrs

    def flight(self, day: date) -> FlightPlan:
        """Turn the validated body into a plan; a league's deadlines count from ``day``."""
        return plan_of_flight(self.validated_data, day)


def plan_of_flight(data: Mapping[str, Any], day: date) -> FlightPlan:
    """Turn a validated flight into a plan; a league's deadlines count from ``day``."""
    pools = [SidePool(**pool) for pool in data["pools"]]
    return flight_in({**data, "pools": pools}, day)


def expected_in(data: Mapping[str, Any]) -> int:
    """Number of entrants to forecast a validated flight with."""
    expected: int = data.get("entrants") or min(
        data.get("capacity") or template(data["format"]).entrants, MOST_EXPECTED
    )
    return expected


class NewEvent(AboutIn, NewFlight):
    """A new event with its first division; further ones go into `flights`.

    Times are ISO 8601 with an offset.
    """

    name = serializers.CharField(max_length=120)
    flight_name = serializers.CharField(
        max_length=60,
        default="",
        allow_blank=True,
        help_text="Name of the first division if there are several.",
    )
    flights = serializers.ListField(child=NewFlight(), default=list, max_length=11)
    tables = serializers.IntegerField(
        min_value=1,
        max_value=500,
        required=False,
        allow_null=True,
        help_text="Tables of the event, numbered from 1. Without it the desk adds them.",
    )
    starts_at = EventTime()
    zone = serializers.CharField(
        max_length=64, default="", allow_blank=True, help_text="IANA time zone of the venue."
    )
    profile = serializers.CharField(max_length=200, required=False, help_text="Name of a rules profile.")
    clocks = serializers.BooleanField(default=True)
    rated = serializers.BooleanField(default=True)
    hidden = serializers.BooleanField(default=False, help_text="Visible to directors only.")
    members_only = serializers.BooleanField(default=False, help_text="Visible to members only.")
    entries_from = EventTime(required=False, allow_null=True, default=None)
    entries_until = EventTime(required=False, allow_null=True, default=None)
    breaks = serializers.ListField(child=BreakIn(), max_length=MOST_BREAKS, default=list)

    def validate_name(self, name: str) -> str:
        return one_line(name)

    def validate_zone(self, zone: str) -> str:
        if zone and zone not in available_timezones():
            message = _("%(name)s is not a time zone, e.g. Europe/Madrid.") % {"name": zone}
            raise ValidationError(message, code="zone")
        return zone

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        try:
            check_names([attrs["flight_name"], *(each["name"] for each in attrs["flights"])])
        except DrawRefused as refused:
            raise ValidationError({"flights": [ErrorDetail(str(refused), refused.code)]}) from refused
        opens, closes = attrs["entries_from"], attrs["entries_until"]
        if opens and closes and closes <= opens:
            message = _("Registration cannot close before it opens.")
            raise ValidationError({"entries_until": [ErrorDetail(message, "entries")]})
        try:
            check_breaks(in_order(breaks_in(attrs["breaks"])), event_at=attrs["starts_at"])
        except BreakRefused as refused:
            detail = ErrorDetail(break_in_words(refused), f"break_{refused.code}")
            raise ValidationError({"breaks": [detail]}) from refused
        return attrs

    def plan(self, club: Club) -> EventPlan:
        """Turn the validated body into a plan.

        Raises InvalidValue for a rules profile that the club does not have.
        """
        data = self.validated_data
        zone = ZoneInfo(data["zone"]) if data["zone"] else club.zone
        day = data["starts_at"].astimezone(zone).date()
        profile = profile_named(club, data.get("profile") or STANDARD_PROFILE.name)
        flights = [self.flight(day), *(plan_of_flight(each, day) for each in data["flights"])]
        return event_in(data, flights, profile=profile, breaks=in_order(breaks_in(data["breaks"])))

    def forecast(self, club: Club) -> EventForecast:
        """Forecast the event. Raises as ``plan``."""
        data, plan = self.validated_data, self.plan(club)
        expected = [expected_in(data), *(expected_in(each) for each in data["flights"])]
        return event_forecast(
            list(zip(plan.flights, expected, strict=True)),
            tables=data.get("tables"),
            clocks=data["clocks"],
            closed=closed_minutes(plan.breaks, plan.starts_at),
        )


class FiguresOut(serializers.Serializer[PlanForecast]):
    """Duration and table use of a plan.

    `minutes_median` and `minutes_p90` are minutes from the first match to the last, for 50% and 90% of the
    simulations. A season has none: they are null, and `evening_p90` has the minutes of an evening if each
    round is one. `tables` is the highest number in use at once; `matches_each` is an average per player,
    `rounds` are those one after the other.
    """

    entrants = serializers.IntegerField()
    minutes_median = serializers.IntegerField(source="usually", allow_null=True)
    minutes_p90 = serializers.IntegerField(source="at_worst", allow_null=True)
    evening_p90 = serializers.IntegerField(source="evening", allow_null=True)
    tables = serializers.IntegerField()
    matches_each = serializers.FloatField()
    matches = serializers.IntegerField()
    rounds = serializers.IntegerField()


class ForecastOut(serializers.Serializer[EventForecast]):
    """Forecast of the whole event, and of each division played alongside the others.

    Null where a draw is not possible.
    """

    event = FiguresOut(source="whole", allow_null=True)
    flights = serializers.ListField(child=FiguresOut(allow_null=True))


class ForecastEvent(ApiView):
    access = {"POST": Access(club_permission(Role.DIRECTOR), Scope.DIRECT)}

    @extend_schema(request=NewEvent, responses=ForecastOut, summary="Forecast an event")
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        """Simulates all divisions together on shared tables. Nothing is announced."""
        body = NewEvent(data=request.data, context=self.get_serializer_context())
        body.is_valid(raise_exception=True)
        return self.one(ForecastOut, body.forecast(request.club))
