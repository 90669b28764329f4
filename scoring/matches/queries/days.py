"""Group a list's matches by day and event."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date

from clubs.access import Viewer
from clubs.models import Club
from scoring.matches.occasions import Occasion, occasions_of
from scoring.matches.queries.matches import MatchLine


@dataclass(frozen=True, slots=True)
class Day:
    """The matches of one day at one occasion in a club; ``on`` is the day where the club is."""

    on: date
    club: Club
    occasion: Occasion | None
    lines: list[MatchLine] = field(default_factory=list)


def by_day(lines: Iterable[MatchLine], viewer: Viewer) -> list[Day]:
    """The lines by day and occasion, each pair once, in the order in which they come (one query a kind)."""
    lines = list(lines)
    occasions = occasions_of([line.match for line in lines], viewer)
    days: dict[tuple[date, int, str], Day] = {}
    for line in lines:
        match, occasion = line.match, occasions.get(line.match.pk)
        on = match.played_at.astimezone(match.club.zone).date()
        key = (on, match.club_id, occasion.words if occasion else "")
        at_table = replace(line, table=occasion.table if occasion else None)
        days.setdefault(key, Day(on, match.club, occasion)).lines.append(at_table)
    return list(days.values())
