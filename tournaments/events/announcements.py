"""Turn validated values into plans, for the wizard's form and the API.

Values have the API's names; money is in minor units of the club's currency.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Title
from scoring.rules.profiles import Profile
from tournaments.core.prizes.pools import Fees
from tournaments.core.timetable.breaks import Break
from tournaments.events.eligibility import Eligibility
from tournaments.events.event_templates import flight_from
from tournaments.events.format_details import with_details
from tournaments.events.plans import ABOUT, About, EventPlan, FlightPlan

LONGEST = 25
LONGEST_POOL = 40
DEAREST = 100_000_000
"""The highest fee, in minor units."""
MOST_ROUNDS = 30
MOST_FEEDING = 9
MOST_LIVES = 10
MOST_BOARDS = 20
MOST_DAYS = 366
SEEDINGS = {
    "rating": gettext_lazy("by rating"),
    "lot": gettext_lazy("by lot"),
    "hand": gettext_lazy("in order of entry"),
}
"""How entrants are seeded, as the formats' options call it."""
NO_ONE_LEFT = gettext_lazy("These limits exclude everyone.")
TITLES = [(title.name, title.label) for title in Title]


def percentage_fault(shares: Sequence[int]) -> tuple[str, str] | None:
    """The fault in prizes by place in percent, as code and sentence; None if valid."""
    if shares and sum(shares) != 100:
        return "sum", _("The prizes add up to %(sum)s%%, not 100%%.") % {"sum": sum(shares)}
    if list(shares) != sorted(shares, reverse=True):
        return "order", _("A higher place cannot get less than a lower one.")
    return None


def rule_in(data: Mapping[str, Any]) -> Eligibility:
    """Entry restrictions by rating and title."""
    return Eligibility(
        data.get("rating_from"),
        data.get("rating_below"),
        title_from=data.get("title_from") or "",
        title_below=data.get("title_below") or "",
    )


def flight_in(data: Mapping[str, Any], day: date) -> FlightPlan:
    """Turn a flight into a plan; a league's deadlines count from ``day``."""
    flight = flight_from(data["format"], data["length"], day)
    if data["lengths"]:
        first = replace(flight.stages[0], lengths=tuple(data["lengths"]))
        flight = replace(flight, stages=(first, *flight.stages[1:]))
    return replace(
        with_details(flight, data),
        name=data["name"],
        fees=Fees(data["registration_fee"], data["entry_fee"], data["returned"]),
        added=data["added"],
        percentages=tuple(data["percentages"]),
        shares=tuple(dict(data["shares"]).items()),
        capacity=data.get("capacity") or flight.capacity,
        team_size=data.get("team_size") or flight.team_size,
        eligibility=rule_in(data),
        pools=tuple(data["pools"]),
        starts_when_full=data["starts_when_full"] or flight.starts_when_full,
    )


def event_in(
    data: Mapping[str, Any], flights: Sequence[FlightPlan], *, profile: Profile, breaks: Iterable[Break]
) -> EventPlan:
    """Turn an event into a plan; its first flight is named by ``flight_name``."""
    first, *others = flights
    return EventPlan(
        name=data["name"],
        starts_at=data["starts_at"],
        flights=(replace(first, name=data["flight_name"]), *others),
        zone=data["zone"],
        profile=profile if data["clocks"] else replace(profile, clock=None),
        rated=data["rated"],
        hidden=data["hidden"],
        members_only=data["members_only"],
        entries_from=data["entries_from"],
        entries_until=data["entries_until"],
        breaks=tuple(breaks),
        about=About(**{name: data.get(name) or "" for name in ABOUT}),
        tables=data.get("tables"),
    )
