"""Forecast an event before it is announced, by simulation.

Its flights and stages are simulated on the same tables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from statistics import median

from tournaments.core.formats.presets import Preset
from tournaments.core.formats.table import FORMATS, format_of
from tournaments.core.play.feeding import AtMostLosses, Rest, Rule, TiedForFirst, Top
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.stages.errors import DrawError
from tournaments.core.stages.format import Season
from tournaments.core.timetable.forecast import (
    Conditions,
    length_in,
    match_minutes,
    quantiles,
    simulate_preset,
)
from tournaments.core.timetable.opening import Span
from tournaments.core.timetable.timetable import Meeting, PlannedDraw, timetable
from tournaments.events.event_templates import flight_from
from tournaments.events.plans import FlightPlan, StagePlan

EVENTS = 8
MOST_MATCHES = 400
ANY_DAY = date(2026, 1, 1)
"""The first day of a league or ladder whose start is not asked for."""


@dataclass(frozen=True, slots=True)
class PlanForecast:
    """How long a plan takes, and how busy it is.

    Minutes from the first match to the last (usually; for 90% of the runs), the most tables busy at once,
    matches each on average and in all, and rounds one after the other. A season has no such minutes;
    ``evening`` is how long its evenings take (for 90% of the runs) if each round is one.
    """

    entrants: int
    usually: int | None
    at_worst: int | None
    evening: int | None
    tables: int
    matches_each: float
    matches: int
    rounds: int


@dataclass(frozen=True, slots=True)
class EventForecast:
    """Forecast of the whole event, and of each flight alongside the others.

    A flight is None when it cannot be drawn with so many; without any that can, so is the ``whole``.
    """

    whole: PlanForecast | None
    flights: tuple[PlanForecast | None, ...]


@lru_cache(maxsize=512)
def template_forecast(
    key: str, entrants: int, tables: int | None, length: int, *, clocks: bool
) -> PlanForecast | None:
    """The forecast of a template; None where it cannot be drawn.

    The same question has the same answer.
    """
    flight = flight_from(key, length, ANY_DAY)
    return event_forecast([(flight, entrants)], tables=tables, clocks=clocks).whole


def event_forecast(
    flights: Sequence[tuple[FlightPlan, int]],
    *,
    tables: int | None = None,
    clocks: bool = True,
    closed: Sequence[Span] = (),
) -> EventForecast:
    """Forecast an event with these flights and entrants.

    Breaks are in the spans that are ``closed`` (minutes from its start). All flights begin together and share
    the tables, a season by its first round. A player in two flights counts twice: for whom the others wait is
    not known before they have entered.
    """
    papers = [_paper(flight, entrants, clocks=clocks) for flight, entrants in flights]
    playable = [(place, paper) for place, paper in enumerate(papers) if paper is not None]
    if not playable:
        return EventForecast(None, (None,) * len(flights))
    total = sum(paper.matches for _place, paper in playable)
    events = max(1, min(EVENTS, MOST_MATCHES // max(1, total)))
    tables_of = [
        timetable(_draws(playable, number), tables=tables, closed=closed) for number in range(events)
    ]
    figures: list[PlanForecast | None] = [None] * len(flights)
    for place, paper in playable:
        figures[place] = _figures(
            paper.entrants,
            [each.ends[place] for each in tables_of],
            max(each.busy[place] for each in tables_of),
            paper.matches_each(range(events)),
            paper.matches_in(range(events)),
            paper.rounds,
            paper.seasons,
        )
    heads = sum(paper.heads for _place, paper in playable)
    whole = _figures(
        sum(paper.entrants for _place, paper in playable),
        [max(each.ends.values()) for each in tables_of],
        max(each.most for each in tables_of),
        sum(paper.matches_each(range(events)) * paper.heads for _place, paper in playable) / heads,
        sum(paper.matches_in(range(events)) for _place, paper in playable),
        max(paper.rounds for _place, paper in playable),
        [season for _place, paper in playable for season in paper.seasons],
    )
    return EventForecast(whole, tuple(figures))


def _figures(
    entrants: int,
    ends: Sequence[float],
    busy: int,
    matches_each: float,
    matches: int,
    rounds: int,
    seasons: Sequence[Season | None],
) -> PlanForecast:
    _least, *between, _most = quantiles(ends)
    usually, worst = map(round, between)
    evening = worst if set(seasons) == {Season.EVENINGS} else None
    if any(seasons):
        return PlanForecast(entrants, None, None, evening, busy, matches_each, matches, rounds)
    return PlanForecast(entrants, usually, worst, None, busy, matches_each, matches, rounds)


@dataclass(frozen=True, slots=True)
class _Played:
    """A simulated stage; ``behind`` are the names of those that feed it."""

    name: str
    draw: PlannedDraw
    behind: tuple[str, ...]


@dataclass(slots=True)
class _Paper:
    """A flight to simulate. ``heads`` are its players; each variant is simulated once."""

    flight: FlightPlan
    entrants: int
    clocks: bool
    events: dict[int, list[_Played]]

    @property
    def heads(self) -> int:
        # A pair plays its matches together, the players of a team one board each.
        size = self.flight.team_size
        return self.entrants if size in {None, 1, 2} else self.entrants * (size or 1)

    @property
    def matches(self) -> int:
        """Matches of the first event."""
        return _matches(self.event(0))

    def matches_each(self, events: Sequence[int]) -> float:
        return 2 * median(_matches(self.event(number)) for number in events) / max(1, self.heads)

    def matches_in(self, events: Sequence[int]) -> int:
        """Matches of the whole flight, usually."""
        return round(median(_matches(self.event(number)) for number in events))

    @property
    def seasons(self) -> list[Season | None]:
        """The kinds of season of its stages, None for a stage that ends with the day."""
        return [FORMATS[stage.format].season(stage.options) for stage in self.flight.stages]

    @property
    def rounds(self) -> int:
        """Rounds of the first event, of stages one behind the other."""
        until: dict[str, int] = {}
        for stage in self.event(0):
            before = max((until.get(name, 0) for name in stage.behind), default=0)
            until[stage.name] = before + _one_after_the_other(stage.draw.meetings)
        return max(until.values(), default=0)

    def event(self, number: int) -> list[_Played]:
        """Its stages as they go the ``number``-th time. Raises DrawError where one cannot be drawn."""
        if number not in self.events:
            counts = stage_counts(self.flight, self.entrants)
            self.events[number] = [
                _Played(
                    stage.name,
                    _played(stage, counts[stage.name], number, clocks=self.clocks),
                    _sources(self.flight, stage),
                )
                for stage in self.flight.stages
                if counts[stage.name] >= 2
            ]
        return self.events[number]


def _one_after_the_other(meetings: Sequence[Meeting]) -> int:
    """The most matches of which each waits for the one before; meetings are in order of publication."""
    played: dict[int, int] = {}
    for each in meetings:
        played[each.a] = played[each.b] = 1 + max(played.get(each.a, 0), played.get(each.b, 0))
    return max(played.values(), default=0)


def _matches(played: Sequence[_Played]) -> int:
    return sum(len(stage.draw.meetings) * stage.draw.boards for stage in played)


def _paper(flight: FlightPlan, entrants: int, *, clocks: bool) -> _Paper | None:
    """The flight to simulate, None where it cannot be drawn or has no matches."""
    paper = _Paper(flight, entrants, clocks, {})
    try:
        return paper if paper.matches else None
    except DrawError:
        return None


def _draws(papers: Sequence[tuple[int, _Paper]], number: int) -> list[PlannedDraw]:
    """All draws of simulation ``number``, those of one flight in order; of a season its first round."""
    draws: list[PlannedDraw] = []
    for place, paper in papers:
        played = paper.event(number)
        at = {each.name: len(draws) + index for index, each in enumerate(played)}
        for each in played:
            behind = tuple(at[name] for name in each.behind if name in at)
            draw, meetings = each.draw, each.draw.meetings
            if any(paper.seasons):
                meetings = tuple(meeting for meeting in meetings if meeting.round == 1)
            draws.append(PlannedDraw(meetings, draw.by_rounds, behind, draw.boards, place))
    return draws


def _sources(flight: FlightPlan, stage: StagePlan) -> tuple[str, ...]:
    return tuple(each.name for each in flight.stages if any(rule.into == stage.name for rule in each.feeds))


def stage_counts(flight: FlightPlan, entrants: int) -> dict[str, int]:
    """Expected number of entrants per stage; none in a playoff."""
    fed = {rule.into for stage in flight.stages for rule in stage.feeds}
    first = [stage for stage in flight.stages if stage.name not in fed]
    counts = dict.fromkeys((stage.name for stage in flight.stages), 0)
    for index, stage in enumerate(first):
        counts[stage.name] = entrants // len(first) + (index < entrants % len(first))
    for stage in flight.stages:
        for name, count in sent_on_paper(counts[stage.name], stage.feeds).items():
            counts[name] += count
    return counts


def sent_on_paper(count: int, rules: Sequence[Rule]) -> Mapping[str, int]:
    """Expected number of entrants that a stage sends to each target."""
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


@lru_cache(maxsize=256)
def _played(stage: StagePlan, count: int, number: int, *, clocks: bool) -> PlannedDraw:
    chosen = Preset(stage.name, stage.format, stage.options, FORMATS[stage.format].minimum)
    conditions = Conditions(clocks=clocks, length=stage.length, lengths=stage.lengths)
    played, rng = simulate_preset(chosen, count, seed=str(number), conditions=conditions)
    meetings = tuple(
        Meeting(p.round, p.a, p.b, match_minutes(rng, length_in(p, conditions), clocks=clocks))
        for p in played.pairings.values()
        if not p.is_bye and p.number in played.outcomes
    )
    by_rounds = isinstance(format_of(stage.format), RoundsFormat)
    return PlannedDraw(meetings, by_rounds, boards=stage.boards)
