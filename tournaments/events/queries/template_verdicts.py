"""The verdict on a template for a number of entrants, by the rule for formats and its places."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.functional import Promise

from tournaments.core.formats.table import FORMATS
from tournaments.core.timetable.forecast import Conditions
from tournaments.core.timetable.suitability import Concern, FormatJudgement, judge_stages
from tournaments.events.event_templates import TEMPLATES
from tournaments.events.plans import FlightPlan
from tournaments.events.queries.chooser import NO_CHANGE, FeedingRounds, judged_stage
from tournaments.events.queries.plan_forecast import stage_counts, template_forecast
from tournaments.words.suitability import verdict


@dataclass(frozen=True, slots=True)
class TemplateLine:
    """The verdict on a template for a field."""

    key: str
    name: str | Promise
    entrants: int
    judgement: FormatJudgement

    @property
    def suitability(self) -> str:
        return self.judgement.suitability

    @property
    def verdict(self) -> str:
        return verdict(self.judgement, self.entrants)


def judged_template(
    key: str, entrants: int, conditions: Conditions, feeding: FeedingRounds = NO_CHANGE
) -> FormatJudgement:
    """The verdict on a template: of its one stage, else of its stages and the whole. Raises KeyError."""
    flight = TEMPLATES[key].flight(conditions.length)
    places = flight.capacity
    least = places if flight.starts_when_full and places else _fewest(flight)
    if entrants < least:
        return FormatJudgement((Concern("too_few_entrants", least, grave=True),))
    judged = _judged_draw(key, flight, in_one_draw(flight, entrants), conditions, feeding)
    if places is None or entrants <= places:
        return judged
    return replace(judged, concerns=(_beyond(flight, places, entrants), *judged.concerns))


def judged_templates(
    entrants: int, conditions: Conditions, feeding: FeedingRounds = NO_CHANGE
) -> Sequence[TemplateLine]:
    """The verdicts on all templates, in the order of the wizard."""
    return [
        TemplateLine(key, each.name, entrants, judged_template(key, entrants, conditions, feeding))
        for key, each in TEMPLATES.items()
    ]


def in_one_draw(flight: FlightPlan, entrants: int) -> int:
    """The entrants of one draw: no more than it has places."""
    return entrants if flight.capacity is None else min(entrants, flight.capacity)


def _beyond(flight: FlightPlan, places: int, entrants: int) -> Concern:
    """The concern about more entrants than places: where it starts when full, further draws follow."""
    if not flight.starts_when_full:
        return Concern("places", places, grave=True)
    draws, left = divmod(entrants, places)
    return Concern("left_over", places, of=left) if left else Concern("fills", places, of=draws)


def _judged_draw(
    key: str, flight: FlightPlan, entrants: int, conditions: Conditions, feeding: FeedingRounds
) -> FormatJudgement:
    if len(flight.stages) == 1 and flight.stages[0].boards == 1:
        stage = flight.stages[0]
        return judged_stage(stage.format, stage.options, entrants, conditions, feeding)
    counts = stage_counts(flight, entrants)
    alone = replace(conditions, tables=None)
    judged = [
        (judged_stage(stage.format, stage.options, counts[stage.name], alone, feeding), bool(stage.feeds))
        for stage in flight.stages
    ]
    limited, unlimited = (
        template_forecast(key, entrants, tables, conditions.length, clocks=conditions.clocks)
        for tables in (conditions.tables, None)
    )
    if limited is None or unlimited is None:
        return FormatJudgement(tuple(concern for each, _feeds in judged for concern in each.concerns))
    return judge_stages(
        judged,
        matches_each=limited.matches_each,
        minutes=limited.usually,
        at_once=unlimited.tables,
        tables=conditions.tables,
    )


def _fewest(flight: FlightPlan) -> int:
    """The fewest entrants with which each stage can be drawn."""
    fewest = 2
    while not all(
        count >= FORMATS[stage.format].minimum
        for stage, count in zip(flight.stages, stage_counts(flight, fewest).values(), strict=True)
    ):
        fewest += 1
    return fewest
