"""When a round may begin, and how many penalty points lateness suggests (pure).

UKBGF (field.md, section 2): one point at five minutes late and one more for each further five.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

EACH = timedelta(minutes=5)


def suggested(called_at: datetime, at: datetime) -> int:
    """The penalty points for a side that is not at the table: 1 from five minutes on, 1 more each further
        five.

        >>> from collections.abc import Mapping
    from datetime import UTC
        >>> called = datetime(2026, 5, 1, 10, 0, tzinfo=UTC)
        >>> [suggested(called, called + timedelta(minutes=m)) for m in (4, 5, 9, 10, 21)]
        [0, 1, 1, 2, 4]
    """
    return max(0, (at - called_at) // EACH)


def not_before(starts: Mapping[str, str], round_number: int) -> datetime | None:
    """The earliest start of a round, from a stage's ``starts``; None where it may begin at any time.

    >>> not_before({"2": "2026-12-02T18:00:00+00:00"}, 2).hour
    18
    >>> not_before({}, 2) is None
    True
    """
    given = starts.get(str(round_number))
    return datetime.fromisoformat(given) if given else None
