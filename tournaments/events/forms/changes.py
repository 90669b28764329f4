"""Forms to change the terms of an event or flight.

Only what differs from the page is passed to the services.
"""

import json
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.codec import to_plain
from tournaments.events.eligibility import Eligibility, eligibility_of, pools_of
from tournaments.events.forms.about import AboutForm
from tournaments.events.forms.event import MomentField
from tournaments.events.forms.flight import FlightForm
from tournaments.events.queries.terms import (
    AFTER_THE_DRAW,
    EVENT_TERMS,
    FLIGHT_TERMS,
    MONEY,
    event_terms,
    flight_terms,
    is_drawn,
)
from tournaments.events.side_pools import pool_line
from tournaments.models import Event, Flight

TIMES = ("starts_at", "entries_from", "entries_until")
RULE = ("rating_from", "rating_below", "title_from", "title_below")


class ChangeEventForm(AboutForm):
    """The terms of an event; times are on the venue's clock."""

    name = forms.CharField(label=_("Name"), max_length=120)
    starts_at = MomentField(
        label=_("Starts"),
        help_text=_("Moving to another day also moves breaks, start times and deadlines."),
    )
    entries_from = MomentField(label=_("Registration opens"), required=False)
    entries_until = MomentField(
        label=_("Registration closes"), required=False, help_text=_("Blank = when the event starts.")
    )
    rated = forms.BooleanField(label=_("Matches are rated"), required=False)
    members_only = forms.BooleanField(label=_("Members only"), required=False)
    hidden = forms.BooleanField(label=_("Directors only"), required=False)

    def __init__(self, event: Event, *args: Any, **options: Any) -> None:
        self._zone = event.tz
        terms = event_terms(event)
        for name in TIMES:
            if terms[name] is not None:
                terms[name] = terms[name].astimezone(self._zone).replace(tzinfo=None, second=0, microsecond=0)
        options["initial"] = terms
        super().__init__(*args, **options)
        self.order_fields([*EVENT_TERMS])

    def changes(self) -> dict[str, Any]:
        """The terms that were changed on the page. A time whose minute is as it was keeps its seconds."""
        found = {name: self.cleaned_data[name] for name in self.changed_data if name not in TIMES}
        for name in TIMES:
            typed = self.cleaned_data[name]
            shown = typed.replace(tzinfo=None) if typed else None
            if shown != self.initial[name]:
                found[name] = shown and shown.replace(tzinfo=self._zone)
        return found


class ChangeFlightForm(FlightForm):
    """The terms of a flight that can still change.

    Money is typed in the club's currency.
    """

    def __init__(self, flight: Flight, *args: Any, **options: Any) -> None:
        self._flight, terms = flight, flight_terms(flight)
        rule = eligibility_of(flight.eligibility)
        initial = {name: value for name, value in terms.items() if name not in MONEY}
        initial |= {name: getattr(rule, name) for name in RULE}
        options["initial"] = initial
        super().__init__(flight.event.club, *args, **options)
        known = {*terms, *RULE} - {"eligibility"}
        if is_drawn(flight):
            known &= AFTER_THE_DRAW
        for name in [name for name in self.fields if name not in known]:
            del self.fields[name]
        self.fields["name"].required = False
        for name in MONEY:
            self.initial[name] = Decimal(terms[name]).scaleb(-self._digits)
        for name in ("lengths", "percentages"):
            self.initial[name] = ", ".join(map(str, terms.get(name, ())))
        currency = flight.event.club.currency
        self.initial["pools"] = "\n".join(pool_line(pool, currency) for pool in pools_of(flight.pools))

    @property
    def shown_fields(self) -> list[Any]:
        """The fields in the order of the terms."""
        places = [*FLIGHT_TERMS]
        places[places.index("eligibility") : places.index("eligibility") + 1] = RULE
        return [self[name] for name in places if name in self.fields]

    def leftover_values(self) -> str:
        """Values typed into fields that no longer exist."""
        typed = {name: str(self.data.get(name, "")).strip() for name in (*FLIGHT_TERMS, *RULE)}
        return ", ".join(
            f"{self.base_fields[name].label} {text}"
            for name, text in typed.items()
            if text and name not in self.fields
        )

    def changes(self) -> dict[str, Any]:
        """The terms that were changed on the page, as plain data."""
        data, changed = self.cleaned_data, set(self.changed_data)
        found = {name: data[name] for name in changed & {"name", "length", "capacity", "returned"}}
        found |= {name: self._minor(data[name]) for name in changed & MONEY}
        found |= {name: list(data[name]) for name in changed & {"lengths", "percentages"}}
        if "pools" in changed:
            found["pools"] = to_plain(data["pools"])
        if changed & set(RULE):
            unrated = eligibility_of(self._flight.eligibility).unrated
            found["eligibility"] = to_plain(
                Eligibility(unrated=unrated, **{name: data[name] for name in RULE})
            )
        return found


def terms_seen(text: str) -> dict[str, Any]:
    """Parse the terms a page showed. Raises ValidationError for unreadable text."""
    try:
        found = json.loads(text)
    # RecursionError: brackets within brackets.
    except (ValueError, RecursionError) as error:
        raise ValidationError(_("This form is out of date. Reload the page and try again.")) from error
    if not isinstance(found, dict):
        raise ValidationError(_("This form is out of date. Reload the page and try again."))
    return found


def shown_terms(terms: dict[str, Any]) -> str:
    """Undo ``terms_seen``, for a hidden field."""
    return json.dumps(to_plain(terms))
