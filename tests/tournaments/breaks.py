"""Breaks of an event that begins at noon in Berlin."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from tournaments.core.timetable.breaks import Break

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 12, 5, 12, tzinfo=BERLIN)


def minutes(count):
    return timedelta(minutes=count)


LUNCH = Break("Lunch", NOON + minutes(30), NOON + minutes(90))
SOUP = Break("Soup", LUNCH.ends_at, LUNCH.ends_at + minutes(15))
