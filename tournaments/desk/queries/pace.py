"""Pace of an event, and its expected end.

The pace starts at 11 minutes per point (docs/reference/tournaments.md, "Time") and adapts to the finished
matches.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Any

from scoring.codec import from_plain
from tournaments.core.formats.presets import Preset
from tournaments.core.formats.table import FORMATS
from tournaments.core.play.simulation import World, play_event
from tournaments.core.stages.errors import DrawError
from tournaments.core.stages.format import Season
from tournaments.core.stages.lengths import with_lengths
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.stage import Reported, Stage
from tournaments.core.timetable.breaks import Break, closed_minutes, played_time
from tournaments.core.timetable.forecast import Conditions, minutes_left, simulate_preset
from tournaments.core.timetable.lateness import not_before
from tournaments.core.timetable.opening import Span
from tournaments.events.queries.plan_forecast import sent_on_paper
from tournaments.models import StageRow, StageStatus

USUAL = 11.0
PLANNED_POINTS = 21
"""Weight of the planned pace in played points: three matches to 7."""
SHORTEST = timedelta(seconds=30)
Reader = Callable[[StageRow], Stage]
Played = tuple[datetime, datetime, int]
"""When a finished match began and ended, and its length in points."""


def minutes_per_point(played: Iterable[Played], breaks: Sequence[Break]) -> float:
    """Minutes per point in the finished matches of an event; breaks do not count."""
    minutes, points = USUAL * PLANNED_POINTS, PLANNED_POINTS
    for begun, over, length in played:
        took = played_time(breaks, begun, over)
        if took > length * SHORTEST:
            minutes += took / timedelta(minutes=1)
            points += length
    return minutes / points


def expected_end(
    stages: Sequence[StageRow],
    left: Mapping[int, Mapping[int, float]],
    *,
    read: Reader,
    a_point: float,
    tables: int | None,
    at: datetime,
    breaks: Sequence[Break] = (),
    entered: Mapping[int, int] | None = None,
) -> datetime | None:
    """Expected end of the last match of these stages; None if none is in progress.

    ``left`` are the remaining minutes of matches in progress, by stage (key) and number. Future matches are
    simulated once per state of the log, which ``read`` loads. A stage that is not drawn starts after the
    stages that feed it, with the entrants they send; the first stage of a flight starts now, with those who
    have ``entered`` it (by key). Start times of rounds and breaks are respected. Of a season played by
    evenings it is the end of this evening's round, once one of its matches has begun; others are left out.
    """
    with_end = [each for each in stages if each.season is None]
    evenings = [each for each in stages if each.season is Season.EVENINGS]
    if not any(each.status == StageStatus.RUNNING for each in (*with_end, *evenings)):
        return None
    closed = closed_minutes(breaks, at)
    expected = _Expected(entered or {}, closed)
    for stage in with_end:
        if stage.status == StageStatus.RUNNING:
            value, ended = _played_out(read, _Source(stage.pk, stage.head_hash, stage))
            minutes = minutes_left(
                value,
                ended,
                left.get(stage.pk, {}),
                a_point=a_point,
                length=stage.length,
                tables=tables,
                starts=_starts(stage, at),
                closed=closed,
            )
            expected.add(stage, len(value.field), minutes)
        elif stage.drawn_at is not None:
            expected.add(stage, stage.entrants, 0.0)
        elif stage.status == StageStatus.PLANNED:
            expected.plan(stage, a_point=a_point, tables=tables, at=at)
    for stage in evenings:
        tonight = _this_evening(read(stage)) if stage.status == StageStatus.RUNNING else None
        begun = left.get(stage.pk, {})
        if tonight is not None and (begun or _has_results(tonight[0])):
            minutes = minutes_left(
                *tonight,
                begun,
                a_point=a_point,
                length=stage.length,
                tables=tables,
                starts=_starts(stage, at),
                closed=closed,
            )
            expected.add(stage, stage.entrants, minutes)
    return at + timedelta(minutes=max(expected.ends.values())) if expected.ends else None


def planned_end(
    stages: Sequence[StageRow],
    *,
    entered: Mapping[int, int],
    tables: int | None,
    begins: datetime,
    breaks: Sequence[Break] = (),
) -> datetime | None:
    """Expected end of an event that is not drawn, at the usual pace.

    None if it has a season or cannot be drawn.

    ``entered`` are the numbers of entrants by flight (key). No query.
    """
    expected = _Expected(entered, closed_minutes(breaks, begins))
    for stage in stages:
        if stage.season is not None:
            return None
        expected.plan(stage, a_point=USUAL, tables=tables, at=begins)
    return begins + timedelta(minutes=max(expected.ends.values())) if expected.ends else None


def _this_evening(value: Stage) -> tuple[Stage, Stage] | None:
    """A stage and what it is at the end of its round in progress; None between two rounds."""
    still = value.open_pairings()
    if not still:
        return None
    return value, value.after(*(Reported(each.number, Outcome(each.a, each.b)) for each in still))


def _has_results(value: Stage) -> bool:
    """Whether a match of the last round has been played."""
    return any(value.pairings[number].round == value.rounds for number in value.outcomes)


class _Expected:
    """Expected ends of the stages of an event, feeding stages first.

    ``ends`` are minutes from now, by the stage's ref.
    """

    def __init__(self, entered: Mapping[int, int], closed: Sequence[Span]) -> None:
        self.ends: dict[str, float] = {}
        self._entered, self._closed = entered, closed
        self._sent: dict[str, int] = {}
        self._begins: dict[str, float] = {}

    def add(self, stage: StageRow, entrants: int, end: float) -> None:
        """Add a stage with its number of entrants and its end in minutes."""
        self.ends[stage.ref] = end
        for into, count in sent_on_paper(entrants, stage.rules).items():
            self._sent[into] = self._sent.get(into, 0) + count
            self._begins[into] = max(self._begins.get(into, 0.0), end)

    def plan(self, stage: StageRow, *, a_point: float, tables: int | None, at: datetime) -> None:
        """Add a simulated stage that is not drawn.

        Skip it if it is not needed or cannot be drawn.
        """
        fed = stage.ref in self._sent
        entrants = self._sent[stage.ref] if fed else self._entered.get(stage.flight_id, 0)
        if fed and stage.fed and self._sent[stage.ref] == 0:
            entrants = len({ref for refs in stage.fed.values() for ref in refs})
        end = _end_on_paper(
            stage.format,
            _options_of(stage),
            entrants,
            stage.length,
            a_point=a_point,
            tables=tables,
            begin=self._begins.get(stage.ref, 0.0),
            starts=tuple(_starts(stage, at).items()),
            closed=tuple(self._closed),
        )
        if end is not None:
            self.add(stage, entrants, end)


def _starts(stage: StageRow, at: datetime) -> dict[int, float]:
    """Start times of the rounds, in minutes from now."""
    starts = ((int(number), not_before(stage.starts, int(number))) for number in stage.starts)
    return {number: (start - at) / timedelta(minutes=1) for number, start in starts if start is not None}


def _options_of(stage: StageRow) -> Any:
    options = from_plain(FORMATS[stage.format].options, stage.options, "options")
    return with_lengths(options, length=stage.length, lengths=stage.lengths)


@lru_cache(maxsize=256)
def _end_on_paper(
    key: str,
    options: Any,
    entrants: int,
    length: int,
    *,
    a_point: float,
    tables: int | None,
    begin: float,
    starts: tuple[tuple[int, float], ...],
    closed: tuple[Span, ...],
) -> float | None:
    """The end in minutes of a simulated stage; None if it cannot be drawn."""
    played = _on_paper(key, options, entrants, length)
    if played is None:
        return None
    return minutes_left(
        replace(played, outcomes={}),
        played,
        {},
        a_point=a_point,
        length=length,
        tables=tables,
        begin=begin,
        starts=dict(starts),
        closed=closed,
    )


@lru_cache(maxsize=64)
def _on_paper(key: str, options: Any, entrants: int, length: int) -> Stage | None:
    """A simulated stage with this many entrants; None if it cannot be drawn."""
    preset = Preset(key, key, options, FORMATS[key].minimum)
    try:
        return simulate_preset(preset, entrants, seed=key, conditions=Conditions(length=length))[0]
    except DrawError:
        return None


@dataclass(frozen=True, slots=True)
class _Source:
    """A stage by the hash of its log."""

    pk: int
    head: str
    stage: StageRow = field(compare=False)


@lru_cache(maxsize=32)
def _played_out(read: Reader, source: _Source) -> tuple[Stage, Stage]:
    """A stage and its simulated end (as many queries as ``read`` has, cached by the hash of its log)."""
    value = read(source.stage)
    strength = {entrant.ref: entrant.rating or 1500.0 for entrant in value.field}
    rng = Random(f"{value.seed}/{source.head}")  # noqa: S311 - a simulation, not a secret
    pace = 0.5 if value.format == "ready" else 1.0
    return value, play_event(value, World(strength, rng, pace=pace))
