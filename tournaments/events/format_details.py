"""Format details: settings of a template's entry stages.

Details are of the stages that entrants begin in; what those fill afterwards is played as the template says.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, Final

from django.utils.translation import gettext as _

from tournaments.core.play.ties import SETTLED
from tournaments.core.rounds.acceleration import check_acceleration
from tournaments.core.stages.errors import DrawRefused
from tournaments.events.event_templates import OVER_WEEKS, template
from tournaments.events.plans import FlightPlan, StagePlan, tie_break_sentences
from tournaments.words.refusals import acceleration_in_words

OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "seeding": ("seeding",),
    "rounds": ("rounds", "periods"),
    "accelerated_rounds": ("accelerated",),
    "rounds_apart": ("apart",),
    "lives": ("lives",),
    "reach": ("reach",),
    "days": ("days_per_round", "days_per_period"),
    "consolation_rounds": ("feeding",),
    "last_chance_rounds": ("last_chance",),
}
"""The details by name, each with what the formats call it in their options."""


def usual_details(key: str) -> dict[str, Any]:
    """The settings of a template or format with their defaults.

    None where the default depends on the field. Includes the ``boards`` of a team match if there are several.
    Raises KeyError for an unknown key.
    """
    first = _entry_stages(template(key).flight(1))[0]
    found = {name: _option(first, name) for name in OPTIONS}
    usual = {
        name: getattr(first.options, option)
        for name, option in found.items()
        if option and _has(first.options, name) and (name != "days" or key in OVER_WEEKS)
    }
    return usual | ({"boards": first.boards} if first.boards > 1 else {})


def _has(options: Any, detail: str) -> bool:
    """Whether a draw with these options has the section that the detail is of."""
    if detail == "consolation_rounds":
        return getattr(options, "consolation", "none") != "none"
    return detail != "last_chance_rounds" or bool(options.last_chance)


def detail_faults(key: str, given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Faults in the details for a template or format: name and sentence.

    ``tie_breaks`` are keys in order.
    """
    usual, planned = usual_details(key), template(key).flight(1)
    for name in OPTIONS:
        if _is_set(given, name) and name not in usual:
            chosen = template(key).name
            yield name, _("“%(format)s” does not use this setting. Leave it blank.") % {"format": chosen}
    players = given.get("team_size") or planned.team_size or 1
    boards = given.get("boards") or planned.stages[0].boards
    if given.get("boards") and boards > players:
        words = {"players": players, "boards": boards}
        yield "boards", _("A team of %(players)s cannot play on %(boards)s boards.") % words
    if given.get("duplicate_dice") and boards < 2:
        yield "duplicate_dice", _("Duplicate dice need at least two boards per team match.")
    if given.get("accelerated_rounds") and "accelerated_rounds" in usual:
        yield from _acceleration_faults(usual | _options_given(given))
    if given.get("tie_breaks"):
        for fault in tie_break_sentences(replace(_entry_stages(planned)[0], tie_breaks=_chosen(given))):
            yield "tie_breaks", fault
            break


def _acceleration_faults(details: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    try:
        check_acceleration(
            details["accelerated_rounds"], rounds=details.get("rounds"), seeding=details["seeding"]
        )
    except DrawRefused as refused:
        yield "accelerated_rounds", acceleration_in_words(refused)


def has_table(key: str) -> bool:
    """Whether the entry stages of a template or format are ranked by a table with tie-breaks."""
    return _entry_stages(template(key).flight(1))[0].format in SETTLED


def _is_set(given: Mapping[str, Any], name: str) -> bool:
    """Whether a detail is given; 0 is a value, blank is none."""
    return given.get(name) not in {None, ""}


def _options_given(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in OPTIONS if _is_set(given, name)}


def _chosen(given: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(given["tie_breaks"])


def with_details(flight: FlightPlan, given: Mapping[str, Any]) -> FlightPlan:
    """Apply the given details to a flight without faults.

    Details go to its entry stages, boards and dice to all.
    """
    entered = _entry_stages(flight)

    def options(stage: StagePlan) -> Any:
        if stage not in entered:
            return stage.options
        known = {_option(stage, name): value for name, value in _options_given(given).items()}
        known.pop("", None)
        return replace(stage.options, **known)

    return replace(
        flight,
        stages=tuple(
            replace(
                stage,
                options=options(stage),
                boards=given.get("boards") or stage.boards,
                duplicate_dice=bool(given.get("duplicate_dice")),
                tie_breaks=_chosen(given)
                if given.get("tie_breaks") and stage in entered
                else stage.tie_breaks,
            )
            for stage in flight.stages
        ),
    )


def _entry_stages(flight: FlightPlan) -> list[StagePlan]:
    """The stages that no other stage feeds."""
    filled = {rule.into for stage in flight.stages for rule in stage.feeds}
    return [stage for stage in flight.stages if stage.name not in filled]


def _option(stage: StagePlan, detail: str) -> str:
    """The option name for a detail in a stage's format; empty if it has none."""
    known = {field.name for field in fields(stage.options)}
    return next((name for name in OPTIONS[detail] if name in known), "")
