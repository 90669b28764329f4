"""Localized dates and times, e.g. "23 Nov 2026, 20:52".

``zone`` is the clock that a moment is read from: a zone, its name, or None for the current one. A date, and a
moment without a zone, is written as it is.
"""

from datetime import date, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.dateformat import format as written
from django.utils.formats import get_format
from django.utils.timesince import timesince
from django.utils.timezone import get_current_timezone_name, is_aware, localdate, localtime
from django.utils.translation import gettext as _

from clubs.formats.en import formats as english

Zone = tzinfo | str | None

PATTERNS = (
    *("DATE_FORMAT", "TIME_FORMAT", "DATETIME_FORMAT", "MONTH_DAY_FORMAT", "YEAR_MONTH_FORMAT"),
    *("WEEKDAY_DATE_FORMAT", "WEEKDAY_TIME_FORMAT", "WEEKDAY_MONTH_DAY_FORMAT", "WEEKDAY_MOMENT_FORMAT"),
)
_MONTHS = [datetime(2023, number, 1) for number in range(1, 13)]  # noqa: DTZ001 - names alone
_WEEKDAYS = [datetime(2023, 1, number) for number in range(1, 8)]  # noqa: DTZ001 - Sunday first
_HALVES = [datetime(2023, 1, 1, hour) for hour in (0, 12)]  # noqa: DTZ001
NAMED = dict.fromkeys("MFNEb", _MONTHS) | dict.fromkeys("Dl", _WEEKDAYS) | dict.fromkeys("aA", _HALVES)
"""The pattern characters that stand for names, with a moment for each name."""


def day(at: date, zone: Zone = None) -> str:
    """A day, e.g. "23 Nov 2026"."""
    return named(at, "DATE_FORMAT", zone)


def month_day(at: date, zone: Zone = None) -> str:
    """A day of this or the next months, e.g. "23 Nov"."""
    return named(at, "MONTH_DAY_FORMAT", zone)


def year_month(at: date, zone: Zone = None) -> str:
    """A month, e.g. "Nov 2026"."""
    return named(at, "YEAR_MONTH_FORMAT", zone)


def year(at: date, zone: Zone = None) -> str:
    """A year, e.g. "2026"."""
    return str((local(at, zone) if isinstance(at, datetime) else at).year)


def weekday_day(at: date, zone: Zone = None) -> str:
    """A day with its weekday, e.g. "Mon 23 Nov 2026"."""
    return named(at, "WEEKDAY_DATE_FORMAT", zone)


def weekday_month_day(at: date, zone: Zone = None) -> str:
    """A day of this or the next months with its weekday, e.g. "Mon 23 Nov"."""
    return named(at, "WEEKDAY_MONTH_DAY_FORMAT", zone)


def time_of_day(at: datetime, zone: Zone = None) -> str:
    """Hours and minutes, e.g. "20:52"."""
    return named(at, "TIME_FORMAT", zone)


def weekday_time(at: datetime, zone: Zone = None) -> str:
    """A time in this or the next days, e.g. "Mon 20:52"."""
    return named(at, "WEEKDAY_TIME_FORMAT", zone)


def weekday_moment(at: datetime, zone: Zone = None) -> str:
    """A moment in this or the next months, e.g. "Mon 23 Nov, 20:52"."""
    return named(at, "WEEKDAY_MOMENT_FORMAT", zone)


def moment(at: datetime, zone: Zone = None) -> str:
    """A day and a time, e.g. "23 Nov 2026, 20:52"."""
    return named(at, "DATETIME_FORMAT", zone)


def span(begins: datetime, ends: datetime, zone: Zone = None) -> str:
    """A range of moments, with the day once if it is the same.

    E.g. "Mon 23 Nov, 19:00–20:30" and "Mon 23 Nov, 22:00 – Tue 24 Nov, 01:00".
    """
    if local(begins, zone).date() == local(ends, zone).date():
        return f"{weekday_moment(begins, zone)}–{time_of_day(ends, zone)}"
    return f"{weekday_moment(begins, zone)} – {weekday_moment(ends, zone)}"


def day_parts(at: datetime, zone: Zone = None) -> tuple[str, str, str]:
    """Weekday, number and month of a day, each short: ("Mon", "23", "Nov")."""
    there = local(at, zone)
    return written(there, "D"), written(there, "j"), written(there, "M")


def recent_day(on: date) -> str:
    """A day in a list, newest first: "Today", "Yesterday", then "23 Nov 2026"."""
    today = localdate()
    if on == today:
        return _("Today")
    return _("Yesterday") if on == today - timedelta(days=1) else day(on)


def age(at: datetime) -> str:
    """The time since a moment, in its largest unit, e.g. "5 hours"."""
    return timesince(at, depth=1)


def duration(minutes: int) -> str:
    """Minutes as hours and minutes.

    >>> duration(190), duration(45)
    ('3 h 10 min', '45 min')
    """
    whole, rest = divmod(minutes, 60)
    if not whole:
        return _("%(minutes)s min") % {"minutes": rest}
    return _("%(hours)s h %(minutes)02d min") % {"hours": whole, "minutes": rest}


def clock_face(seconds: int) -> str:
    """Minutes and seconds of a match clock, negative once time is over.

    >>> clock_face(754), clock_face(-61), clock_face(0)
    ('12:34', '−1:01', '0:00')
    """
    return f"{'−' if seconds < 0 else ''}{abs(seconds) // 60}:{abs(seconds) % 60:02}"


def for_scripts(zone: Zone) -> dict[str, Any]:
    """The data of ``clubs/formats.js``: zone, patterns, names and decimal mark."""
    patterns = {name.removesuffix("_FORMAT").lower(): pattern(name) for name in PATTERNS}
    used = set("".join(patterns.values()))
    return {
        "zone": str(zone or get_current_timezone_name()),
        "patterns": patterns,
        "names": {mark: [written(at, mark) for at in days] for mark, days in NAMED.items() if mark in used},
        "decimal": get_format("DECIMAL_SEPARATOR"),
    }


def pattern(name: str) -> str:
    """The pattern of this name in the reader's language, else the English one."""
    found = get_format(name)
    return str(getattr(english, name) if found == name else found)


def local(at: datetime, zone: Zone) -> datetime:
    """The moment in this zone; one without a zone is unchanged."""
    if not is_aware(at):
        return at
    return localtime(at, ZoneInfo(zone) if zone and isinstance(zone, str) else zone or None)


def named(at: date, name: str, zone: Zone = None) -> str:
    """A moment formatted by the pattern of this name."""
    return written(local(at, zone) if isinstance(at, datetime) else at, pattern(name))
