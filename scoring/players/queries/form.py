"""How a player has been doing lately: what the last matches did to the rating."""

from collections.abc import Iterable
from datetime import datetime

from scoring.models import RatingChange


def sum_lately(changes: Iterable[RatingChange], *, since: datetime) -> float | None:
    """What the matches since then did to the rating, in points; None without one."""
    lately = [change.after - change.before for change in changes if change.played_at >= since]
    return sum(lately) if lately else None
