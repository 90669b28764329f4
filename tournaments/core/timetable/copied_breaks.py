"""Copy the local times of an event to another day, across clock changes (pure)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from tournaments.core.timetable.breaks import FARTHEST, Break

SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class CopiedBreak:
    """A break and its copy; ``after`` is None if nothing of the break remains."""

    before: Break
    after: Break | None
    same_hours: bool
    """Whether start and end have the same local times as before."""


def first_moment(typed: datetime, zone: tzinfo) -> datetime:
    """The first moment (UTC) when local time is ``typed`` (naive) or later.

    For a time skipped by the change to summer time, the moment of the change.

    >>> from zoneinfo import ZoneInfo
    >>> first_moment(datetime(2026, 3, 29, 2, 30), ZoneInfo("Europe/Berlin")).isoformat()
    '2026-03-29T01:00:00+00:00'
    """
    # In a gap the one is the typed time by the offset of before, the other by that of behind (PEP 495).
    late = typed.replace(tzinfo=zone, fold=0).astimezone(UTC)
    early = typed.replace(tzinfo=zone, fold=1).astimezone(UTC)
    if _shown(late, zone) == typed:
        return late
    while late - early > SECOND:
        between = early + (late - early) // 2
        early, late = (early, between) if _shown(between, zone) >= typed else (between, late)
    return late.replace(microsecond=0)


def moved_moment(at: datetime, by: timedelta, zone: tzinfo) -> datetime:
    """Shift ``at`` by ``by`` in local time; returns UTC."""
    return first_moment(_shown(at, zone) + by, zone)


def copied_breaks(
    breaks: Iterable[Break], *, begun: datetime, begins: datetime, zone: tzinfo
) -> tuple[CopiedBreak, ...]:
    """Copy the breaks (in order) of an event from start ``begun`` to ``begins``.

    Local times stay the same. The part of a break in an hour skipped by a clock change is dropped. A break
    inside the repeated hour keeps its length. Valid breaks stay valid for
    ``tournaments.core.timetable.breaks.check_breaks``.
    """
    by = _shown(begins, zone) - _shown(begun, zone)
    free, last, found = begins, begins.astimezone(UTC) + FARTHEST, []
    for each in breaks:
        after = _copied(each, by, zone, not_before=free)
        if after.ends_at <= after.starts_at or after.starts_at > last:
            found.append(CopiedBreak(each, None, same_hours=False))
            continue
        free = after.ends_at
        ends = ((each.starts_at, after.starts_at), (each.ends_at, after.ends_at))
        same = all(_shown(then, zone) + by == _shown(now, zone) for then, now in ends)
        found.append(CopiedBreak(each, after, same))
    return tuple(found)


def _copied(each: Break, by: timedelta, zone: tzinfo, *, not_before: datetime) -> Break:
    starts_at, ends_at = (moved_moment(at, by, zone) for at in (each.starts_at, each.ends_at))
    if _shown(each.ends_at, zone) <= _shown(each.starts_at, zone):
        ends_at = starts_at + (each.ends_at - each.starts_at)
    return Break(each.name, max(starts_at, not_before), ends_at)


def _shown(at: datetime, zone: tzinfo) -> datetime:
    # Without its fold: two times that look alike are the same time on a clock.
    return at.astimezone(zone).replace(tzinfo=None, fold=0)
