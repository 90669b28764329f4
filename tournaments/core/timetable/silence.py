"""How long a scoresheet has been without an entry (pure)."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from tournaments.core.timetable.breaks import Break, played_time

BY_PLAYS = timedelta(minutes=5)
"""Without an entry for so long a scoresheet of plays is silent; a play takes less than a minute."""
BY_GAMES = timedelta(minutes=25)
"""The same for a scoresheet of results alone; a long game takes about 20 minutes."""


def silent_minutes(
    last: datetime, at: datetime, *, by_plays: bool, breaks: Sequence[Break] = ()
) -> int | None:
    """Whole minutes since the ``last`` entry, breaks not counted; None while they are usual.

    >>> from datetime import UTC
    >>> last = datetime(2026, 5, 1, 10, 0, tzinfo=UTC)
    >>> [silent_minutes(last, last + timedelta(minutes=m), by_plays=True) for m in (4, 5, 70)]
    [None, 5, 70]
    >>> [silent_minutes(last, last + timedelta(minutes=m), by_plays=False) for m in (24, 25)]
    [None, 25]
    """
    passed = played_time(breaks, last, at)
    return passed // timedelta(minutes=1) if passed >= (BY_PLAYS if by_plays else BY_GAMES) else None
