"""The event wizard: one form per flight, and the forecast.

Nothing is stored between its pages: every step sends the whole form.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from clubs.models import Club
from tournaments.core.formats.presets import PRESETS
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.timetable.breaks import closed_minutes
from tournaments.events.event_templates import TEMPLATES, template
from tournaments.events.forms.event import EventForm, ExpectedFlightForm
from tournaments.events.plans import EventPlan, check_names
from tournaments.events.queries.plan_forecast import PlanForecast, event_forecast

MOST_FLIGHTS = 12
PREFIX = re.compile(r"f[1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class ForecastLine:
    """The forecast of a flight or the whole event.

    ``figures`` is None where a draw is not possible. Ends are in the venue's local time: median, and for 90%
    of the simulations.
    """

    name: str
    figures: PlanForecast | None
    usually: datetime | None = None
    at_worst: datetime | None = None


@dataclass(frozen=True, slots=True)
class Wizard:
    """The event's form with its first flight, and one form for each further flight."""

    event: EventForm
    others: tuple[ExpectedFlightForm, ...]

    @classmethod
    def empty(cls, club: Club, initial: Mapping[str, Any]) -> "Wizard":
        """A new event, filled in from a template."""
        return cls(EventForm(club, initial=dict(initial)), ())

    @classmethod
    def sent(cls, club: Club, data: QueryDict) -> "Wizard":
        """The submitted forms, to be validated."""
        return cls(
            EventForm(club, data),
            tuple(ExpectedFlightForm(club, data, prefix=prefix) for prefix in _prefixes(data)),
        )

    @classmethod
    def changed(cls, club: Club, data: QueryDict, *, add: str = "", drop: str = "") -> "Wizard":
        """The submitted forms, unvalidated, with one flight more or less."""
        event = EventForm(club, initial=_typed(EventForm(club, data)))
        prefixes = [prefix for prefix in _prefixes(data) if prefix != drop]
        others = [
            ExpectedFlightForm(
                club, initial=_typed(ExpectedFlightForm(club, data, prefix=prefix)), prefix=prefix
            )
            for prefix in prefixes
        ]
        if add and len(others) + 1 < MOST_FLIGHTS:
            free = next(f"f{n}" for n in range(2, MOST_FLIGHTS + 2) if f"f{n}" not in prefixes)
            others.append(ExpectedFlightForm(club, initial=terms_of(add), prefix=free))
        return cls(event, tuple(others))

    @property
    def full(self) -> bool:
        return len(self.others) + 1 >= MOST_FLIGHTS

    def is_valid(self) -> bool:
        """Whether the whole event can be announced; faults stand at their fields."""
        # Every form says what is wrong with it, not only the first.
        if not all([self.event.is_valid(), *(other.is_valid() for other in self.others)]):
            return False
        try:
            check_names([flight.name for flight in self.plan().flights])
        except DrawRefused as refused:
            self._name(refused)
            return False
        return True

    def _name(self, refused: DrawRefused) -> None:
        place = int(str(refused.params["place"]))
        message = (
            _("Name each division when an event has several.")
            if refused.code == "flight_name"
            else _("Another division has this name.")
        )
        if place == 1:
            self.event.add_error("flight_name", message)
        else:
            self.others[place - 2].add_error("name", message)

    def plan(self) -> EventPlan:
        """The typed event as a plan."""
        return self.event.plan(self.others)

    def forecast(self) -> list[ForecastLine]:
        """Forecasts of the flights, then of the whole event if it has several.

        Only for a valid wizard.
        """
        plan, data = self.plan(), self.event.cleaned_data
        expected = [self.event.expected(), *(other.expected() for other in self.others)]
        found = event_forecast(
            list(zip(plan.flights, expected, strict=True)),
            tables=data["tables"],
            clocks=data["clocks"],
            closed=closed_minutes(plan.breaks, plan.starts_at),
        )
        start = plan.starts_at
        lines = [
            _line(flight.name or _("Event"), start, figures)
            for flight, figures in zip(plan.flights, found.flights, strict=True)
        ]
        return lines if len(lines) == 1 else [*lines, _line(_("The whole event"), start, found.whole)]


def _line(name: str, start: datetime, figures: PlanForecast | None) -> ForecastLine:
    if figures is None:
        return ForecastLine(name, None)
    # From UTC and back: a night in which the clock changes is an hour longer or shorter.
    usually, at_worst = (
        (start.astimezone(UTC) + timedelta(minutes=each)).astimezone(start.tzinfo)
        for each in (figures.usually, figures.at_worst)
    )
    return ForecastLine(name, figures, usually, at_worst)


def _prefixes(data: QueryDict) -> list[str]:
    named = dict.fromkeys(data.getlist("flight"))
    return [prefix for prefix in named if PREFIX.fullmatch(prefix)][: MOST_FLIGHTS - 1]


def _typed(form: forms.Form) -> dict[str, Any]:
    """The raw values of a submitted form."""
    return {
        name: field.widget.value_from_datadict(form.data, form.files, form.add_prefix(name))
        for name, field in form.fields.items()
    }


def terms_of(key: str) -> dict[str, Any]:
    """Initial values of a flight's form from a template; empty for an unknown one."""
    if key not in {*TEMPLATES, *PRESETS}:
        return {}
    chosen = template(key)
    flight = chosen.flight(chosen.length)
    return {
        "name": chosen.name if chosen.key in TEMPLATES else "",
        "format_key": key,
        "length": chosen.length,
        "capacity": flight.capacity,
        "team_size": flight.team_size,
        "starts_when_full": flight.starts_when_full,
    }
