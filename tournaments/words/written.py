"""How times and money of events are written."""

import re
from datetime import datetime, tzinfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.formats import dates
from tournaments.core.timetable.breaks import Break

MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")


def span(pause: Break, zone: tzinfo) -> str:
    """From when to when a break is, on the clock of this zone: the day once where it is the same."""
    return dates.span(pause.starts_at, pause.ends_at, zone)


_POOLS = {
    "main": gettext_noop("Main pool"),
    "consolation": gettext_noop("Consolation"),
    "last chance": gettext_noop("Last chance"),
    "entry": gettext_noop("Entry"),
}


def pool_name(key: str) -> str:
    """What a prize is for, in the reader's language; side pools and stages keep their own names.

    >>> pool_name("main"), pool_name("jackpot")
    ('Main pool', 'jackpot')
    """
    return _(_POOLS[key]) if key in _POOLS else key


def moments_in_words(text: str) -> str:
    """A text with its moments (``2026-12-05 12:30``) as a reader writes them."""
    return MOMENT.sub(lambda found: _moment(found[0]), text)


def _moment(typed: str) -> str:
    try:
        return dates.moment(datetime.fromisoformat(typed))
    except ValueError:  # no day of the calendar: it stays as it was typed
        return typed
