"""The breaks of an event: lunch, the night between two days (pure).

No match is called by itself in a break and no round begins in one: both move to its end. A match that is
under way plays on, and a break's minutes count neither as lateness nor as slow play.
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
"""A break that begins later than this after the event is mistyped."""


class BreakRefused(ValueError):
    """A break that cannot be; ``code`` tells programs why, ``parameters`` are the values in the message."""

    def __init__(self, code: str, message: str, **parameters: str) -> None:
        super().__init__(message)
        self.code = code
        self.parameters = parameters


@dataclass(frozen=True, slots=True)
class Break:
    """A pause of the whole event, from ``starts_at`` until just before ``ends_at`` (both aware)."""

    name: str
    starts_at: datetime
    ends_at: datetime


def breaks_of(plain: Sequence[Any]) -> tuple[Break, ...]:
    """The breaks that an event keeps, in their order. Raises InvalidValue for what is none."""
    found: tuple[Break, ...] = from_plain(tuple[Break, ...], plain, "breaks")
    return found


def one_line(name: str) -> str:
    """A name without line breaks, and with one blank between its words."""
    return " ".join(name.split())


def in_order(breaks: Iterable[Break]) -> tuple[Break, ...]:
    """Breaks by their beginning."""
    return tuple(sorted(breaks, key=lambda each: each.starts_at))


def check_breaks(breaks: Sequence[Break], *, event_at: datetime) -> None:
    """Raise BreakRefused for breaks, in their order, that an event that starts at ``event_at`` cannot have:
    one without a name, one that ends before it starts, two at once, one before the event or a year behind.
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
    """The moment (UTC) at which the venue's clock shows ``typed`` (naive).

    The first one where it shows it twice. Raises BreakRefused in the hour that the clock leaves out.
    """
    # Not in the zone: between two times of one zone Python counts what its clock shows, not what passes.
    found = typed.replace(tzinfo=zone).astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None) != typed:
        shown = typed.strftime("%Y-%m-%d %H:%M")
        raise BreakRefused(
            "no_such_time", f"there is no {shown} in {zone}: the clocks go forward then", time=shown
        )
    return found


def current(breaks: Iterable[Break], at: datetime) -> Break | None:
    """The break that is on, None while there is none."""
    return next((each for each in breaks if each.starts_at <= at < each.ends_at), None)


def coming(breaks: Iterable[Break], at: datetime) -> Break | None:
    """The break that is on, else the next one; None after the last."""
    return next((each for each in breaks if at < each.ends_at), None)


def behind_breaks(breaks: Iterable[Break], at: datetime) -> datetime:
    """This moment, or the end of the break (or of several without a gap) that it falls into."""
    for each in breaks:
        if each.starts_at <= at < each.ends_at:
            at = each.ends_at
    return at


def played_time(breaks: Iterable[Break], since: datetime, until: datetime) -> timedelta:
    """The time from one moment to another without the breaks between them.

    Below zero where ``until`` is the earlier one.

    >>> noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    >>> lunch = Break("Lunch", noon + timedelta(minutes=30), noon + timedelta(minutes=90))
    >>> played_time([lunch], noon, noon + timedelta(hours=1)) // timedelta(minutes=1)
    30
    """
    lost = (min(each.ends_at, until) - max(each.starts_at, since) for each in breaks)
    return until - since - sum((each for each in lost if each > timedelta(0)), timedelta(0))


def after_playing(breaks: Iterable[Break], since: datetime, time: timedelta) -> datetime:
    """The moment at which so much time has passed without the breaks."""
    over = since + time
    for each in breaks:
        if since < each.ends_at and each.starts_at < over:
            over += each.ends_at - max(each.starts_at, since)
    return over


def closed_minutes(breaks: Iterable[Break], at: datetime) -> tuple[tuple[float, float], ...]:
    """The breaks that are on or come, in minutes from a moment on."""
    return tuple(_minutes(breaks, at))


def _minutes(breaks: Iterable[Break], at: datetime) -> Iterator[tuple[float, float]]:
    minute: Any = timedelta(minutes=1)
    for each in breaks:
        if each.ends_at > at:
            yield (each.starts_at - at) / minute, (each.ends_at - at) / minute
