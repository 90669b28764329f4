"""Breaks of an event, such as lunch or the night between two days (pure).

During a break no match is called automatically and no round starts: both move to its end. Matches in
progress continue, and break time does not count as lateness or slow play.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise
from typing import Any

from scoring.codec import from_plain

MOST_BREAKS = 60
LONGEST_NAME = 40
FARTHEST = timedelta(days=366)
"""Latest start of a break after the start of the event."""


class BreakRefused(ValueError):
    """An invalid break.

    ``code`` says why, ``parameters`` are the values in the message.
    """

    def __init__(self, code: str, message: str, **parameters: str) -> None:
        super().__init__(message)
        self.code = code
        self.parameters = parameters


@dataclass(frozen=True, slots=True)
class Break:
    """A break of the whole event: ``starts_at`` to ``ends_at``, exclusive (aware)."""

    name: str
    starts_at: datetime
    ends_at: datetime


def breaks_of(plain: Sequence[Any]) -> tuple[Break, ...]:
    """Read the stored breaks of an event, in order.

    Raises InvalidValue for invalid data.
    """
    found: tuple[Break, ...] = from_plain(tuple[Break, ...], plain, "breaks")
    return found


def one_line(name: str) -> str:
    """Normalise a name to one line with single spaces."""
    return " ".join(name.split())


def in_order(breaks: Iterable[Break]) -> tuple[Break, ...]:
    """Sort breaks by start."""
    return tuple(sorted(breaks, key=lambda each: each.starts_at))


def check_breaks(breaks: Sequence[Break], *, event_at: datetime) -> None:
    """Check the breaks (in order) of an event that starts at ``event_at``.

    Raises BreakRefused for a missing name, an end before the start, overlapping breaks, and a break before
    the event or more than a year after.
    """
    if len(breaks) > MOST_BREAKS:
        message = f"an event has at most {MOST_BREAKS} breaks, not {len(breaks)}"
        raise BreakRefused("most", message, most=str(MOST_BREAKS), count=str(len(breaks)))
    # In UTC: 366 days of the venue's clock may be an hour more or less.
    last = event_at.astimezone(UTC) + FARTHEST
    for each in breaks:
        if not each.name.strip() or len(each.name) > LONGEST_NAME:
            raise BreakRefused(
                "name", f"{each.name!r}: a break has a name of at most {LONGEST_NAME} letters", name=each.name
            )
        if each.ends_at <= each.starts_at:
            raise BreakRefused("end", f"{each.name} ends before it starts", name=each.name)
        if not event_at <= each.starts_at <= last:
            raise BreakRefused("outside", f"{each.name} is not in the time of the event", name=each.name)
    for one, next_one in pairwise(breaks):
        if next_one.starts_at < one.ends_at:
            raise BreakRefused(
                "overlap",
                f"{one.name} and {next_one.name} are at the same time",
                name=one.name,
                other=next_one.name,
            )


def local_moment(typed: datetime, zone: tzinfo) -> datetime:
    """Convert local time ``typed`` (naive) to UTC.

    An ambiguous time is the first of the two. Raises BreakRefused for a time skipped by the change to summer
    time.
    """
    # Not in the zone: between two times of one zone Python counts what its clock shows, not what passes.
    found = typed.replace(tzinfo=zone).astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None) != typed:
        shown = typed.strftime("%Y-%m-%d %H:%M")
        raise BreakRefused(
            "no_such_time", f"there is no {shown} in {zone}: the clocks go forward", time=shown
        )
    return found


def current(breaks: Iterable[Break], at: datetime) -> Break | None:
    """The current break, if any."""
    return next((each for each in breaks if each.starts_at <= at < each.ends_at), None)


def coming(breaks: Iterable[Break], at: datetime) -> Break | None:
    """The current break, else the next one; None after the last."""
    return next((each for each in breaks if at < each.ends_at), None)


def behind_breaks(breaks: Iterable[Break], at: datetime) -> datetime:
    """This moment, or the end of the break (or adjoining breaks) around it."""
    for each in breaks:
        if each.starts_at <= at < each.ends_at:
            at = each.ends_at
    return at


def played_time(breaks: Iterable[Break], since: datetime, until: datetime) -> timedelta:
    """Time between two moments without breaks.

    Negative if ``until`` is before ``since``.

    >>> noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    >>> lunch = Break("Lunch", noon + timedelta(minutes=30), noon + timedelta(minutes=90))
    >>> played_time([lunch], noon, noon + timedelta(hours=1)) // timedelta(minutes=1)
    30
    """
    lost = (min(each.ends_at, until) - max(each.starts_at, since) for each in breaks)
    return until - since - sum((each for each in lost if each > timedelta(0)), timedelta(0))


def after_playing(breaks: Iterable[Break], since: datetime, time: timedelta) -> datetime:
    """The moment when ``time`` has passed since ``since``, breaks not counted."""
    over = since + time
    for each in breaks:
        if since < each.ends_at and each.starts_at < over:
            over += each.ends_at - max(each.starts_at, since)
    return over


def closed_minutes(breaks: Iterable[Break], at: datetime) -> tuple[tuple[float, float], ...]:
    """Current and future breaks as (start, end) in minutes from ``at``."""
    return tuple(_minutes(breaks, at))


def _minutes(breaks: Iterable[Break], at: datetime) -> Iterator[tuple[float, float]]:
    minute: Any = timedelta(minutes=1)
    for each in breaks:
        if each.ends_at > at:
            yield (each.starts_at - at) / minute, (each.ends_at - at) / minute
