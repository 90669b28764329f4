"""The timetable of an event before its draw: its rounds with a start time, and its expected end."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tournaments.core.timetable.lateness import not_before
from tournaments.desk.queries.pace import planned_end
from tournaments.events.queries.event_page import FlightBlock
from tournaments.models import Event, EventStatus, EventTable

FEWEST, MOST = 2, 128
"""Entrants of a division whose end is expected: more take too long to play out while a page waits."""


@dataclass(frozen=True, slots=True)
class RoundStart:
    """A round that does not begin before a moment; ``stage`` is empty if the event has one."""

    stage: str
    number: int
    at: datetime


@dataclass(frozen=True, slots=True)
class PlannedDay:
    """``ends_at`` is the expected end with so many ``entrants``, None if unknown."""

    rounds: tuple[RoundStart, ...]
    ends_at: datetime | None
    entrants: int


def timetable_of(event: Event, blocks: Sequence[FlightBlock]) -> PlannedDay | None:
    """The timetable of an event (at most one query); None once something is drawn, and if cancelled.

    It is expected to be full, or as full as it is if its places are not limited.
    """
    if event.status != EventStatus.ANNOUNCED or any(block.drawn for block in blocks):
        return None
    taking_place = [block for block in blocks if not block.called_off]
    stages = [line.stage for block in taking_place for line in block.stages]
    entrants = {
        block.flight.pk: max(len(block.entered), block.flight.capacity or 0) for block in taking_place
    }
    rounds = [
        RoundStart(stage.name if len(stages) > 1 else "", int(number), starts)
        for stage in stages
        for number in stage.starts
        if (starts := not_before(stage.starts, int(number))) is not None
    ]
    ends_at = None
    if entrants and min(entrants.values()) >= FEWEST and max(entrants.values()) <= MOST:
        tables = EventTable.objects.filter(event=event, closed=False).count() or None
        ends_at = planned_end(
            stages, entered=entrants, tables=tables, begins=event.starts_at, breaks=event.pauses
        )
    return PlannedDay(tuple(sorted(rounds, key=lambda each: each.at)), ends_at, sum(entrants.values()))
