"""Estimate when the matches of a bracket start: 11 minutes a point from the last call on."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from clubs.formats.dates import local
from tournaments.core.timetable.breaks import Break, behind_breaks
from tournaments.models import StageStatus
from tournaments.stages.queries.stage_picture import Picture, PictureCell, PictureColumn

A_POINT = timedelta(minutes=11)
"""What directors plan a round with (docs/reference/tournaments.md, "Time")."""
BEGUN = frozenset({"done", "open", "live", "called"})
OVER = frozenset({"done", "open", "walkover", "bye"})


def match_starts(picture: Picture) -> Mapping[int, datetime]:
    """The estimated start of each match to come, at the venue's time (no query).

    Only of a bracket in progress with a called match, and only for the day of the last call: what is played
    over weeks, or the day after, has no estimate.
    """
    stage = picture.stage
    calls = [row.called_at for row in picture.placed.values() if row.called_at is not None]
    if stage.status != StageStatus.RUNNING or stage.is_league or not picture.is_bracket or not calls:
        return {}
    event = stage.flight.event
    columns = [column for section in picture.sections for column in section.columns]
    found = starts_of(columns, max(calls), length=stage.length, breaks=event.pauses)
    today = local(max(calls), event.tz).date()
    starts = {number: local(at, event.tz) for number, at in found.items()}
    return {number: at for number, at in starts.items() if at.date() == today}


def starts_of(
    columns: Sequence[PictureColumn], now: datetime, *, length: int, breaks: Sequence[Break] = ()
) -> dict[int, datetime]:
    """The start of each match that waits for another one; ``now`` is the last call.

    A match starts when the last of those that feed it ends; one that waits for none starts now.
    """
    length_of = {cell.number: column.length or length for column in columns for cell in column.cells}
    cells = {cell.number: cell for column in columns for cell in column.matches}
    starts: dict[int, datetime] = {}

    def start(cell: PictureCell) -> datetime:
        if cell.number not in starts:
            feeders = (cells[n] for n in (*cell.feeds, *cell.drops) if n in cells)
            ends = [end(each) for each in feeders if each.state not in OVER]
            starts[cell.number] = behind_breaks(breaks, max(ends, default=now))
        return starts[cell.number]

    def end(cell: PictureCell) -> datetime:
        called = cell.placed.called_at if cell.placed and cell.state in BEGUN else None
        return (called or start(cell)) + length_of[cell.number] * A_POINT

    waiting = (cell for cell in cells.values() if cell.state == "waiting")
    return {cell.number: at for cell in waiting if (at := start(cell)) > now}


def round_start(starts: Mapping[int, datetime], column: PictureColumn) -> datetime | None:
    """The estimated start of a round: of its first match; None if it has begun or has no estimate."""
    if any(cell.state in BEGUN or cell.state == "ready" for cell in column.matches):
        return None
    return min((starts[cell.number] for cell in column.matches if cell.number in starts), default=None)
