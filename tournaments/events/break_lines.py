"""Breaks typed as lines, in the venue's local time."""

import re
from collections.abc import Iterable
from datetime import date, datetime, time, tzinfo

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tournaments.core.timetable.breaks import (
    Break,
    BreakRefused,
    check_breaks,
    in_order,
    local_moment,
    one_line,
)
from tournaments.words.refusals import break_in_words
from tournaments.words.written import moments_in_words

LONGEST_LINE = 100
"""Letters: two days with their times and a name need 76, and the line's end two."""
DAY = r"(?:(\d{4}-\d{1,2}-\d{1,2})[ T]+)?"
LINE = re.compile(rf"{DAY}(\d{{1,2}}:\d\d)\s*[-–—]\s*{DAY}(\d{{1,2}}:\d\d)\s+(\S.*)")


def typed_breaks(
    text: str, *, zone: tzinfo, event_at: datetime, known: Iterable[Break] = ()
) -> tuple[Break, ...]:
    """The breaks in a text, in their order: ``2026-12-05 12:30-13:30 Lunch``.

    A line that is how one of the ``known`` breaks is shown is that break, with its seconds, and also in an
    hour that the venue's clock shows twice.

    A line without a day is on the day of the line before, the first one on that of the event; an end without
    a day is on the day of its beginning. Raises ValidationError for a line that cannot be read, a time that
    the venue's clock leaves out, and breaks that the event cannot have.
    """
    day = event_at.astimezone(zone).date()
    kept, found = _by_line(known, zone), []
    for line in (one_line(line) for line in text.splitlines()):
        if kept.get(line):
            made = kept[line].pop(0)
            day = made.starts_at.astimezone(zone).date()
            found.append(made)
        elif line:
            made, day = _read(line, day, zone)
            found.append(made)
    ordered = in_order(found)
    try:
        check_breaks(ordered, event_at=event_at)
    except BreakRefused as refused:
        raise ValidationError(break_in_words(refused), code=f"break_{refused.code}") from refused
    return ordered


def shown_breaks(breaks: Iterable[Break], *, zone: tzinfo) -> str:
    """Breaks as they are typed."""
    return "\n".join(_line(each, zone) for each in breaks)


def _by_line(breaks: Iterable[Break], zone: tzinfo) -> dict[str, list[Break]]:
    """Breaks by the lines that show them: several that look alike in their order."""
    found: dict[str, list[Break]] = {}
    for each in breaks:
        found.setdefault(_line(each, zone), []).append(each)
    return found


def _read(line: str, day: date, zone: tzinfo) -> tuple[Break, date]:
    read = LINE.fullmatch(line)
    if read is None:
        raise _unread(line)
    begins, at, ends, until, name = read.groups()
    try:
        first = date.fromisoformat(begins) if begins else day
        last = date.fromisoformat(ends) if ends else first
        span = [datetime.combine(first, _time(at)), datetime.combine(last, _time(until))]
        starts_at, ends_at = (local_moment(each, zone) for each in span)
    except BreakRefused as refused:
        raise ValidationError(break_in_words(refused), code=f"break_{refused.code}") from refused
    # The first and the last day of the calendar have hours that are outside of it in UTC.
    except (ValueError, OverflowError) as error:
        raise _unread(line) from error
    return Break(name, starts_at, ends_at), first


def _unread(line: str) -> ValidationError:
    message = _("“%(line)s” is not a break. Enter a start, an end and a name.")
    return ValidationError(message, code="break", params={"line": moments_in_words(line).rstrip(" -")})


def _time(typed: str) -> time:
    return time.fromisoformat(typed.zfill(5))


def _line(each: Break, zone: tzinfo) -> str:
    begins, ends = (at.astimezone(zone) for at in (each.starts_at, each.ends_at))
    end = ends.strftime("%H:%M" if ends.date() == begins.date() else "%Y-%m-%d %H:%M")
    dash = "-" if ends.date() == begins.date() else " - "
    # On one line, whatever an event's file brought.
    return f"{begins:%Y-%m-%d %H:%M}{dash}{end} {one_line(each.name)}"
