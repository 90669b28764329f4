"""What an event of several stages would be like: each stage played on paper, one level after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tournaments.draws.errors import DrawError
from tournaments.draws.feeding import AtMostLosses, Rest, Rule, TiedForFirst, Top
from tournaments.draws.forecast import Conditions, Distribution, distribution, forecast
from tournaments.draws.formats import FORMATS
from tournaments.draws.presets import Preset
from tournaments.event_templates import TEMPLATES, Template, template
from tournaments.plans import FlightPlan, StagePlan

EVENTS = 8
MOST_MATCHES = 400


@dataclass(frozen=True, slots=True)
class PlanForecast:
    """Minutes from the first match to the last (usually; nine times in ten by), how many tables are busy at
    once at most, and matches each on average.
    """

    entrants: int
    usually: int
    at_worst: int
    tables: int
    matches_each: float


@dataclass(frozen=True, slots=True)
class TemplateLine:
    """A template with its forecast, None for a field that it cannot be played with."""

    template: Template
    entrants: int
    figures: PlanForecast | None


def template_lines(
    entrants: int | None = None, tables: int | None = None, length: int | None = None
) -> list[TemplateLine]:
    """Every template, for a field of this size (its own when None)."""
    return [
        TemplateLine(each, entrants or each.entrants, template_forecast(each.key, entrants, tables, length))
        for each in TEMPLATES.values()
    ]


@lru_cache(maxsize=512)
def template_forecast(
    key: str, entrants: int | None, tables: int | None, length: int | None
) -> PlanForecast | None:
    """The forecast of a template; the same question has the same answer."""
    chosen = template(key)
    flight = chosen.flight(length or chosen.length)
    return plan_forecast(flight, entrants or chosen.entrants, tables=tables)


def plan_forecast(flight: FlightPlan, entrants: int, *, tables: int | None = None) -> PlanForecast | None:
    """What a flight with so many entrants would be like; None where one of its stages cannot be drawn."""
    counts = stage_counts(flight, entrants)
    # A pair plays its matches together, the players of a team one board each.
    heads = entrants if flight.team_size in {None, 1, 2} else entrants * (flight.team_size or 1)
    usually = worst = 0.0
    busy, matches = 0, 0.0
    for level in _levels(flight):
        playing = [(stage, counts[stage.name]) for stage in level if counts[stage.name] >= 2]
        if not playing:
            continue
        everybody = sum(count for _stage, count in playing)
        try:
            found = [_played(stage, count, _share(tables, count, everybody)) for stage, count in playing]
        except DrawError:
            return None
        usually += max(each.minutes[1] for each in found)
        worst += max(each.minutes[2] for each in found)
        matches += sum(
            each.matches[1] * stage.boards for each, (stage, _count) in zip(found, playing, strict=True)
        )
        busy = max(busy, sum(count // 2 * stage.boards for stage, count in playing))
    return PlanForecast(
        entrants,
        round(usually),
        round(worst),
        min(busy, tables) if tables else busy,
        2 * matches / max(1, heads),
    )


def stage_counts(flight: FlightPlan, entrants: int) -> dict[str, int]:
    """How many play in each stage, as far as that can be said before: a playoff without a tie has nobody."""
    fed = {rule.into for stage in flight.stages for rule in stage.feeds}
    first = [stage for stage in flight.stages if stage.name not in fed]
    counts = dict.fromkeys((stage.name for stage in flight.stages), 0)
    for index, stage in enumerate(first):
        counts[stage.name] = entrants // len(first) + (index < entrants % len(first))
    for stage in flight.stages:
        for name, count in _sent(counts[stage.name], stage.feeds).items():
            counts[name] += count
    return counts


def _sent(count: int, rules: Sequence[Rule]) -> Mapping[str, int]:
    left = count
    sent: dict[str, int] = {}
    for rule in rules:
        match rule:
            case Top(most, _into):
                taken = min(most, left)
            case AtMostLosses():
                taken = left // 2
            case TiedForFirst():
                taken = 0
            case Rest():
                taken = left
        sent[rule.into] = sent.get(rule.into, 0) + taken
        left -= taken
    return sent


def _levels(flight: FlightPlan) -> list[list[StagePlan]]:
    """Stages that are played at the same time, in their order."""
    depth = dict.fromkeys((stage.name for stage in flight.stages), 0)
    for stage in flight.stages:
        for rule in stage.feeds:
            depth[rule.into] = max(depth[rule.into], depth[stage.name] + 1)
    return [
        [stage for stage in flight.stages if depth[stage.name] == level]
        for level in range(max(depth.values()) + 1)
    ]


def _share(tables: int | None, count: int, everybody: int) -> int | None:
    return None if tables is None else max(1, tables * count // everybody)


def _played(stage: StagePlan, count: int, tables: int | None) -> Distribution:
    chosen = Preset(stage.name, stage.format, stage.options, FORMATS[stage.format].minimum)
    # A tie of teams takes a table for each of its boards.
    at_once = None if tables is None else max(1, tables // stage.boards)
    conditions = Conditions(tables=at_once, length=stage.length)
    first = forecast(chosen, count, seed="0", conditions=conditions)
    events = max(1, min(EVENTS, MOST_MATCHES // max(1, first.matches)))
    rest = [forecast(chosen, count, seed=str(n), conditions=conditions) for n in range(1, events)]
    return distribution([first, *rest])
