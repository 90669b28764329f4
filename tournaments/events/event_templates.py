"""Events as clubs announce them again and again: the wizard's first page."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.core.brackets.elimination import KnockoutOptions
from tournaments.core.formats.presets import PRESETS
from tournaments.core.play.feeding import Top
from tournaments.core.rounds.round_robin import RoundRobinOptions
from tournaments.core.rounds.swiss import SwissOptions
from tournaments.events.plans import FlightPlan, StagePlan, single_flight, usual_tie_breaks
from tournaments.words.formats import FORMAT_NAMES, FORMAT_SENTENCES

LETTERS = "ABCDEFGH"
OVER_WEEKS = frozenset({"league", "ladder"})


@dataclass(frozen=True, slots=True)
class Template:
    """A named event. ``entrants`` is the field that it is made for, ``length`` its usual match length;
    ``flight`` makes the plan of its one flight for a match length.
    """

    key: str
    name: str | Promise
    sentence: str | Promise
    entrants: int
    length: int
    flight: Callable[[int], FlightPlan]


def _groups(length: int) -> FlightPlan:
    cup = _("Knockout")
    stages = [
        StagePlan(
            _("Group %(letter)s") % {"letter": letter},
            "round_robin",
            RoundRobinOptions(),
            length,
            feeds=(Top(2, cup),),
            tie_breaks=usual_tie_breaks("round_robin"),
        )
        for letter in LETTERS[:4]
    ]
    # Winners of groups meet seconds of others first; who met in a group meets again as late as can be.
    final = StagePlan(cup, "knockout", KnockoutOptions(seeding="hand", protect=("met",)), length)
    return FlightPlan((*stages, final))


def _swiss_and_cup(length: int) -> FlightPlan:
    cup, consolation = _("Cup"), _("Consolation")
    options = KnockoutOptions(seeding="hand")
    return FlightPlan(
        (
            StagePlan(
                _("Swiss"),
                "swiss",
                SwissOptions(rounds=5),
                length,
                feeds=(Top(8, cup), Top(16, consolation)),
            ),
            StagePlan(cup, "knockout", options, length),
            StagePlan(consolation, "knockout", options, length),
        )
    )


def _preset(key: str, **terms: Any) -> Callable[[int], FlightPlan]:
    return lambda length: single_flight(key, length, stage_name=_("Main"), **terms)


def _teams(length: int) -> FlightPlan:
    stage = StagePlan(
        _("Teams"),
        "round_robin",
        RoundRobinOptions(),
        length,
        boards=3,
        tie_breaks=usual_tie_breaks("round_robin"),
    )
    return FlightPlan((stage,), team_size=3)


TEMPLATES: dict[str, Template] = {
    each.key: each
    for each in (
        Template(
            "wednesday_swiss",
            gettext_lazy("Wednesday three-round Swiss"),
            gettext_lazy("A club evening that ends on time: everyone plays three matches."),
            16,
            5,
            _preset("swiss_3"),
        ),
        Template(
            "double_64",
            gettext_lazy("64-player double elimination with last chance"),
            gettext_lazy("Out at the second loss; early double losers get a last chance."),
            64,
            7,
            _preset("double_last_chance", capacity=64),
        ),
        Template(
            "weekend",
            gettext_lazy("Weekend with main, consolation and last chance"),
            gettext_lazy("Losers drop into the consolation; losers there get a last chance."),
            64,
            7,
            _preset("last_chance"),
        ),
        Template(
            "groups_then_knockout",
            gettext_lazy("Four groups, then a knockout"),
            gettext_lazy("Round-robin groups; the top two of each go on to a knockout."),
            16,
            5,
            _groups,
        ),
        Template(
            "swiss_and_cup",
            gettext_lazy("Five Swiss rounds, then cup and consolation"),
            gettext_lazy("The top eight play for the cup, the next sixteen in a consolation."),
            32,
            5,
            _swiss_and_cup,
        ),
        Template(
            "three_lives",
            gettext_lazy("Three lives"),
            gettext_lazy("Out at the third loss. Plenty of matches for everyone."),
            24,
            5,
            _preset("lives"),
        ),
        Template(
            "doubles_cup",
            gettext_lazy("Doubles knockout with consolation"),
            gettext_lazy("Pairs of partners. First-match losers play on in a consolation."),
            8,
            5,
            _preset("consolation", team_size=2),
        ),
        Template(
            "team_league",
            gettext_lazy("Teams of three"),
            gettext_lazy("Round robin of teams on three boards; most boards wins the match."),
            6,
            5,
            _teams,
        ),
        Template(
            "jackpot_8",
            gettext_lazy("Jackpot for eight"),
            gettext_lazy("A knockout that starts when full; the next one opens immediately."),
            8,
            5,
            _preset("knockout_lot", capacity=8, starts_when_full=True),
        ),
    )
}


def template(key: str) -> Template:
    """The template of a key; a format's name stands for an event with that one stage.

    Raises KeyError.
    """
    if key in TEMPLATES:
        return TEMPLATES[key]
    chosen = PRESETS[key]
    return Template(key, FORMAT_NAMES[key], FORMAT_SENTENCES[key], max(16, chosen.minimum), 5, _preset(key))


def flight_from(key: str, length: int, day: date) -> FlightPlan:
    """The flight of a template; a league or ladder has its deadlines from this day on. Raises KeyError."""
    flight = template(key).flight(length)
    if key not in OVER_WEEKS:
        return flight
    stages = tuple(replace(stage, options=replace(stage.options, start=day)) for stage in flight.stages)
    return replace(flight, stages=stages)
