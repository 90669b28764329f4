"""The event wizard: four steps, one form per flight, and the forecast.

Nothing is stored between its pages: each sends the whole form, with hidden fields for the other steps.
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
from tournaments.events.forms.event import STEPS, EventForm, ExpectedFlightForm
from tournaments.events.plans import EventPlan, check_names
from tournaments.events.queries.plan_forecast import PlanForecast, event_forecast

MOST_FLIGHTS = 12
PREFIX = re.compile(r"f[1-9][0-9]?")
PROVISIONAL = "consolation"
"""The format of a forecast before one is chosen."""
ORDER = tuple(STEPS)
FORECAST_BY = frozenset(
    {
        *(
            "starts_at",
            "zone",
            "breaks",
            "clocks",
            "entrants",
            "tables",
            "capacity",
            "team_size",
            "format_key",
        ),
        *(
            "length",
            "lengths",
            "rounds",
            "accelerated_rounds",
            "rounds_apart",
            "lives",
            "days",
            "reach",
            "consolation_rounds",
            "last_chance_rounds",
        ),
        *("seeding", "boards", "tie_breaks", "lot_last"),
    }
)
"""What a forecast depends on; a fault elsewhere does not keep it back."""


NO_START = "2026-01-01T00:00"


@dataclass(frozen=True, slots=True)
class ForecastLine:
    """The forecast of a flight or the whole event.

    ``figures`` is None where a draw is not possible. Ends are in the venue's local time: median, and for 90%
    of the simulations; a season has none.
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
    def forms(self) -> tuple[ExpectedFlightForm, ...]:
        return (self.event, *self.others)

    @property
    def full(self) -> bool:
        return len(self.forms) >= MOST_FLIGHTS

    def faulty_step(self, until: str = ORDER[-1]) -> str:
        """The first step up to this one with a fault; empty if none. Faults of other steps are forgotten.

        Faults are at their fields.
        """
        self.is_valid()
        for step in ORDER[: ORDER.index(until) + 1]:
            if any(form.names_in(step) & form.errors.keys() for form in self.forms):
                for form in self.forms:
                    for name in form.errors.keys() - form.names_in(step):
                        del form.errors[name]
                return step
        return ""

    def values(self) -> QueryDict:
        """What the page of a step would send."""
        found = QueryDict(mutable=True)
        for form in self.forms:
            if form.prefix:
                found.appendlist("flight", form.prefix)
            for name in form.fields:
                value = form[name].value()
                if isinstance(value, datetime):
                    value = value.isoformat()
                if value is not None and value is not False:
                    found[form.add_prefix(name)] = "on" if value is True else str(value)
        return found

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

    def forecast(self, club: Club) -> list[ForecastLine] | None:
        """Forecasts of the flights, then of the whole event if it has several; None where a value is missing.

        Without a start it is as if the event began at midnight of a day without change of the clock.
        """
        values = self.values()
        for name in [*values]:
            if name != "flight" and name.rpartition("-")[2] not in FORECAST_BY:
                del values[name]
        values["name"] = values["flight_name"] = "-"
        values["format_key"] = values.get("format_key") or PROVISIONAL
        values["starts_at"] = values.get("starts_at") or NO_START
        for number, form in enumerate(self.forms):
            values[form.add_prefix("returned")] = "100"
            if number:
                values[form.add_prefix("name")] = str(number)
        asked = Wizard.sent(club, values)
        names = [form["flight_name" if form is self.event else "name"].value() for form in self.forms]
        return asked._forecast(names) if asked.is_valid() else None

    @property
    def begins(self) -> bool:
        """Whether the start is known, so that a forecast has times of day."""
        return bool(self.event["starts_at"].value())

    def _forecast(self, names: list[str]) -> list[ForecastLine]:
        plan, data = self.plan(), self.event.cleaned_data
        expected = [form.expected() for form in self.forms]
        found = event_forecast(
            list(zip(plan.flights, expected, strict=True)),
            tables=data["tables"],
            clocks=data["clocks"],
            closed=closed_minutes(plan.breaks, plan.starts_at),
        )
        start = plan.starts_at
        lines = [
            _line(name or _("First division"), start, figures)
            for name, figures in zip(names, found.flights, strict=True)
        ]
        return lines if len(lines) == 1 else [_line(_("The whole event"), start, found.whole), *lines]


def _line(name: str, start: datetime, figures: PlanForecast | None) -> ForecastLine:
    if figures is None or figures.usually is None or figures.at_worst is None:
        return ForecastLine(name, figures)
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
