"""The terms of events and flights: announced, then changeable."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.formats.dates import moment
from clubs.formats.money import money
from scoring.drawing.figures import rating_limit
from tournaments.events.eligibility import eligibility_of, pools_of
from tournaments.models import Event, Flight, StageRow, StageStatus

EVENT_TERMS: Final = {
    "name": _("Name"),
    "starts_at": _("Starts"),
    "entries_from": _("Registration opens"),
    "entries_until": _("Registration closes"),
    "venue": _("Venue"),
    "address": _("Address"),
    "description": _("Description"),
    "contact": _("Contact"),
    "stream": _("Stream"),
    "rated": _("Matches are rated"),
    "members_only": _("Members only"),
    "hidden": _("Directors only"),
}
UNLOGGED: Final = frozenset({"description", "contact"})
"""Long or personal: the log says that they changed, and keeps no values."""
FLIGHT_TERMS: Final = {
    "name": _("Name"),
    "length": _("Match length"),
    "lengths": _("Match lengths by round"),
    "capacity": _("Places"),
    "eligibility": _("Entry restrictions"),
    "registration_fee": _("Registration fee (kept)"),
    "entry_fee": _("Entry fee"),
    "returned": _("% of entry fees paid out as prizes"),
    "added": _("Added money"),
    "percentages": _("Prizes (%)"),
    "pools": _("Side pools"),
}
AFTER_THE_DRAW: Final = frozenset({"name", "added", "percentages", "length"})
"""What of a flight may still change once it is drawn; ``length`` is that of the draws to come."""
MONEY: Final = frozenset({"registration_fee", "entry_fee", "added"})
"""In minor units of the club's currency."""


def event_terms(event: Event) -> dict[str, Any]:
    """The current terms of an event."""
    return {name: getattr(event, name) for name in EVENT_TERMS}


def flight_terms(flight: Flight) -> dict[str, Any]:
    """The current terms of a flight (one query).

    ``length`` is that of the first draw to come, with ``lengths`` where that is the flight's first; without a
    draw to come they are left out.
    """
    found = {name: getattr(flight, name) for name in FLIGHT_TERMS if name not in {"length", "lengths"}}
    stages = list(StageRow.objects.filter(flight=flight).order_by("position"))
    to_come = [stage for stage in stages if stage.drawn_at is None]
    if to_come:
        found["length"] = to_come[0].length
    if stages and to_come[:1] == stages[:1]:
        found["lengths"] = list(stages[0].lengths)
    return found


def is_drawn(flight: Flight) -> bool:
    """Whether a draw of the flight has been made (one query)."""
    return StageRow.objects.filter(flight=flight).exclude(status=StageStatus.PLANNED).exists()


def term_in_words(name: str, value: Any, *, currency: str = "") -> str:
    """A term in words, times in the current time zone; a dash for none."""
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if value is None or value == "" or (name == "pools" and not value):
        return "–"
    if name in MONEY:
        return money(value, currency)
    if name in {"starts_at", "entries_from", "entries_until"}:
        return moment(datetime.fromisoformat(value))
    if name == "eligibility":
        return _rule(value)
    if name == "pools":
        return ", ".join(f"{pool.key} {money(pool.fee, currency)}" for pool in pools_of(value))
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    return str(value)


def _rule(plain: Mapping[str, Any]) -> str:
    rule = eligibility_of(plain)
    low, high = (rating_limit(each or 0) for each in (rule.rating_from, rule.rating_below))
    bounds = (
        gettext("ratings from %(rating)s") % {"rating": low} if rule.rating_from else "",
        gettext("ratings under %(rating)s") % {"rating": high} if rule.rating_below else "",
        rule.titles_in_words if rule.asks_for_titles else "",
    )
    return ", ".join(filter(None, bounds)) or gettext("anyone")
