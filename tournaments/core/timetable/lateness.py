"""Start times of matches, and suggested penalty points for lateness (pure).

UKBGF (docs/reference/tournaments.md, "Lateness"): one point after five minutes, and one more for every
further five.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from tournaments.core.timetable.breaks import Break, after_playing, behind_breaks, played_time

EACH = timedelta(minutes=5)


def suggested(called_at: datetime, at: datetime, breaks: Sequence[Break] = ()) -> int:
    """Suggested penalty points: 1 per full five minutes, breaks not counted.

    >>> from datetime import UTC
    >>> called = datetime(2026, 5, 1, 10, 0, tzinfo=UTC)
    >>> [suggested(called, called + timedelta(minutes=m)) for m in (4, 5, 9, 10, 21)]
    [0, 1, 1, 2, 4]
    """
    return max(0, played_time(breaks, called_at, at) // EACH)


def point_due(called_at: datetime, points: int, breaks: Sequence[Break] = ()) -> datetime:
    """The moment when this many penalty points are due."""
    return after_playing(breaks, called_at, EACH * points)


def not_before(starts: Mapping[str, str], round_number: int) -> datetime | None:
    """Start time of a round from a stage's ``starts``.

    None if it can start at any time.

    >>> not_before({"2": "2026-12-02T18:00:00+00:00"}, 2).hour
    18
    >>> not_before({}, 2) is None
    True
    """
    given = starts.get(str(round_number))
    return datetime.fromisoformat(given) if given else None


def begins_at(
    starts: Mapping[str, str],
    round_number: int,
    *,
    breaks: Sequence[Break],
    at: datetime,
    opens_at: datetime | None = None,
) -> datetime:
    """Earliest start of a match of a round that is ready ``at`` a moment.

    The latest of ``at``, the round's start time and a league round's ``opens_at``, moved to the end of a
    break.
    """
    early = not_before(starts, round_number)
    return behind_breaks(breaks, max(each for each in (at, early, opens_at) if each is not None))
