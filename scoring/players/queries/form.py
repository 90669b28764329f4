"""A player's recent rating changes."""

from collections.abc import Iterable
from datetime import datetime

from scoring.models import RatingChange


def sum_lately(changes: Iterable[RatingChange], *, since: datetime) -> float | None:
    """The rating change since a time, in points; None without a match."""
    lately = [change.after - change.before for change in changes if change.played_at >= since]
    return sum(lately) if lately else None
