"""The verdict on a template for a number of entrants, by the rule for formats."""

from dataclasses import replace

from tournaments.core.formats.table import FORMATS
from tournaments.core.timetable.forecast import Conditions
from tournaments.core.timetable.suitability import Concern, FormatJudgement, judge_stages
from tournaments.events.event_templates import TEMPLATES
from tournaments.events.plans import FlightPlan
from tournaments.events.queries.chooser import NO_CHANGE, FeedingRounds, judged_stage
from tournaments.events.queries.plan_forecast import stage_counts, template_forecast


def judged_template(
    key: str, entrants: int, conditions: Conditions, feeding: FeedingRounds = NO_CHANGE
) -> FormatJudgement:
    """The verdict on a template: of its one stage, else of its stages and the whole. Raises KeyError."""
    flight = TEMPLATES[key].flight(conditions.length)
    least = _fewest(flight)
    if entrants < least:
        return FormatJudgement((Concern("too_few_entrants", least, grave=True),))
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
        return FormatJudgement(tuple(concern for verdict, _feeds in judged for concern in verdict.concerns))
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
