"""The form of a new event."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, TypeAlias
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.models.club import validate_time_zone
from scoring.profiles.queries.profiles import profiles_of
from scoring.rules.profiles import STANDARD_PROFILE
from tournaments.core.timetable.breaks import MOST_BREAKS
from tournaments.events.announcements import event_in
from tournaments.events.break_lines import LONGEST_LINE, typed_breaks
from tournaments.events.event_templates import template
from tournaments.events.forms.about import AboutForm
from tournaments.events.forms.flight import (
    MONEY_PART,
    WHO_MORE,
    FlightForm,
    FormPart,
    page_order,
    part_of,
)
from tournaments.events.forms.rows import BreakRows
from tournaments.events.plans import EventPlan

FIRST_YEAR, LAST_YEAR = 1900, 2200
MOST_EXPECTED = 256
"""The largest field that the wizard simulates within one request."""

WHAT, WHO, FORMAT, MONEY = "what", "who", "format", "money"
STEPS = {WHAT: _("Event"), WHO: _("Players"), FORMAT: _("Format"), MONEY: _("Money")}
"""The steps of the wizard, in order, with their titles."""

FormParts: TypeAlias = Mapping[str, Sequence[tuple[Any, Sequence[str], Sequence[str]]]]
"""Sections by step: title, visible fields, folded fields."""


class MomentField(forms.DateTimeField):
    """A date and time in the venue's local time."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(widget=widget, **options)

    def clean(self, value: Any) -> Any:
        found = super().clean(value)
        if found is not None and not FIRST_YEAR <= found.year <= LAST_YEAR:
            raise ValidationError(
                _("The year must be between %(first)s and %(last)s."),
                code="year",
                params={"first": FIRST_YEAR, "last": LAST_YEAR},
            )
        return found


class BreaksField(forms.CharField):
    """Breaks in rows, read as lines (``tournaments.events.break_lines``)."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Breaks"),
            max_length=MOST_BREAKS * LONGEST_LINE,
            required=False,
            widget=BreakRows,
            help_text=_("Local time at the venue."),
        )

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Without ``maxlength``: browsers would silently cut pasted text."""
        return {name: value for name, value in super().widget_attrs(widget).items() if name != "maxlength"}


class ExpectedFlightForm(FlightForm):
    """A planned flight with its expected number of entrants, in the steps of the wizard."""

    steps: ClassVar[FormParts] = {
        WHAT: (),
        WHO: ((_("Players"), ("name", "entrants", "capacity"), WHO_MORE),),
        FORMAT: ((_("Format"), ("format_key", "length", "lengths"), ()),),
        MONEY: (MONEY_PART,),
    }

    entrants = forms.IntegerField(
        label=_("Expected entrants"),
        min_value=2,
        max_value=MOST_EXPECTED,
        required=False,
        help_text=_("For the forecast only."),
    )

    def __init__(self, club: Club, *args: Any, **options: Any) -> None:
        super().__init__(club, *args, **options)
        self.order_fields(page_order([part for step in STEPS for part in self.steps[step]]))

    def parts(self, step: str) -> list[FormPart]:
        """The sections of a step."""
        return [part_of(self, *part) for part in self.steps[step]]

    def names_in(self, step: str) -> set[str]:
        """The names of a step's fields."""
        return set(page_order(self.steps[step]))

    def beside(self, step: str) -> list[forms.BoundField]:
        """The fields of the other steps, which the page of a step carries along."""
        names = self.names_in(step)
        return [self[name] for name in self.fields if name not in names]

    def expected(self) -> int:
        """Number of entrants for the forecast."""
        data = self.cleaned_data
        chosen = template(data["format_key"])
        return data["entrants"] or min(data["capacity"] or chosen.entrants, MOST_EXPECTED)


class EventForm(AboutForm, ExpectedFlightForm):
    """A new event with its first flight; times are on the venue's clock."""

    steps: ClassVar[FormParts] = {
        WHAT: (
            (
                _("Event"),
                ("name", "starts_at", "venue"),
                ("address", "description", "contact", "stream", "breaks", "zone", "rated"),
            ),
        ),
        WHO: (
            (
                _("Players"),
                ("entrants", "tables", "capacity"),
                (
                    *("flight_name", *WHO_MORE),
                    *("entries_from", "entries_until", "members_only", "hidden"),
                ),
            ),
        ),
        FORMAT: ((_("Matches"), ("format_key", "length", "lengths"), ("profile", "clocks")),),
        MONEY: (MONEY_PART,),
    }

    name = forms.CharField(label=_("Name"), max_length=120)
    flight_name = forms.CharField(
        label=_("Division name"),
        max_length=60,
        required=False,
        help_text=_("Only for events with several divisions."),
    )
    tables = forms.IntegerField(
        label=_("Tables at the venue"),
        min_value=1,
        max_value=500,
        required=False,
        help_text=_("The desk calls matches to them. Blank = as many as needed."),
    )
    starts_at = MomentField(label=_("Starts"), help_text=_("Local time at the venue."))
    zone = forms.CharField(
        label=_("Time zone"),
        max_length=64,
        required=False,
        validators=[validate_time_zone],
        help_text=_("Blank = the club’s. Enter another one for an event elsewhere, e.g. Europe/Madrid."),
    )
    breaks = BreaksField()
    profile = forms.ChoiceField(label=_("Rules"), required=False)
    clocks = forms.BooleanField(label=_("Played with clocks"), required=False, initial=True)
    entries_from = MomentField(label=_("Registration opens"), required=False)
    entries_until = MomentField(
        label=_("Registration closes"), required=False, help_text=_("Blank = when the event starts.")
    )
    rated = forms.BooleanField(label=_("Matches are rated"), required=False, initial=True)
    hidden = forms.BooleanField(label=_("Directors only"), required=False)
    members_only = forms.BooleanField(label=_("Members only"), required=False)

    def __init__(self, club: Club, *args: Any, **options: Any) -> None:
        super().__init__(club, *args, **options)
        zone: Any = self.fields["zone"]
        zone.widget.attrs["placeholder"] = club.tz
        self._profiles = {profile.name: profile for profile in profiles_of(club)}
        profile: Any = self.fields["profile"]
        profile.choices = [(name, each.title) for name, each in self._profiles.items()]
        profile.initial = next(iter(self._profiles))  # what a browser sends unasked is no change

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        opens, closes = data.get("entries_from"), data.get("entries_until")
        if opens and closes and closes <= opens:
            self.add_error("entries_until", _("Registration cannot close before it opens."))
        if data.get("breaks") and data.get("starts_at") and "zone" in data:
            starts_at = self._at(data["starts_at"])
            try:
                data["breaks"] = typed_breaks(data["breaks"], zone=self._zone(), event_at=starts_at)
            except ValidationError as error:
                self.add_error("breaks", error)
        return data

    def plan(self, others: Sequence[FlightForm] = ()) -> EventPlan:
        """The typed event as a plan; ``others`` are the validated further flights."""
        data = self.cleaned_data
        starts_at = self._at(data["starts_at"])
        profile = self._profiles[data["profile"] or STANDARD_PROFILE.name]
        entries = {
            name: self._at(data[name]) if data[name] else None for name in ("entries_from", "entries_until")
        }
        flights = [each.flight(starts_at.date()) for each in (self, *others)]
        return event_in(
            {**data, "starts_at": starts_at, **entries}, flights, profile=profile, breaks=data["breaks"]
        )

    def _at(self, typed: datetime) -> datetime:
        """The typed moment in the venue's time zone."""
        return typed.replace(tzinfo=self._zone())

    def _zone(self) -> ZoneInfo:
        zone = self.cleaned_data.get("zone")
        return ZoneInfo(zone) if zone else self._club.zone
