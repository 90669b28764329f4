"""A year of club nights: pairings, dates and match lengths. Pure; club time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from zoneinfo import ZoneInfo

from deploy.demo.cast import LOGINS, CastMember

CLUB_NIGHT = 1  # Tuesday, as date.weekday() counts
ROUNDS = 2
_BEGINS = time(19, 30)
_LENGTHS = {1: 20, 2: 8, 3: 42, 4: 6, 5: 24}
"""Match lengths and their percentages."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match of the season: places in the cast, and its start, to a unique second."""

    number: int
    white: int
    black: int
    length: int
    at: datetime


def nights(upto: date, count: int) -> list[date]:
    """The last ``count`` club nights before ``upto``, over a year, oldest first."""
    last = upto - timedelta(days=(upto.weekday() - CLUB_NIGHT) % 7 or 7)
    weeks = [round(n * 51 / max(count - 1, 1)) for n in range(count)]
    return [last - timedelta(weeks=week) for week in reversed(weeks)]


def season(
    people: Sequence[CastMember], *, upto: date, zone: ZoneInfo, matches: int, dice: Random
) -> list[Fixture]:
    """Matches over a year of nights, in the order they were played."""
    tables = max(1, min(4, len(people) // 2))
    needed = -(-matches // (tables * ROUNDS))
    fixtures: list[Fixture] = []
    dates = nights(upto, needed)
    for night in dates:
        # Users who can sign in have matches on the newest night.
        sure = LOGINS if night == dates[-1] else 0
        begins = datetime.combine(night, _BEGINS, tzinfo=zone)
        seen: set[frozenset[int]] = set()
        for number in range(ROUNDS):
            for table, (white, black) in enumerate(_pairs(people, tables, seen, dice, sure)):
                at = begins + timedelta(minutes=70 * number + 2 * table)
                length = dice.choices(list(_LENGTHS), list(_LENGTHS.values()))[0]
                fixtures.append(Fixture(len(fixtures), white, black, length, at))
    # Shorten the first night: visitors look at the newest one.
    return [
        Fixture(number, old.white, old.black, old.length, old.at)
        for number, old in enumerate(fixtures[len(fixtures) - matches :])
    ]


def _pairs(
    people: Sequence[CastMember], tables: int, seen: set[frozenset[int]], dice: Random, sure: int
) -> list[tuple[int, int]]:
    """Pairs of attending players, the first ``sure`` of the cast among them.

    No player twice in a round, no pair twice in a night if possible.
    """
    wishes = [dice.random() ** (1 / person.comes) + (n < sure) for n, person in enumerate(people)]
    came = sorted(range(len(people)), key=lambda n: -wishes[n])[: 2 * tables]
    dice.shuffle(came)
    pairs: list[tuple[int, int]] = []
    while came:
        white = came.pop(0)
        fresh = [n for n in came if frozenset((white, n)) not in seen] or came
        black = fresh[0]
        came.remove(black)
        seen.add(frozenset((white, black)))
        pairs.append((white, black) if dice.random() < 0.5 else (black, white))
    return pairs
