"""Forecast of an event by simulation: duration, fairness and payouts.

Times are planning estimates. Without clocks, a point of match length takes 5 to 14 minutes, most often 8, so
the longest match of a round is near the 11 minutes per point that directors plan with
(docs/reference/tournaments.md, "Time"). With clocks (2 minutes per point each and 12 seconds delay) it takes
at most 10. Results follow the FIBS win probabilities.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heapreplace
from random import Random

from tournaments.core.formats.presets import Preset
from tournaments.core.formats.table import format_of
from tournaments.core.play import acts
from tournaments.core.play.sections import SectionFigures, played_sections
from tournaments.core.play.simulation import DEFAULT_LENGTH, World, play_event, strong_field
from tournaments.core.play.winning import entrants_with_a_win, prize_places
from tournaments.core.prizes.payouts import PERCENTAGES, paid_places, pay_places
from tournaments.core.prizes.pools import Fees, takings
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.format import Season
from tournaments.core.stages.lengths import length_of_round, with_lengths
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.stage import Stage
from tournaments.core.timetable.opening import Span, opens_at

FASTEST, SLOWEST, USUAL, CLOCKED = 5.0, 14.0, 8.0, 10.0
"""Minutes per point: minimum, maximum and mode without clocks, and maximum with clocks."""

NO_FEES = Fees()
NO_STARTS: Mapping[int, float] = {}


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions of a simulated event.

    ``tables``: matches at the same time, None for no limit. ``length``: match length where the format sets
    none, by round in ``lengths``. ``spread``: standard deviation of strengths, in FIBS rating points.
    """

    tables: int | None = None
    clocks: bool = True
    length: int = DEFAULT_LENGTH
    spread: float = 150.0
    strengths: tuple[float, ...] = ()
    fees: Fees = NO_FEES
    added: int = 0
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Forecast:
    """One simulated event.

    ``minutes`` until the end, None for a season; ``evening``: minutes of its longest evening where each round
    is one. ``places`` are (first, last) in order of strength, strongest first; ``fairness`` is the rank
    correlation of strength and place, 1 when every stronger entrant finished higher.
    ``prizes_without_a_win``, ``smallest_section`` (entrants), ``most_byes`` (of one entrant in one section),
    ``sections`` and ``not_drawn``: see ``sections``.
    """

    minutes: float | None
    evening: float | None
    matches: int
    byes: int
    rematches: int
    rounds: int
    winners: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    fairness: float
    payouts: tuple[tuple[int, int], ...]
    prizes_without_a_win: float
    smallest_section: int
    most_byes: int
    sections: tuple[SectionFigures, ...]
    not_drawn: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Distribution:
    """Statistics of repeated simulations.

    Quantiles are (minimum, median, 90th percentile, maximum); ``minutes`` and ``evening`` are None as in
    ``Forecast``. ``prizes_without_a_win`` is the mean share,
    ``smallest_section`` and ``most_byes`` are the worst of all events.
    """

    events: int
    minutes: tuple[float, float, float, float] | None
    evening: tuple[float, float, float, float] | None
    matches: tuple[float, float, float, float]
    rematches: tuple[float, float, float, float]
    best_wins: float
    expected_place: tuple[float, ...]
    fairness: float
    prizes_without_a_win: float
    smallest_section: int
    most_byes: int
    not_drawn: tuple[str, ...]


def forecast(preset: Preset, entrants: int, *, seed: str, conditions: Conditions) -> Forecast:
    """Simulate one event.

    Raises:
        DrawRefused: ``too_few_entrants``, ``tables``, ``strengths`` or a refusal of the format.
    """
    stage, rng = simulate_preset(preset, entrants, seed=seed, conditions=conditions)
    return figures_of(stage, rng, conditions, season=preset.season)


def simulate_preset(
    preset: Preset, entrants: int, *, seed: str, conditions: Conditions
) -> tuple[Stage, Random]:
    """Simulate a preset to the end; returns the stage and the random generator.

    Raises as ``forecast``.
    """
    if entrants < preset.minimum:
        raise DrawRefused(
            "too_few_entrants",
            f"{entrants} entrants; {preset.key} needs at least {preset.minimum}",
            entrants=entrants,
            minimum=preset.minimum,
        )
    if conditions.tables is not None and conditions.tables < 1:
        raise DrawRefused("tables", f"an event needs at least 1 table, not {conditions.tables}")
    rng = Random(f"{seed}/forecast")  # noqa: S311 - a simulation, not a secret
    strength = _strengths(entrants, rng, conditions)
    field = [Entrant(ref, rating=value) for ref, value in strength.items()]
    options = with_lengths(preset.options, length=conditions.length, lengths=conditions.lengths)
    stage = acts.open_stage(preset.format, field, options, seed=seed)
    pace = 0.5 if preset.format == "ready" else 1.0
    return play_event(stage, World(strength, rng, pace=pace)), rng


def _strengths(entrants: int, rng: Random, conditions: Conditions) -> dict[str, float]:
    if not conditions.strengths:
        return strong_field(entrants, rng, spread=conditions.spread)
    if len(conditions.strengths) != entrants:
        message = f"{len(conditions.strengths)} strengths for {entrants} entrants"
        raise DrawRefused("strengths", message, strengths=len(conditions.strengths))
    ordered = sorted(conditions.strengths, reverse=True)
    return {f"p{n}": value for n, value in enumerate(ordered, 1)}


def figures_of(
    stage: Stage, rng: Random, conditions: Conditions, *, season: Season | None = None
) -> Forecast:
    """The figures of an event that was simulated to its end."""
    places = {p.entrant: (p.first, p.last) for p in format_of(stage.format).places(stage)}
    by_strength = tuple(places[n] for n in range(1, len(stage.field) + 1))
    sections = played_sections(stage)
    meetings = Counter(frozenset((p.a, p.b)) for p in stage.pairings.values() if not p.is_bye)
    return Forecast(
        minutes=None if season else round(duration(stage, rng, conditions), 1),
        evening=_longest_round(stage, rng, conditions) if season is Season.EVENINGS else None,
        matches=sum(outcome.played for outcome in stage.outcomes.values()),
        byes=sum(p.is_bye for p in stage.pairings.values()),
        rematches=sum(times - 1 for times in meetings.values()),
        rounds=stage.rounds,
        winners=acts.winners_of(stage),
        places=by_strength,
        fairness=round(rank_correlation(by_strength), 3),
        payouts=_payouts(stage, conditions),
        prizes_without_a_win=sections.prizes_without_a_win,
        smallest_section=sections.smallest,
        most_byes=sections.most_byes,
        sections=sections.sections,
        not_drawn=sections.not_drawn,
    )


def duration(stage: Stage, rng: Random, conditions: Conditions) -> float:
    """Minutes until the last match ends.

    Formats with rounds wait for the longest match of each.
    """
    by_rounds = isinstance(format_of(stage.format), RoundsFormat)
    free = dict.fromkeys(range(1, len(stage.field) + 1), 0.0)
    tables = [0.0] * (conditions.tables or max(1, len(stage.field)))
    heapify(tables)
    over = 0.0
    for number in sorted({p.round for p in stage.pairings.values()}):
        begin = over if by_rounds else 0.0
        pairings = [p for p in stage.pairings.values() if p.round == number and p.number in stage.outcomes]
        for p in sorted(pairings, key=lambda p: max(free[p.a], free[p.b])):
            start = max(begin, free[p.a], free[p.b], tables[0])
            end = start + match_minutes(rng, length_in(p, conditions), clocks=conditions.clocks)
            heapreplace(tables, end)
            free[p.a] = free[p.b] = end
            over = max(over, end)
    return over


def _longest_round(stage: Stage, rng: Random, conditions: Conditions) -> float:
    """Minutes of the longest round, each begun at an empty venue."""
    rounds: dict[int, dict[int, Pairing]] = {}
    for number, pairing in stage.pairings.items():
        rounds.setdefault(pairing.round, {})[number] = pairing
    return round(max(duration(replace(stage, pairings=each), rng, conditions) for each in rounds.values()), 1)


def minutes_left(
    stage: Stage,
    played: Stage,
    left: Mapping[int, float],
    *,
    a_point: float,
    length: int,
    tables: int | None = None,
    begin: float = 0.0,
    starts: Mapping[int, float] = NO_STARTS,
    closed: Sequence[Span] = (),
) -> float:
    """Minutes until the last match of a stage in progress ends.

    ``played`` is the same stage simulated to the end (``simulation.play_event``); ``left`` are the remaining
    minutes of the matches in progress, by number. Every other match takes ``a_point`` minutes per point;
    ``length`` is the default match length. Other matches start from minute ``begin``, a round from its
    minute in ``starts``, and never during a ``closed`` span (a break).
    """
    by_rounds = isinstance(format_of(stage.format), RoundsFormat)
    todo = [
        p for p in played.pairings.values() if p.number in played.outcomes and p.number not in stage.outcomes
    ]
    todo = [p for p in todo if not p.is_bye]
    free: dict[int, float] = {}
    ends = [begin] * (tables or max(1, len(todo)))
    over = begin
    for number in sorted({p.round for p in todo}):
        first = max(over if by_rounds else begin, starts.get(number, begin))
        for p in sorted((p for p in todo if p.round == number), key=lambda p: p.number not in left):
            both = max(free.get(p.a, 0.0), free.get(p.b, 0.0))
            start = 0.0 if p.number in left else opens_at(closed, max(first, both, ends[0]))
            end = start + left.get(p.number, (p.length or length) * a_point)
            heapreplace(ends, end)
            free[p.a] = free[p.b] = end
            over = max(over, end)
    return over


def length_in(pairing: Pairing, conditions: Conditions) -> int:
    """Match length of a simulated pairing."""
    return pairing.length or length_of_round(
        pairing.round, length=conditions.length, lengths=conditions.lengths
    )


def match_minutes(rng: Random, length: int, *, clocks: bool) -> float:
    """Random duration of a match to ``length`` points, by the estimates above."""
    a_point = rng.triangular(FASTEST, SLOWEST, USUAL)
    return length * (min(a_point, CLOCKED) if clocks else a_point)


def rank_correlation(places: Sequence[tuple[int, int]]) -> float:
    """Spearman rank correlation of sequence order and places; 0 for fewer than two."""
    count = len(places)
    strengths = [float(n) for n in range(1, count + 1)]
    middles = [(first + last) / 2 for first, last in places]
    mean = (count + 1) / 2
    above = sum((s - mean) * (m - mean) for s, m in zip(strengths, middles, strict=True))
    below = sum((s - mean) ** 2 for s in strengths) * sum((m - mean) ** 2 for m in middles)
    return above / below**0.5 if below > 0 else 0.0


def _payouts(stage: Stage, conditions: Conditions) -> tuple[tuple[int, int], ...]:
    pool = takings(conditions.fees, len(stage.field), added=conditions.added).pool
    if not pool:
        return ()
    places = prize_places(format_of(stage.format).places(stage), entrants_with_a_win(stage))
    awards = pay_places(pool, PERCENTAGES[paid_places(len(stage.field))], places)
    return tuple((award.entrant, award.amount) for award in awards)


def distribution(forecasts: Sequence[Forecast]) -> Distribution:
    """Summarise several forecasts of the same event.

    Raises:
        ValueError: no forecasts.
    """
    if not forecasts:
        raise ValueError("there are no forecasts to summarise")
    count = len(forecasts)
    entrants = len(forecasts[0].places)
    mean_places = tuple(
        round(sum(sum(f.places[i]) / 2 for f in forecasts) / count, 2) for i in range(entrants)
    )
    return Distribution(
        events=count,
        minutes=_quantiles_of([f.minutes for f in forecasts]),
        evening=_quantiles_of([f.evening for f in forecasts]),
        matches=quantiles([float(f.matches) for f in forecasts]),
        rematches=quantiles([float(f.rematches) for f in forecasts]),
        best_wins=round(sum((1 in f.winners) / len(f.winners) for f in forecasts if f.winners) / count, 4),
        expected_place=mean_places,
        fairness=round(sum(f.fairness for f in forecasts) / count, 3),
        prizes_without_a_win=round(sum(f.prizes_without_a_win for f in forecasts) / count, 4),
        smallest_section=min(f.smallest_section for f in forecasts),
        most_byes=max(f.most_byes for f in forecasts),
        not_drawn=forecasts[0].not_drawn,
    )


def _quantiles_of(values: Sequence[float | None]) -> tuple[float, float, float, float] | None:
    """The quantiles of figures that every event has, or None."""
    known = [value for value in values if value is not None]
    return quantiles(known) if known else None


def quantiles(values: Sequence[float]) -> tuple[float, float, float, float]:
    """Minimum, median, 90th percentile and maximum of at least one value."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return ordered[0], ordered[round(last / 2)], ordered[round(last * 0.9)], ordered[last]
