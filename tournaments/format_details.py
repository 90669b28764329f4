"""The format in detail: what a director may set of a template's format, besides what every flight has.

Details are of the stages that entrants begin in; what those fill afterwards is played as the template says.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

from tournaments.event_templates import OVER_WEEKS, template
from tournaments.plans import FlightPlan, StagePlan

OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "seeding": ("seeding",),
    "rounds": ("rounds", "periods"),
    "lives": ("lives",),
    "reach": ("reach",),
    "days": ("days_per_round", "days_per_period"),
}
"""The details by name, each with what the formats call it in their options."""


def usual_details(key: str) -> dict[str, Any]:
    """What may be set of a template's or format's entry stages, with its usual value: None where that hangs
    on the field. Raises KeyError for an unknown key.
    """
    first = _entry_stages(template(key).flight(1))[0]
    found = {name: _option(first, name) for name in OPTIONS}
    return {
        name: getattr(first.options, option)
        for name, option in found.items()
        if option and (name != "days" or key in OVER_WEEKS)
    }


def with_details(flight: FlightPlan, details: Mapping[str, Any]) -> FlightPlan:
    """The flight with these details in its entry stages; a format keeps what it does not know of."""
    entered = _entry_stages(flight)

    def set_in(stage: StagePlan) -> StagePlan:
        if stage not in entered:
            return stage
        known = {_option(stage, name): value for name, value in details.items()}
        known.pop("", None)
        return replace(stage, options=replace(stage.options, **known))

    return replace(flight, stages=tuple(set_in(stage) for stage in flight.stages))


def _entry_stages(flight: FlightPlan) -> list[StagePlan]:
    """Those that no other stage fills."""
    filled = {rule.into for stage in flight.stages for rule in stage.feeds}
    return [stage for stage in flight.stages if stage.name not in filled]


def _option(stage: StagePlan, detail: str) -> str:
    """What the format of a stage calls a detail; empty where it knows none."""
    known = {field.name for field in fields(stage.options)}
    return next((name for name in OPTIONS[detail] if name in known), "")
